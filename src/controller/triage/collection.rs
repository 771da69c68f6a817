//! The contents that the commands of a report have produced so far.

use super::callers::{Asked, callers};
use super::lines::Line;
use super::{JobReport, ReportOrder, Sections};
use crate::report::Content;
use crate::sets::parse_prefix;
use crate::state::State;
use model::{Frame, ProcessSet};

/// An unfinished report.
#[derive(Debug)]
pub(crate) struct Collection {
    order: ReportOrder,
    sections: Sections,
    /// The stacks of the threads that stopped, until their callers are asked for.
    stacks: Vec<(ProcessSet, Vec<Frame>)>,
    asked: Asked,
}

impl Collection {
    pub(crate) fn new(order: ReportOrder) -> Self {
        let mut sections = Sections::default();
        for (ranks, why) in &order.unknown {
            sections.add(None, Content::Missing(ranks.clone(), why.clone()));
        }
        Self { order, sections, stacks: Vec::new(), asked: Asked::default() }
    }

    /// Adds a content that the command line of this text produced.
    pub(crate) fn add(&mut self, line: &str, content: Content) {
        match content {
            Content::Stacks(stacks) => {
                self.stacks.extend(stacks.into_iter().map(|one| (one.ranks, one.stack.to_vec())));
            }
            Content::Done { .. } => self.asked.is_over(),
            Content::Variables(..) if self.asked.now().is_some() => {
                if let Some(caller) = self.asked.now() {
                    self.sections.add_caller(caller, content);
                }
            }
            content => {
                let thread = parse_prefix(line.trim_start()).ok().and_then(|(scope, _)| scope.threads?.one());
                self.sections.add(thread, content);
            }
        }
    }

    /// Returns the commands that follow from what is known by now.
    pub(crate) fn more(&mut self, state: &State) -> Vec<Line> {
        let (callers, left_out) = callers(&std::mem::take(&mut self.stacks), &state.variables.my_code());
        if !left_out.is_empty() {
            let why = "the variables of their outermost callers are left out: there are too many".to_owned();
            self.sections.add(None, Content::Missing(left_out, why));
        }
        self.asked.lines(callers)
    }

    /// Builds the report; the directory is as requested.
    pub(crate) fn finish(self, state: &State) -> (Option<String>, JobReport) {
        (self.order.directory, JobReport::new(self.order.reason, state, self.sections))
    }
}

//! The contents that the commands of a report have produced so far.

use super::{JobReport, ReportOrder, Sections};
use crate::report::Content;
use crate::sets::parse_prefix;
use crate::state::State;

/// An unfinished report.
#[derive(Debug)]
pub(crate) struct Collection {
    order: ReportOrder,
    sections: Sections,
}

impl Collection {
    pub(crate) fn new(order: ReportOrder) -> Self {
        let mut sections = Sections::default();
        for (ranks, why) in &order.unknown {
            sections.add(None, Content::Missing(ranks.clone(), why.clone()));
        }
        Self { order, sections }
    }

    /// Adds a content that the command line of this text produced.
    pub(crate) fn add(&mut self, line: &str, content: Content) {
        let thread = parse_prefix(line.trim_start()).ok().and_then(|(scope, _)| scope.thread);
        self.sections.add(thread, content);
    }

    /// Builds the report; the directory is as requested.
    pub(crate) fn finish(self, state: &State) -> (Option<String>, JobReport) {
        (self.order.directory, JobReport::new(self.order.reason, state, self.sections))
    }
}

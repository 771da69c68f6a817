//! The line being executed, with its ranks.

use crate::command::CommandId;
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::sets::{ConditionResults, Scope, SetExpr, parse_set, resolve};
use crate::state::Focus;
use model::ProcessSet;
use std::ops::Range;

pub(super) struct Line<'a> {
    id: CommandId,
    target: Target,
    results: &'a ConditionResults,
    /// The character at which the arguments begin.
    arguments_at: usize,
}

impl<'a> Line<'a> {
    /// Returns `None` if the scope contains no ranks, which is then reported.
    pub(super) fn new(
        core: &mut Interpreter,
        id: CommandId,
        scope: Option<&Scope>,
        arguments_at: usize,
        results: &'a ConditionResults,
    ) -> Option<Self> {
        // Lines of a script mean the ranks that it has chosen.
        let chosen = core.above(id).find_map(|task| task.focus.clone());
        let target = match scope {
            None if chosen.is_some() => chosen?,
            None => {
                let Focus { set, text, thread, group, chosen_by } = &core.state.focus;
                let spelled = chosen_by.as_ref().unwrap_or(text);
                let means_lost = parse_set(spelled).is_ok_and(|set| set.names_lost());
                Target { ranks: set.clone(), thread: *thread, group: group.clone(), named: false, means_lost }
            }
            Some(scope) => {
                let ranks = resolved_or(core, id, &scope.set, results, 0..arguments_at, "")?;
                let focus = &core.state.focus;
                let (thread, group) = match &scope.threads {
                    Some(threads) => (threads.one(), threads.group().cloned()),
                    None => (focus.thread, focus.group.clone()),
                };
                Target { ranks, thread, group, named: true, means_lost: scope.set.names_lost() }
            }
        };
        Some(Self { id, target, results, arguments_at })
    }

    pub(super) fn id(&self) -> CommandId {
        self.id
    }

    pub(super) fn target(&self) -> &Target {
        &self.target
    }

    pub(super) fn into_target(self) -> Target {
        self.target
    }

    /// Returns the ranks of a set among the arguments; `None` if it was refused.
    pub(super) fn resolved(&self, core: &mut Interpreter, set: &SetExpr) -> Option<ProcessSet> {
        self.resolved_or(core, set, "")
    }

    /// As [`Self::resolved`]; a refusal ends with these words.
    pub(super) fn resolved_or(&self, core: &mut Interpreter, set: &SetExpr, words: &str) -> Option<ProcessSet> {
        resolved_or(core, self.id, set, self.results, self.arguments_at..usize::MAX, words)
    }
}

/// Returns the ranks of a set in this part of the line (in characters).
fn resolved_or(
    core: &mut Interpreter,
    id: CommandId,
    set: &SetExpr,
    results: &ConditionResults,
    part: Range<usize>,
    words: &str,
) -> Option<ProcessSet> {
    match resolve(set, &core.state, results) {
        Ok(ranks) => Some(ranks),
        Err(error) => {
            let line = core.tasks.get(&id).map_or("", |task| &*task.origin.line);
            let text: String = line.chars().skip(part.start).take(part.len()).collect();
            let position = error.place_in(&text).map(|place| part.start + place);
            core.error(id, ProcessSet::new(), format!("{error}{words}"), position);
            core.done(id);
            None
        }
    }
}

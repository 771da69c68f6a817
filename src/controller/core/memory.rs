//! What only the front end knows, kept by the master for the next one: a front end that is killed takes nothing along.

use super::Controller;
use crate::command::Variables;
use crate::report::Content;
use crate::state::{Displays, Focus, Phase, SignalRows};
use model::{Breakpoint, BreakpointId, ProcessSet, ProcessState, Rank, Severity};
use protocol::{JobRank, SessionCommand};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What the next front end is to know beside what the master knows itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Memory {
    focus: Focus,
    lead: Rank,
    groups: BTreeMap<String, ProcessSet>,
    aliases: BTreeMap<String, String>,
    displays: Displays,
    settings: Vec<(String, String)>,
    output_of: Option<ProcessSet>,
    held: ProcessSet,
    barriers: BTreeMap<BreakpointId, ProcessSet>,
    signals: SignalRows,
    next_breakpoint: u32,
}

impl Controller {
    /// What is to be kept now.
    fn memory(&self) -> Memory {
        let state = &self.state;
        Memory {
            focus: state.focus.clone(),
            lead: state.lead,
            groups: state.groups.clone(),
            aliases: state.aliases.clone(),
            displays: state.displays.clone(),
            settings: state.variables.rows(None),
            output_of: state.output_of.clone(),
            held: state.held.clone(),
            barriers: state.barriers.clone(),
            signals: state.signals.clone(),
            next_breakpoint: self.next_breakpoint,
        }
    }

    /// A job is there: what any front end would begin with need not be kept.
    pub(super) fn begin_keeping(&mut self) {
        self.kept = Memory { settings: Variables::default().rows(None), ..self.memory() };
        self.may_have_changed = true;
    }

    /// After a command: whatever it changed is kept, before anything can happen to us.
    pub(super) fn keep(&mut self) {
        // Before we know what is kept, we have nothing to add.
        if self.resuming || self.state.phase != Phase::Live || !std::mem::take(&mut self.may_have_changed) {
            return;
        }
        let memory = self.memory();
        if self.kept == memory {
            return;
        }
        match serde_json::to_string(&memory) {
            Ok(text) => {
                let linger = self.state.variables.get("linger") as u32;
                self.send_session(SessionCommand::Keep { memory: text, linger });
            }
            Err(error) => tracing::error!("groups and settings are not kept: {error}"),
        }
        self.kept = memory;
    }

    /// A session that is there already: its state as the master knows it, and what the last front end had kept.
    pub(super) fn resumed(
        &mut self,
        breakpoints: Vec<Breakpoint>,
        states: &[(ProcessSet, ProcessState)],
        ranks: Vec<JobRank>,
        kept: Option<&str>,
    ) {
        for rank in ranks {
            self.state.ranks.set_pid(rank.rank, rank.pid);
            self.state.ranks.set_host(&ProcessSet::one(rank.rank), &rank.host);
        }
        self.state.breakpoints = breakpoints.into_iter().map(|point| (point.request.id, point)).collect();
        let highest = self.state.breakpoints.last_key_value().map_or(0, |(id, _)| id.0);
        self.next_breakpoint = self.next_breakpoint.max(highest.saturating_add(1));
        if let Some(text) = kept {
            match serde_json::from_str(text) {
                Ok(memory) => self.remember(memory),
                Err(error) => {
                    let words = format!("groups, focus and settings of the last front end cannot be read: {error}");
                    self.tell(Severity::Warning, ProcessSet::new(), &words);
                }
            }
        }
        for (set, state) in states {
            let mut state = state.clone();
            if let ProcessState::Stopped(stop) = &mut state {
                self.arrive(set, stop);
            }
            let moved = self.state.ranks.change(set, &state);
            self.moved(&moved);
        }
        self.settle_barriers();
        if self.state.phase == Phase::Connecting {
            self.state.phase = Phase::Idle;
        }
        self.resuming = false;
        if self.batch && self.state.phase == Phase::Live {
            let groups = self.state.status_groups(&ProcessSet::all(self.state.size()));
            self.report(Content::Status(groups));
        }
    }

    fn remember(&mut self, memory: Memory) {
        let Memory {
            focus,
            lead,
            groups,
            aliases,
            displays,
            settings,
            output_of,
            held,
            barriers,
            signals,
            next_breakpoint,
        } = memory;
        for (name, value) in settings {
            // One that this version does not know any more is none of the user's.
            let _ = self.state.variables.set(&name, &value);
        }
        self.limit_output();
        let state = &mut self.state;
        state.thread = focus.thread;
        state.lead = lead;
        (state.focus, state.groups, state.aliases, state.displays) = (focus, groups, aliases, displays);
        (state.output_of, state.held, state.barriers, state.signals) = (output_of, held, barriers, signals);
        self.next_breakpoint = self.next_breakpoint.max(next_breakpoint);
    }
}

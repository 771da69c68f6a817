//! Stores the front end's own data at the master: a front end that is killed loses nothing.

use crate::command::{RankLayout, Variables};
use crate::core::controller::Controller;
use crate::core::kept::Kept;
use crate::core::session_history::SessionHistory;
use crate::report::Content;
use crate::state::{Phase, ProgramStart, State};
use model::{Breakpoint, ProcessSet, ProcessState, Severity};
use protocol::{JobRank, SessionCommand};

impl Controller {
    fn memory(&self) -> Kept {
        let state = &self.core.state;
        Kept {
            focus: state.focus.clone(),
            lead: state.lead,
            groups: state.groups.clone(),
            aliases: state.aliases.clone(),
            scripts: state.scripts.clone(),
            displays: state.displays.clone(),
            settings: state.variables.rows(None),
            output_of: state.output_of.clone(),
            held: state.held.clone(),
            barriers: state.barriers.clone(),
            signals: state.signals.clone(),
            next_breakpoint: self.core.numbers.next_breakpoint().0,
            printed: self.core.history.count(),
            is_attached: state.is_attached,
            is_of_core_files: state.is_of_core_files,
            start: state.start.clone(),
            layout: Some(&state.layout).filter(|layout| **layout != RankLayout::Plain).map(RankLayout::word),
            colour: state.colour.clone(),
        }
    }

    /// Begins storing for a new job; data that any front end begins with need not be stored.
    pub(in crate::core) fn begin_keeping(&mut self) {
        self.kept = Kept {
            settings: Variables::default().rows(None),
            is_attached: false,
            is_of_core_files: false,
            start: ProgramStart::default(),
            layout: None,
            colour: None,
            ..self.memory()
        };
        self.core.may_have_changed = true;
    }

    /// Stores the changes of a command, before this front end can fail.
    pub(in crate::core) fn keep(&mut self) {
        // Before the stored data are known, there is nothing to add.
        if self.resuming || self.core.state.phase != Phase::Live || !std::mem::take(&mut self.core.may_have_changed) {
            return;
        }
        let State { scripts, breakpoints, .. } = &mut self.core.state;
        scripts.keep_those_of(|id| breakpoints.contains_key(&id));
        let memory = self.memory();
        if self.kept == memory {
            return;
        }
        match serde_json::to_string(&memory) {
            Ok(text) => {
                let linger = self.core.state.variables.get("linger") as u32;
                self.core.outbox.session(SessionCommand::Keep { memory: text, linger });
            }
            Err(error) => tracing::error!("cannot save groups and settings: {error}"),
        }
        self.kept = memory;
    }

    /// Takes over an existing session: the master's state, and the data that the last front end stored.
    pub(in crate::core) fn resumed(
        &mut self,
        breakpoints: Vec<Breakpoint>,
        states: &[(ProcessSet, ProcessState)],
        ranks: Vec<JobRank>,
        kept: Option<&str>,
    ) {
        for rank in ranks {
            self.core.state.ranks.set_pid(rank.rank, rank.pid);
            self.core.state.ranks.set_host(&ProcessSet::one(rank.rank), &rank.host);
        }
        self.core.state.breakpoints = breakpoints.into_iter().map(|point| (point.request.id, point)).collect();
        let highest = self.core.state.breakpoints.last_key_value().map_or(0, |(id, _)| id.0);
        self.core.numbers.breakpoints_from(highest.saturating_add(1));
        if let Some(text) = kept {
            match serde_json::from_str(text) {
                Ok(memory) => self.remember(memory),
                Err(error) => {
                    let words = format!("cannot restore the last front end's groups, focus and settings: {error}");
                    self.core.tell(Severity::Warning, ProcessSet::new(), &words);
                }
            }
        }
        for (set, state) in states {
            let mut state = state.clone();
            if let ProcessState::Stopped(stop) = &mut state {
                self.core.may_have_changed |= self.core.state.arrive(set, stop);
            }
            let moved = self.core.state.ranks.change(set, &state);
            self.core.views.moved(&mut self.core.state, &moved);
        }
        self.core.settle_barriers();
        if self.core.state.phase == Phase::Connecting {
            self.core.state.phase = Phase::Idle;
        }
        self.resuming = false;
        if self.core.batch && self.core.state.phase == Phase::Live {
            let groups = self.core.state.status_groups_by_value(&ProcessSet::all(self.core.state.size()));
            self.core.report(Content::Status(groups));
        }
    }

    fn remember(&mut self, memory: Kept) {
        let Kept {
            focus,
            lead,
            groups,
            aliases,
            scripts,
            displays,
            settings,
            output_of,
            held,
            barriers,
            signals,
            next_breakpoint,
            printed,
            is_attached,
            is_of_core_files,
            start,
            layout,
            colour,
        } = memory;
        for (name, value) in settings {
            // A setting that this version does not know is skipped.
            let _ = self.core.state.variables.set(&name, &value);
        }
        self.core.state.limit_output();
        let state = &mut self.core.state;
        state.thread = focus.thread;
        state.lead = lead;
        state.is_attached = is_attached;
        state.is_of_core_files = is_of_core_files;
        state.start = start;
        let layout = layout.and_then(|word| RankLayout::of_word(&word).ok()).unwrap_or_default();
        state.layout = if layout.fits(state.size()) { layout } else { RankLayout::Plain };
        state.colour = colour;
        (state.focus, state.groups, state.aliases, state.displays) = (focus, groups, aliases, displays);
        state.scripts = scripts;
        (state.output_of, state.held, state.barriers, state.signals) = (output_of, held, barriers, signals);
        self.core.numbers.breakpoints_from(next_breakpoint);
        self.core.history = SessionHistory::of(printed);
    }
}

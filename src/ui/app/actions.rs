//! What each action comes to.

use super::{App, gaze_of};
use crate::action::{Action, Group, ViewId};
use crate::effect::Effect;
use crate::layer::{Layer, Prompt, PromptKind};
use crate::layout::TABS;
use crate::view::View;
use crate::view::{Density, Notice};
use crate::views::{breakpoints, merged, signals, source, stack, threads};
use controller::{Gaze, State};
use model::{BreakpointId, ProcessSet, ProcessState, Rank, Severity};

impl App {
    /// Carries an action out.
    pub fn act(&mut self, action: Action, state: &State) -> Vec<Effect> {
        if let Some(view) = action.view() {
            self.view.go_to(view);
            return Vec::new();
        }
        if action.row().is_some_and(|row| row.group == Group::Run) {
            // Where the program goes is looked at now: the keys of a search mean what they mean without it.
            self.view.search.active = false;
        }
        match action {
            Action::Go => self.run("go"),
            Action::Next => self.run("next"),
            Action::Step => self.run("step"),
            Action::Finish => self.run("finish"),
            Action::Until => self.until_cursor(state),
            Action::Halt => self.run("halt"),
            Action::StepInstruction => self.run("stepi"),
            Action::NextInstruction => self.run("nexti"),
            Action::Restart => self.ask_restart(state),

            Action::Break => match source::breakpoint_at_cursor(state, &self.view) {
                Some(id) => self.run(&format!("delete {id}")),
                None => self.at_cursor("break"),
            },
            Action::BreakOnce => self.at_cursor("tbreak"),
            Action::BreakPrompt => self.view.type_command("break "),
            Action::Enable => match self.breakpoint(state) {
                Some(id) => {
                    let on = state.breakpoints.get(&id).is_some_and(|breakpoint| breakpoint.request.enabled);
                    self.run(&format!("{} {id}", if on { "disable" } else { "enable" }))
                }
                None => self.view.say("no breakpoint under the cursor"),
            },
            Action::Delete if self.view.current == ViewId::Variables => self.undisplay(state),
            Action::Delete => match self.breakpoint(state) {
                Some(id) => self.run(&format!("delete {id}")),
                None => self.view.say("no breakpoint under the cursor"),
            },
            Action::Condition => match breakpoints::at_cursor(state, &self.view) {
                Some((id, breakpoint)) => {
                    let now = breakpoint.request.condition.as_deref().unwrap_or("");
                    self.view.type_command(&format!("condition {id} {now}"))
                }
                None => self.view.say("no breakpoint under the cursor"),
            },
            Action::ShowBreakpoint => self.show_breakpoint(state),
            Action::OutputLine => self.whole_output(state),
            Action::MessageLine => self.whole_message(),

            Action::FocusMarked => self.focus_marked(),
            Action::Mark => {
                let cursor = Rank(self.view.ranks.cursor);
                match self.view.ranks.range() {
                    Some(range) => self.view.ranks.marks.extend_with(&range),
                    None if self.view.ranks.marks.remove(cursor) => {}
                    None => _ = self.view.ranks.marks.insert(cursor),
                }
                self.view.ranks.anchor = None;
                Vec::new()
            }
            Action::Range => {
                match self.view.ranks.range() {
                    Some(range) => {
                        self.view.ranks.marks.extend_with(&range);
                        self.view.ranks.anchor = None;
                    }
                    None => self.view.ranks.anchor = Some(self.view.ranks.cursor),
                }
                Vec::new()
            }
            Action::FocusPrompt => self.view.type_command("focus "),
            Action::FocusAll => self.run("focus all"),
            Action::FocusStopped => self.run("focus stopped"),
            Action::FocusRunning => self.run("focus running"),
            Action::FocusLead => self.run(&format!("focus {}", state.lead)),
            Action::FocusHere => {
                let groups = state.status_groups(&ProcessSet::all(state.size()));
                match groups.into_iter().find(|group| group.ranks.contains(state.lead)) {
                    Some(group) => self.run(&format!("focus {}", group.ranks)),
                    None => self.view.say("no job yet"),
                }
            }
            Action::LeadNext => self.lead_beside(state, true),
            Action::LeadPrevious => self.lead_beside(state, false),
            Action::LeadOtherPlace => self.lead_elsewhere(state),

            Action::FrameUp => self.frame(state, 1),
            Action::FrameDown => self.frame(state, -1),
            Action::SelectFrame => self.select_frame(state),
            Action::SelectThread => match threads::at_cursor(state, &self.view) {
                Some(thread) => vec![Effect::Look(Gaze { thread: Some(thread.id), ..gaze_of(state) })],
                None => Vec::new(),
            },
            Action::Expand => self.view.expand(state),
            Action::Assign => self.assign(state),
            Action::AsArray => self.as_array(state),
            Action::Print => self.type_about("print", state),
            Action::Display => self.type_about("display", state),
            Action::Mode => self.mode(state),
            Action::MergedStack => {
                self.view.go_to(ViewId::Stack);
                self.merged_stack()
            }
            Action::ToggleDisposition => self.toggle_disposition(state),
            Action::SendSignal => match signals::at_cursor(state, &self.view) {
                Some(row) => self.view.type_command(&format!("signal {}", row.info.name)),
                None => Vec::new(),
            },

            Action::Up => self.move_by(-1, state),
            Action::Down => self.move_by(1, state),
            Action::HalfUp => self.half_page(-1, state),
            Action::HalfDown => self.half_page(1, state),
            Action::Left => self.sideways(-1, state),
            Action::Right => self.sideways(1, state),
            Action::Top => self.go_to_end(false, state),
            Action::Bottom => self.go_to_end(true, state),
            Action::Search => {
                self.view.open_prompt(Prompt::new(PromptKind::Search, ""));
                Vec::new()
            }
            Action::SearchNext | Action::MatchNext => self.view.search(true, state),
            Action::SearchPrevious | Action::MatchPrevious => self.view.search(false, state),
            Action::SearchEnd => {
                self.view.search.active = false;
                Vec::new()
            }
            Action::GoToLine => {
                self.view.source.shown = None;
                self.view.source.left = 0;
                match state.gaze.file {
                    Some(_) => vec![Effect::Look(Gaze { file: None, ..gaze_of(state) })],
                    None => Vec::new(),
                }
            }
            Action::OpenSource => {
                self.view.open_prompt(Prompt::new(PromptKind::Place, ""));
                Vec::new()
            }
            Action::ViewNext => self.view.cycle(1),
            Action::ViewPrevious => self.view.cycle(ViewId::ALL.len() - 1),
            Action::Zoom => {
                self.view.zoom = !self.view.zoom;
                Vec::new()
            }

            Action::RequestAccept => self.view.accept_request(state),
            Action::RequestReject => self.view.reject_request(state),
            Action::RequestLater => self.view.put_off_request(state),
            Action::RequestsClose => self.view.close_requests(state),
            // A page has these keys, where it is on top.
            Action::PageClose | Action::PageForward | Action::PageTop => Vec::new(),
            Action::Requests => self.view.show_requests(state),
            Action::Listen => {
                let always = state.variables.get("reverse-listen") >= 2.0;
                self.run(if always { "set reverse-listen 1" } else { "reverse listen on" })
            }

            Action::Prompt => self.view.type_command(""),
            Action::Help => {
                self.view.layers.push(Layer::Help(0));
                Vec::new()
            }
            Action::Escape => self.escape(),
            Action::Redraw => vec![Effect::Redraw],
            Action::Suspend => vec![Effect::Suspend],
            Action::Leave => vec![Effect::Leave],
            Action::Quit => self.ask_quit(state),
            Action::ViewRanks
            | Action::ViewSource
            | Action::ViewStack
            | Action::ViewVariables
            | Action::ViewOutput
            | Action::ViewBreakpoints
            | Action::ViewThreads
            | Action::ViewSignals
            | Action::ViewMessages => Vec::new(),
        }
    }

    /// Ranks that are at the line already stay: they would run past it, perhaps to their end.
    fn until_cursor(&mut self, state: &State) -> Vec<Effect> {
        let (Some(place), Some(file)) = (source::cursor_location(&self.view), self.view.source.file.clone()) else {
            return self.view.say("no source is shown to run until a line of");
        };
        let line = self.view.source.list.cursor as u32 + 1;
        let stopped = state.focus.set.intersection(state.ranks.stopped());
        let here = state.current_lines(&file).remove(&line).unwrap_or_default().intersection(&stopped);
        if here.is_empty() {
            return self.run(&format!("advance {}", quoted(&place)));
        }
        let others = stopped.difference(&here);
        if others.is_empty() {
            let ranks = if here.len() == 1 { format!("rank {here} is") } else { format!("ranks {here} are") };
            return self.view.say(&format!("{ranks} at line {line}: move the cursor to where to run to"));
        }
        self.run(&format!("[{others}] advance {}", quoted(&place)))
    }

    pub(super) fn run(&mut self, line: &str) -> Vec<Effect> {
        vec![Effect::Execute(line.to_owned())]
    }

    fn at_cursor(&mut self, verb: &str) -> Vec<Effect> {
        match source::cursor_location(&self.view) {
            Some(place) => {
                let line = format!("{verb} {}", quoted(&place));
                // A key asks what a typed line asks.
                self.keyed.push(line.clone());
                self.run(&line)
            }
            None => self.view.type_command(&format!("{verb} ")),
        }
    }

    fn breakpoint(&self, state: &State) -> Option<BreakpointId> {
        if self.view.current == ViewId::Breakpoints {
            return breakpoints::at_cursor(state, &self.view).map(|(id, _)| *id);
        }
        source::breakpoint_at_cursor(state, &self.view)
    }

    fn show_breakpoint(&mut self, state: &State) -> Vec<Effect> {
        let Some((_, breakpoint)) = breakpoints::at_cursor(state, &self.view) else { return Vec::new() };
        let place = breakpoint.sites.iter().find_map(|(_, site)| site.source.clone());
        match place {
            Some(place) => {
                self.view.source.wanted = Some(place.line);
                self.view.go_to(ViewId::Source);
                vec![Effect::Look(Gaze { file: Some(place.file), ..gaze_of(state) })]
            }
            None if breakpoint.sites.is_empty() => {
                self.view.say("it is pending: nothing that is loaded has this place")
            }
            None => self.view.say("its code has no source lines"),
        }
    }

    fn focus_marked(&mut self) -> Vec<Effect> {
        let ranks = &mut self.view.ranks;
        let mut set = std::mem::take(&mut ranks.marks);
        if let Some(range) = ranks.range() {
            set.extend_with(&range);
        }
        ranks.anchor = None;
        if set.is_empty() {
            set = ProcessSet::one(Rank(ranks.cursor));
        }
        self.run(&format!("focus {set}"))
    }

    fn look_at(&mut self, lead: Rank, state: &State) -> Vec<Effect> {
        self.view.ranks.cursor = lead.0;
        self.watch.chosen();
        vec![Effect::Look(Gaze { lead, thread: None, file: None, ..gaze_of(state) })]
    }

    fn lead_beside(&mut self, state: &State, forward: bool) -> Vec<Effect> {
        let set = &state.focus.set;
        let found = if forward {
            set.iter().find(|rank| *rank > state.lead).or_else(|| set.first())
        } else {
            set.iter().take_while(|rank| *rank < state.lead).last().or_else(|| set.last())
        };
        match found {
            Some(rank) => self.look_at(rank, state),
            None => Vec::new(),
        }
    }

    fn lead_elsewhere(&mut self, state: &State) -> Vec<Effect> {
        let groups = state.status_groups(&state.focus.set);
        let stopped: Vec<_> = groups.iter().filter(|group| matches!(group.state, ProcessState::Stopped(_))).collect();
        let now = stopped.iter().position(|group| group.ranks.contains(state.lead));
        let next = now.map_or(0, |now| (now + 1) % stopped.len().max(1));
        match stopped.get(next).and_then(|group| group.ranks.first()) {
            Some(rank) if stopped.len() > 1 || now.is_none() => self.look_at(rank, state),
            _ => self.view.say("the stopped ranks of the focus are all at this place"),
        }
    }

    fn frame(&mut self, state: &State, by: i64) -> Vec<Effect> {
        let Some(frames) = state.inspection.stack.value() else { return self.view.say("no stack is known") };
        let wanted = i64::from(state.frame()) + by;
        match frames.iter().find(|frame| i64::from(frame.level) == wanted) {
            Some(frame) => vec![Effect::Look(Gaze { frame: Some(frame.level), file: None, ..gaze_of(state) })],
            None if by > 0 => self.view.say("this is the outermost frame"),
            None => self.view.say("this is the innermost frame"),
        }
    }

    fn select_frame(&mut self, state: &State) -> Vec<Effect> {
        if self.view.merged {
            let rows = merged::rows(state, &self.view);
            let lines = rows.get(self.view.stack.cursor).map(|row| merged::choosing(row)).unwrap_or_default();
            return lines.into_iter().map(Effect::Execute).collect();
        }
        match stack::frame_at_cursor(state, &self.view) {
            Some(frame) => vec![Effect::Look(Gaze { frame: Some(frame.level), file: None, ..gaze_of(state) })],
            None => Vec::new(),
        }
    }

    fn merged_stack(&mut self) -> Vec<Effect> {
        self.view.merged = !self.view.merged;
        self.view.stack = crate::List::default();
        self.seen.frame = None;
        Vec::new()
    }

    fn mode(&mut self, state: &State) -> Vec<Effect> {
        match self.view.current {
            ViewId::Ranks => {
                let ranks = &mut self.view.ranks;
                ranks.density = match ranks.density {
                    Density::Automatic => Density::Numbers,
                    Density::Numbers => Density::Letters,
                    Density::Letters => Density::Together,
                    Density::Together => Density::Automatic,
                };
                let words = match ranks.density {
                    Density::Automatic => "ranks: as many as fit",
                    Density::Numbers => "ranks: number and letter",
                    Density::Letters => "ranks: a letter each",
                    Density::Together => "ranks: all of them, several a cell where needed",
                };
                self.view.say(words)
            }
            ViewId::Output => {
                let line = if state.output_of.is_some() { "output all" } else { "output ." };
                self.run(line)
            }
            ViewId::Stack => self.merged_stack(),
            ViewId::Variables => {
                let shown = &mut self.view.variables;
                shown.content = shown.content.next();
                shown.list = crate::List::default();
                Vec::new()
            }
            ViewId::Source | ViewId::Breakpoints | ViewId::Threads | ViewId::Signals | ViewId::Messages => {
                self.view.say("this view has one mode; ranks, stack, variables and output have several")
            }
        }
    }

    fn toggle_disposition(&mut self, state: &State) -> Vec<Effect> {
        let Some(row) = signals::at_cursor(state, &self.view) else { return Vec::new() };
        let column = self.view.signal_column;
        let Some(word) = signals::COLUMNS.get(column) else { return Vec::new() };
        // Ranks of the focus may differ from the others, and from one another: the first of them decides.
        let among = row.among(&state.focus.set);
        let disposition = among.first().map_or(row.info.disposition, |part| part.1);
        let no = if signals::column(disposition, column) { "no" } else { "" };
        self.run(&format!("handle {} {no}{word}", row.info.name))
    }

    fn escape(&mut self) -> Vec<Effect> {
        let view = &mut self.view;
        if view.ranks.anchor.take().is_some() {
            return Vec::new();
        }
        if !view.ranks.marks.is_empty() {
            view.ranks.marks = ProcessSet::new();
        } else if view.search.active {
            view.search.active = false;
        } else if view.zoom {
            view.zoom = false;
        }
        Vec::new()
    }
}

impl View {
    pub(super) fn say(&mut self, text: &str) -> Vec<Effect> {
        self.notice = Some(Notice { severity: Severity::Note, text: text.to_owned() });
        Vec::new()
    }

    pub(super) fn type_command(&mut self, text: &str) -> Vec<Effect> {
        self.open_prompt(Prompt::new(PromptKind::Command, text));
        Vec::new()
    }

    pub(super) fn open_prompt(&mut self, prompt: Prompt) {
        self.notice = None;
        self.layers.push(Layer::Prompt(prompt));
    }

    pub(super) fn go_to(&mut self, view: ViewId) {
        self.current = view;
        if TABS.contains(&view) {
            self.tab = view;
        }
    }

    /// The next view of those on the screen and the hidden ones, in the order of their numbers.
    pub(super) fn cycle(&mut self, by: usize) -> Vec<Effect> {
        let at = ViewId::ALL.iter().position(|view| *view == self.current).unwrap_or(0);
        if let Some(next) = ViewId::ALL.get((at + by) % ViewId::ALL.len()) {
            self.go_to(*next);
        }
        Vec::new()
    }
}

/// A word of the command language; one with blanks is quoted.
fn quoted(word: &str) -> String {
    if word.contains(char::is_whitespace) { format!("\"{word}\"") } else { word.to_owned() }
}

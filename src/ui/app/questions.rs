//! Questions asked before destructive actions.

use crate::app::App;
use crate::effect::Effect;
use crate::layer::{Choice, Confirm, Layer, Opened};
use crate::screen::set_text;
use crate::view::View;
use controller::State;
use controller::command::{BreakpointCommand, Command, DataCommand, RunCommand, parse_line};
use controller::state::{Phase, StateKind};
use model::{Breakpoint, BreakpointId, Point};

/// The beginning of a sentence about a number of ranks.
pub(super) fn ranks_are(count: usize) -> String {
    if count == 1 { "1 rank is".to_owned() } else { format!("{count} ranks are") }
}

/// Pushes a layer below a prompt or question, so that it never takes their keys.
pub(super) fn push_below_typed(view: &mut View, layer: Layer) {
    let layers = &mut view.layers;
    let typed = layers.iter().position(|layer| matches!(layer, Layer::Prompt(_) | Layer::Confirm(_)));
    let at = typed.unwrap_or(layers.len());
    layers.insert(at, layer);
}

/// Asks if a pending breakpoint shall be kept, as gdb does.
pub(super) fn ask_pending(view: &mut View, breakpoint: &Breakpoint, advice: Option<&str>) {
    let Point::Place(location) = &breakpoint.request.point else { return };
    let (id, ranks) = (breakpoint.request.id, &breakpoint.ranks);
    let advice = advice.map_or_else(String::new, |advice| format!(" {advice}"));
    let whose = if ranks.len() == 1 { "rank" } else { "ranks" };
    push_below_typed(
        view,
        Layer::Confirm(Confirm {
            question: format!(
                "There is {} in {whose} {ranks}.{advice} Keep breakpoint {id} pending?",
                location.absence()
            ),
            choices: vec![
                Choice { key: 'y', label: "yes, set it when a library defines it", effects: Vec::new() },
                Choice { key: 'n', label: "no, delete it", effects: vec![Effect::Execute(format!("delete {id}"))] },
            ],
            pending: Some(id),
            chosen: 1,
            opened: Opened::Unseen,
        }),
    );
}

/// Takes back the question whether a breakpoint stays pending once it has a place: answers come late on a busy host.
pub(super) fn close_answered(view: &mut View, state: &State) {
    let is_placed = |id: &BreakpointId| state.breakpoints.get(id).is_some_and(|breakpoint| !breakpoint.is_pending());
    let is_answered = |confirm: &Confirm| confirm.pending.as_ref().is_some_and(is_placed);
    view.layers.retain(|layer| !matches!(layer, Layer::Confirm(confirm) if is_answered(confirm)));
}

/// Asks a question before a line is executed; enter leaves all as it is.
fn ask_first(view: &mut View, question: String, yes: &'static str, line: &str) {
    view.layers.push(Layer::Confirm(Confirm {
        question,
        choices: vec![
            Choice { key: 'y', label: yes, effects: vec![Effect::Execute(line.to_owned())] },
            Choice { key: 'n', label: "no, cancel", effects: Vec::new() },
        ],
        pending: None,
        chosen: 1,
        opened: Opened::Known,
    }));
}

/// Asks before a typed command that destroys what cannot be brought back, as its key and gdb do; returns `None` if the
/// command has nothing to ask.
pub(super) fn ask_typed(view: &mut View, line: &str, state: &State) -> Option<Vec<Effect>> {
    if !state.variables.confirms() {
        return None;
    }
    match parse_line(line, &state.aliases).ok()?.command {
        // The job goes on: nothing is lost.
        Command::Running(RunCommand::Run(None)) if state.is_at_its_start() => None,
        Command::Running(RunCommand::Run(_)) if !state.has_live_ranks() && state.size() > 0 => None,
        Command::Running(RunCommand::Run(_) | RunCommand::Restart(_) | RunCommand::RestartAtFirstInstruction(_)) => {
            Some(ask_restart(view, line, state))
        }
        Command::Running(RunCommand::Kill) => ask_kill(view, line, state),
        Command::Running(RunCommand::Return(_)) => ask_return(view, line, state),
        Command::Breakpoints(BreakpointCommand::Delete(ids)) if ids.is_empty() && !state.breakpoints.is_empty() => {
            let question = match state.breakpoints.len() {
                1 => "Delete the breakpoint?".to_owned(),
                count => format!("Delete all {count} breakpoints?"),
            };
            ask_first(view, question, "yes, delete", line);
            Some(Vec::new())
        }
        Command::Data(DataCommand::Save(order)) if !order.append => {
            let files = order.files(&state.focus.set);
            Some(vec![Effect::ExecuteReplacing { line: line.to_owned(), files }])
        }
        _ => None,
    }
}

impl App {
    /// Executes a line that writes files; asks first if some of them exist.
    pub fn replacing(&mut self, line: &str, existing: &[String]) -> Vec<Effect> {
        if existing.is_empty() {
            self.outcomes.typed(line);
            return vec![Effect::Execute(line.to_owned())];
        }
        ask_replacing(&mut self.view, line, existing);
        Vec::new()
    }
}

fn ask_replacing(view: &mut View, line: &str, existing: &[String]) {
    let question = match existing {
        [only] => format!("{only} exists. Replace it?"),
        _ => format!(
            "{} files exist, {} among them. Replace them?",
            existing.len(),
            existing.first().map_or("", |one| one)
        ),
    };
    ask_first(view, question, "yes, replace", line);
}

pub(super) fn ask_restart(view: &mut View, line: &str, state: &State) -> Vec<Effect> {
    if state.phase == Phase::Idle {
        return view.say("no job to restart");
    }
    let restart = || Effect::Execute(line.to_owned());
    // Of an attached job, the master refuses at once and says why: there is nothing to decide.
    if state.is_attached || !state.variables.confirms() {
        return vec![restart()];
    }
    // A job that is starting has no ranks yet, but processes.
    let is_alive = state.size() == 0 || state.ranks.ended().len() < state.size() as usize;
    let question = match (state.size(), is_alive) {
        (0 | 1, true) => "Kill the job and start it again?".to_owned(),
        (0 | 1, false) => "Start the job again?".to_owned(),
        (size, true) => format!("Kill the job and start all {size} ranks again?"),
        (size, false) => format!("Start all {size} ranks again?"),
    };
    view.layers.push(Layer::Confirm(Confirm {
        question,
        choices: vec![
            Choice { key: 'y', label: "yes, restart all ranks", effects: vec![restart()] },
            Choice { key: 'n', label: "no, cancel", effects: Vec::new() },
        ],
        // Enter starts again what has ended, and kills nothing.
        pending: None,
        chosen: usize::from(is_alive),
        opened: Opened::Known,
    }));
    Vec::new()
}

/// Asks before frames are left without their ends, as gdb does; a set in front has been thought about.
fn ask_return(view: &mut View, line: &str, state: &State) -> Option<Vec<Effect>> {
    let halted = state.focus.set.intersection(&state.ranks.at_rest());
    if halted.is_empty() || line.trim_start().starts_with('[') {
        return None;
    }
    let function = state.shown_function().unwrap_or_else(|| "the function".to_owned());
    let question = match halted.len() {
        1 => format!("Make {function} return now, without its end?"),
        _ => format!("Make the shown functions of ranks {} return now, without their ends?", set_text(&halted, 32)),
    };
    ask_first(view, question, "yes, return", line);
    Some(Vec::new())
}

/// Asks before the ranks of the focus are killed; a set in front has been thought about.
fn ask_kill(view: &mut View, line: &str, state: &State) -> Option<Vec<Effect>> {
    let alive = state.focus.set.difference(&state.ranks.ended());
    if alive.is_empty() || line.trim_start().starts_with('[') {
        return None;
    }
    let question = match alive.len() {
        1 => format!("Kill rank {alive}?"),
        _ => format!("Kill ranks {}?", set_text(&alive, 32)),
    };
    ask_first(view, question, "yes, kill", line);
    Some(Vec::new())
}

pub(super) fn ask_quit(view: &mut View, is_leaving: bool, state: &State) -> Vec<Effect> {
    if is_leaving || matches!(state.phase, Phase::Ended | Phase::Failed(_) | Phase::Idle) {
        return vec![Effect::Leave];
    }
    let alive = state.size() as usize - state.ranks.ended().union(&state.ranks.detaching()).len();
    let quit = || Effect::Execute("quit".to_owned());
    if state.size() > 0 && (alive == 0 || state.is_of_core_files) {
        return vec![quit()];
    }
    let lost = state.ranks.of_kind(StateKind::Lost);
    let others = match lost.len() {
        0 => String::new(),
        1 => format!(", 1 is lost ({lost})"),
        many => format!(", {many} are lost ({})", set_text(lost, 32)),
    };
    view.layers.push(Layer::Confirm(Confirm {
        question: format!("{} alive{others}.", ranks_are(alive)),
        choices: vec![
            // Ending a session kills the processes it started and detaches from those it attached to.
            Choice {
                key: 'k',
                label: "kill them and quit",
                effects: vec![Effect::Execute("[all] kill".to_owned()), quit()],
            },
            Choice {
                key: 'd',
                label: "detach from them and quit",
                effects: vec![Effect::Execute("[all] detach".to_owned()), quit()],
            },
            Choice { key: 'l', label: "leave all as it is, to resume later", effects: vec![Effect::Leave] },
            Choice { key: 'c', label: "cancel", effects: Vec::new() },
        ],
        pending: None,
        chosen: 3,
        opened: Opened::Known,
    }));
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{BreakpointRequest, LocationSpec, ProcessSet, Site};

    #[test]
    fn a_breakpoint_that_has_got_a_place_is_no_question_any_more() {
        let location = LocationSpec::parse("solver.c:12").unwrap();
        let request = BreakpointRequest::at(BreakpointId(1), Point::Place(location));
        let mut breakpoint = Breakpoint::asked(request, ProcessSet::all(4));
        let (mut view, mut state) = (View::default(), State::default());
        ask_pending(&mut view, &breakpoint, None);
        state.breakpoints.insert(BreakpointId(1), breakpoint.clone());
        close_answered(&mut view, &state);
        assert_eq!(view.layers.len(), 1, "no rank has said that there is such a line");
        let site = Site { module: None, offset: 16, address: None, function: None, source: None };
        breakpoint.sites.push((ProcessSet::all(4), site));
        state.breakpoints.insert(BreakpointId(1), breakpoint);
        close_answered(&mut view, &state);
        assert!(view.layers.is_empty());
    }
}

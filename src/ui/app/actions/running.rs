//! Actions that make the focus run and stop.

use super::super::questions::ask_restart;
use super::breakpoints::{say_hidden, shows_source};
use crate::action::Action;
use crate::effect::{Effect, execute};
use crate::view::View;
use crate::views::{code, signals, source};
use crate::words::quoted;
use controller::State;

pub(super) fn act(view: &mut View, action: Action, state: &State) -> Option<Vec<Effect>> {
    // Running ends the search, so that `n` steps again instead of going to the next match.
    view.search.active = false;
    Some(match action {
        Action::Go => execute("go"),
        Action::Next => execute("next"),
        Action::Step => execute("step"),
        Action::Finish => execute("finish"),
        Action::Until => until_cursor(view, state),
        Action::Halt => execute("halt"),
        Action::StepInstruction => execute("stepi"),
        Action::NextInstruction => execute("nexti"),
        Action::SendInput => view.type_command("send "),
        Action::Restart => ask_restart(view, "[all] restart", state),
        Action::ToggleDisposition => toggle_disposition(view, state),
        Action::SendSignal => match signals::at_cursor(state, view) {
            Some(row) => view.type_command(&format!("signal {}", row.info.name)),
            None => Vec::new(),
        },
        _ => return None,
    })
}

/// Ranks already at the line stay: they would run past it, perhaps to their end.
fn until_cursor(view: &mut View, state: &State) -> Vec<Effect> {
    if !shows_source(view, state) {
        return say_hidden(view);
    }
    if view.source.code.shown {
        return match code::address_at_cursor(state, view) {
            Some(address) => execute(&format!("advance *{address}")),
            None => view.say("no code shown: no instruction to run to"),
        };
    }
    let (Some(place), Some(file)) = (source::cursor_location(view), view.source.file.clone()) else {
        return view.say("no source shown: no line to run to");
    };
    let line = view.source.list.cursor as u32 + 1;
    let stopped = state.focus.set.intersection(state.ranks.stopped());
    let here = state.current_lines(&file).remove(&line).unwrap_or_default().intersection(&stopped);
    if here.is_empty() {
        return execute(&format!("advance {}", quoted(&place)));
    }
    let others = stopped.difference(&here);
    if others.is_empty() {
        let ranks = if here.len() == 1 { format!("rank {here} is") } else { format!("ranks {here} are") };
        return view.say(&format!("{ranks} already at line {line}: move the cursor to another line"));
    }
    execute(&format!("[{others}] advance {}", quoted(&place)))
}

fn toggle_disposition(view: &View, state: &State) -> Vec<Effect> {
    let Some(row) = signals::at_cursor(state, view) else { return Vec::new() };
    let column = view.signal_column;
    let Some(word) = signals::COLUMNS.get(column) else { return Vec::new() };
    // Ranks may differ in their dispositions; the first rank of the focus decides.
    let among = row.among(&state.focus.set);
    let disposition = among.first().map_or(row.info.disposition, |part| part.1);
    let no = if signals::column(disposition, column) { "no" } else { "" };
    execute(&format!("handle {} {no}{word}", row.info.name))
}

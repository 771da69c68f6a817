//! Actions about breakpoints.

use super::super::variables::undisplay;
use super::super::{App, gaze_of};
use crate::action::{Action, ViewId};
use crate::effect::{Effect, execute};
use crate::screen::layout_of;
use crate::view::View;
use crate::views::{breakpoints, code, source};
use crate::words::quoted;
use controller::{Gaze, State};
use model::BreakpointId;

pub(super) fn act(app: &mut App, action: Action, state: &State) -> Option<Vec<Effect>> {
    let view = &mut app.view;
    let is_about_line = match action {
        Action::Break | Action::BreakOnce => true,
        Action::Enable => view.current != ViewId::Breakpoints,
        Action::Delete => !matches!(view.current, ViewId::Breakpoints | ViewId::Variables),
        _ => false,
    };
    if is_about_line && !shows_source(view, state) {
        return Some(say_hidden(view));
    }
    Some(match action {
        Action::Break => match in_source(view, state).as_slice() {
            [] => at_cursor(app, "break", state),
            ids => execute(&format!("delete {}", words(ids))),
        },
        Action::BreakOnce => at_cursor(app, "tbreak", state),
        Action::BreakPrompt => view.type_command("break "),
        Action::Enable => match selected(view, state).as_slice() {
            [] => view.say("no breakpoint under the cursor"),
            ids => {
                let is_on = |id| state.breakpoints.get(id).is_some_and(|breakpoint| breakpoint.request.enabled);
                execute(&format!("{} {}", if ids.iter().any(is_on) { "disable" } else { "enable" }, words(ids)))
            }
        },
        Action::Delete if view.current == ViewId::Variables => undisplay(view, state),
        Action::Delete => match selected(view, state).as_slice() {
            [] => view.say("no breakpoint under the cursor"),
            ids => execute(&format!("delete {}", words(ids))),
        },
        Action::Condition => match breakpoints::at_cursor(state, view) {
            Some((id, breakpoint)) => {
                let now = breakpoint.request.condition.as_deref().unwrap_or("");
                view.type_command(&format!("condition {id} {now}"))
            }
            None => view.say("no breakpoint under the cursor"),
        },
        Action::ShowBreakpoint => show_breakpoint(view, state),
        _ => return None,
    })
}

/// True if the source, or its code, is on the screen.
pub(super) fn shows_source(view: &View, state: &State) -> bool {
    layout_of(view.area, state, view).pane(ViewId::Source).is_some()
}

/// Says why a key about the line under the source cursor does nothing: the line cannot be seen.
pub(super) fn say_hidden(view: &mut View) -> Vec<Effect> {
    let (source, prompt) = (view.keys.first_key(Action::ViewSource), view.keys.first_key(Action::BreakPrompt));
    view.say(&format!("no source shown: {source} goes to it, {prompt} sets a breakpoint by name"))
}

/// The breakpoints at the line or the instruction under the cursor.
fn in_source(view: &View, state: &State) -> Vec<BreakpointId> {
    if view.source.code.shown {
        return code::breakpoints_at_cursor(state, view);
    }
    source::breakpoints_at_cursor(state, view)
}

fn at_cursor(app: &mut App, verb: &str, state: &State) -> Vec<Effect> {
    let place = if app.view.source.code.shown {
        code::address_at_cursor(state, &app.view).map(|address| format!("*{address}"))
    } else {
        source::cursor_location(&app.view)
    };
    match place {
        Some(place) => {
            let line = format!("{verb} {}", quoted(&place));
            // A pending breakpoint set by a key asks the same question as a typed one.
            app.outcomes.keyed(&line);
            execute(&line)
        }
        None => app.view.type_command(&format!("{verb} ")),
    }
}

/// The breakpoint under the cursor of its view, or all on the source line.
fn selected(view: &View, state: &State) -> Vec<BreakpointId> {
    if view.current == ViewId::Breakpoints {
        return breakpoints::at_cursor(state, view).map(|(id, _)| *id).into_iter().collect();
    }
    in_source(view, state)
}

fn words(ids: &[BreakpointId]) -> String {
    ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn show_breakpoint(view: &mut View, state: &State) -> Vec<Effect> {
    let Some((_, breakpoint)) = breakpoints::at_cursor(state, view) else { return Vec::new() };
    let place = breakpoint.sites.iter().find_map(|(_, site)| site.source.clone());
    match place {
        Some(place) => {
            view.source.wanted = Some(place.line);
            view.go_to(ViewId::Source);
            vec![Effect::Look(Gaze { file: Some(place.file), ..gaze_of(state) })]
        }
        None if breakpoint.sites.is_empty() => view.say("the breakpoint is pending: no loaded file has its location"),
        None => view.say("the breakpoint has no source line"),
    }
}

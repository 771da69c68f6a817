//! Actions about the debugger itself.

use super::super::App;
use super::super::questions::ask_quit;
use crate::action::{Action, ViewId};
use crate::effect::{Effect, execute};
use crate::layer::Layer;
use crate::view::View;
use controller::State;
use model::ProcessSet;

pub(super) fn act(app: &mut App, action: Action, state: &State) -> Option<Vec<Effect>> {
    let view = &mut app.view;
    Some(match action {
        Action::RequestAccept => view.accept_request(state),
        Action::RequestReject => view.reject_request(state),
        Action::RequestLater => view.put_off_request(state),
        Action::RequestsClose => view.close_requests(state),
        // These keys are bound only while a page is on top.
        Action::PageClose | Action::PageForward | Action::PageTop => Vec::new(),
        Action::Requests => view.show_requests(state),
        Action::Listen => {
            let always = state.variables.get("reverse-listen") >= 2.0;
            execute(if always { "set reverse-listen 1" } else { "reverse listen on" })
        }
        Action::Prompt => app.open_command(),
        Action::Help => {
            view.layers.push(Layer::Help(0));
            Vec::new()
        }
        Action::Escape => escape(view),
        Action::Redraw => vec![Effect::Redraw],
        Action::Suspend => vec![Effect::Suspend],
        Action::Leave => vec![Effect::Leave],
        Action::Quit => ask_quit(view, app.leaving, state),
        _ => return None,
    })
}

fn escape(view: &mut View) -> Vec<Effect> {
    if view.ranks.anchor.take().is_some() {
        return Vec::new();
    }
    if !view.ranks.marks.is_empty() {
        view.ranks.marks = ProcessSet::new();
    } else if view.current == ViewId::Array && (view.array.condition.is_some() || view.array.sought.is_some()) {
        view.end_array_search();
    } else if view.search.active {
        view.search.active = false;
    } else if view.current == ViewId::Ranks && !view.ranks.zoom.is_empty() {
        view.ranks.zoom.clear();
    } else if view.zoom {
        view.zoom = false;
    } else if matches!(view.current, ViewId::Array | ViewId::Memory) {
        view.middle = ViewId::Source;
        view.go_to(ViewId::Variables);
    }
    Vec::new()
}

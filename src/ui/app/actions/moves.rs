//! Actions that move about.

use super::super::{App, gaze_of};
use super::zooming;
use crate::action::{Action, ViewId};
use crate::effect::Effect;
use crate::layer::{Prompt, PromptKind};
use crate::view::View;
use controller::{Gaze, State};

pub(super) fn act(app: &mut App, action: Action, state: &State) -> Option<Vec<Effect>> {
    Some(match action {
        Action::Up => app.move_by(-1, state),
        Action::Down => app.move_by(1, state),
        Action::HalfUp => app.half_page(-1, state),
        Action::HalfDown => app.half_page(1, state),
        Action::Left => app.sideways(-1, state),
        Action::Right => app.sideways(1, state),
        Action::RankZoomIn => zooming::closer(&mut app.view, state),
        Action::RankZoomOut => zooming::back(&mut app.view, state),
        Action::RankPlane => app.other_plane(1, state),
        Action::RankPlaneBefore => app.other_plane(-1, state),
        Action::LineStart => {
            app.view.scroll_to_line_start(state);
            Vec::new()
        }
        Action::Top => app.go_to_end(false, state),
        Action::Bottom => app.go_to_end(true, state),
        Action::Search if app.view.current == ViewId::Array => app.view.type_condition(),
        Action::Search if app.view.current == ViewId::Memory => super::super::memory::type_address(&mut app.view),
        Action::Search => {
            app.view.open_prompt(Prompt::new(PromptKind::Search, ""));
            Vec::new()
        }
        Action::SearchNext | Action::MatchNext => app.view.search(true, state),
        Action::SearchPrevious | Action::MatchPrevious => app.view.search(false, state),
        Action::SearchEnd if app.view.current == ViewId::Array => {
            app.view.end_array_search();
            Vec::new()
        }
        Action::SearchEnd => {
            app.view.search.active = false;
            Vec::new()
        }
        Action::GoToLine => go_to_line(&mut app.view, state),
        Action::OpenSource => {
            app.view.open_prompt(Prompt::new(PromptKind::Place, ""));
            Vec::new()
        }
        Action::ViewNext => app.view.cycle(true),
        Action::ViewPrevious => app.view.cycle(false),
        Action::Zoom => {
            app.view.zoom = !app.view.zoom;
            Vec::new()
        }
        _ => return None,
    })
}

/// Goes back to the lead rank's current line.
fn go_to_line(view: &mut View, state: &State) -> Vec<Effect> {
    view.source.shown = None;
    view.source.left = 0;
    view.source.code.follow();
    view.source.code.page = 0;
    match state.gaze.file {
        Some(_) => vec![Effect::Look(Gaze { file: None, ..gaze_of(state) })],
        None => Vec::new(),
    }
}

//! Actions about frames, threads and variables.

use super::super::{App, arrays, gaze_of, memory, variables, whole_line};
use crate::action::{Action, ViewId};
use crate::effect::{Effect, execute};
use crate::list::List;
use crate::view::{LibraryFrames, StackForm, View};
use crate::views::ranks::view_state::Density;
use crate::views::stack_rows::Row;
use crate::views::{merged, stack, threads};
use controller::{Gaze, State};

pub(super) fn act(app: &mut App, action: Action, state: &State) -> Option<Vec<Effect>> {
    let view = &mut app.view;
    Some(match action {
        Action::FrameUp => frame(view, state, 1),
        Action::FrameDown => frame(view, state, -1),
        Action::SelectFrame => select_frame(app, state),
        Action::FoldFrames => {
            app.show_libraries(app.view.libraries.other(), state);
            Vec::new()
        }
        Action::SelectThread => select_thread(view, state),
        Action::Expand => view.expand(state),
        Action::Assign => variables::assign(view, state),
        Action::CompareWith => variables::ask_reference(view),
        Action::AsArray => variables::as_array(view, state),
        Action::TakeSnapshot => execute("snapshot"),
        Action::SinceSnapshot => variables::since_snapshot(view, state),
        Action::Print => variables::type_about(view, "print", state),
        Action::Display => variables::type_about(view, "display", state),
        Action::OutputLine => whole_line::of_output(view, state),
        Action::MessageLine => whole_line::of_messages(view),
        Action::OpenArray => arrays::open(view, state),
        Action::ArraySection
        | Action::ArraySectionBefore
        | Action::ArrayAxes
        | Action::ArrayStatistics
        | Action::ArrayReduction
        | Action::ArrayTogether
        | Action::ArrayZoomIn
        | Action::ArrayZoomOut => return arrays::act(view, action, state),
        Action::OpenMemory => memory::open(view, state),
        Action::MemoryType
        | Action::MemoryTypeBefore
        | Action::MemoryNotation
        | Action::MemoryFollow
        | Action::MemoryBack => return memory::act(view, action, state),
        Action::Why => execute("why"),
        Action::Report => execute("report"),
        Action::Mode => mode(app, state),
        Action::MergedStack => {
            view.go_to(ViewId::Stack);
            merged_stack(app, state)
        }
        _ => return None,
    })
}

fn frame(view: &mut View, state: &State, by: i64) -> Vec<Effect> {
    let Some(frames) = state.inspection.stack.value() else { return view.say("no stack") };
    let wanted = i64::from(state.frame()) + by;
    match frames.iter().find(|frame| i64::from(frame.level) == wanted) {
        Some(frame) => vec![Effect::Look(Gaze { frame: Some(frame.level), file: None, ..gaze_of(state) })],
        None if by > 0 => view.say("this is the outermost frame"),
        None => view.say("this is the innermost frame"),
    }
}

fn select_frame(app: &mut App, state: &State) -> Vec<Effect> {
    let view = &app.view;
    if view.chosen_stack.form(&state.focus).is_tree() {
        let rows = merged::rows(state, view);
        let lines = rows.get(view.stack.cursor).map(|row| merged::choosing(row, state, view)).unwrap_or_default();
        return lines.into_iter().map(Effect::Execute).collect();
    }
    match stack::row_at_cursor(state, view) {
        Some(Row::Folded(..)) => {
            app.show_libraries(LibraryFrames::Shown, state);
            Vec::new()
        }
        Some(Row::Frame(frame)) => vec![Effect::Look(Gaze { frame: Some(frame.level), file: None, ..gaze_of(state) })],
        None => Vec::new(),
    }
}

fn select_thread(view: &View, state: &State) -> Vec<Effect> {
    if view.threads_of_focus {
        let rows = threads::rows_of_focus(state);
        let lines = rows.get(view.threads.cursor).map(|row| merged::choosing_threads(&row.threads, row.function()));
        return lines.unwrap_or_default().into_iter().map(Effect::Execute).collect();
    }
    match threads::at_cursor(state, view) {
        Some(thread) => vec![Effect::Look(Gaze { thread: Some(thread.id), ..gaze_of(state) })],
        None => Vec::new(),
    }
}

fn mode(app: &mut App, state: &State) -> Vec<Effect> {
    let view = &mut app.view;
    match view.current {
        ViewId::Ranks => {
            view.ranks.density = view.ranks.density.next();
            let words = match view.ranks.density {
                Density::Automatic => "ranks: as many as fit",
                Density::Numbers => "ranks: number and letter",
                Density::Letters => "ranks: one letter each",
                Density::Together => "ranks: all, several per cell if needed",
            };
            view.say(words)
        }
        ViewId::Output => execute(if state.output_of.is_some() { "output all" } else { "output ." }),
        ViewId::Stack => merged_stack(app, state),
        ViewId::Variables => {
            let shown = &mut view.variables;
            shown.content = shown.content.next();
            shown.list = List::default();
            Vec::new()
        }
        ViewId::Array => {
            view.array.picture = !view.array.picture;
            Vec::new()
        }
        ViewId::Memory => {
            view.memory.switch_form(true);
            Vec::new()
        }
        ViewId::Source => view.toggle_code(),
        ViewId::Threads => {
            view.threads_of_focus = !view.threads_of_focus;
            view.threads = List::default();
            view.say(if view.threads_of_focus {
                "threads: those of the focus, by the calls that they are in"
            } else {
                "threads: those of the lead rank"
            })
        }
        ViewId::Breakpoints | ViewId::Signals | ViewId::Messages => view
            .say("this view has no other mode; ranks, source, stack, variables, output, threads, array and memory do"),
    }
}

fn merged_stack(app: &mut App, state: &State) -> Vec<Effect> {
    let view = &mut app.view;
    let form = view.chosen_stack.advance(&state.focus);
    view.stack = List::default();
    app.seen.forget_frame();
    let words = match form {
        StackForm::Frames => "stack: the frames of the lead rank",
        StackForm::Merged => "stack: one tree of the focus, one thread of each rank",
        StackForm::AllThreads => "stack: one tree of all threads of the focus",
    };
    view.say(words)
}

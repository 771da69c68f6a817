//! A rank that stops for a floating-point exception says which, and is where it happened.

use super::*;
use rankscope::controller::state::{FoldedStack, Lookup, RankTable, ShownVariable, SourceText};
use rankscope::model::{
    BreakpointId, Caught, CodePlace, Datum, FloatException, FloatExceptions, FloatTrap, Frame, MyCode, ProcessState,
    Rank, SourcePlace, Stop, StopReason, ThreadId, Variable, VariableValue,
};
use rankscope::ui::view::StackForm;

const FILE: &str = "/home/me/flux.c";
const SOURCE: &str = "#include \"grid.h\"

/* The flux between two cells. */
static double flux(const struct cell *left, const struct cell *right) {
    double step = right->rho - left->rho;
    return left->v * step / right->rho;
}

void update(struct grid *grid) {
    for (int i = 0; i + 1 < grid->size; i++) {
        grid->flux[i] = flux(&grid->cells[i], &grid->cells[i + 1]);
    }
}
";

fn frame(level: u32, function: &str, mark: &str) -> Frame {
    let line = SOURCE.lines().position(|line| line.contains(mark)).unwrap() as u32 + 1;
    Frame {
        level,
        function: Some(function.into()),
        source: Some(SourcePlace { file: FILE.into(), line }),
        code: CodePlace { module: Some("/home/me/flux".into()), offset: 0x40, address: None },
        inlined: false,
        guessed: false,
        thread: None,
    }
}

fn operand(name: &str, value: f64) -> Variable {
    let data = value.to_be_bytes().to_vec();
    let value = VariableValue::Known(Datum { descriptor: "f8".into(), data, type_name: "double".into() });
    Variable { name: name.to_owned(), value }
}

/// Ranks 6 and 9 of 16 have divided by zero; the others run.
pub fn trapped(width: u16, height: u16) -> (State, App) {
    let mut state = State { ranks: RankTable::new(16), phase: Phase::Live, ..State::default() };
    state.ranks.change(&ProcessSet::all(16), &ProcessState::Running);
    let frames = vec![frame(0, "flux", "left->v *"), frame(1, "update", "flux(&grid")];
    for rank in [6, 9] {
        let trap = FloatTrap {
            exceptions: FloatExceptions::of([FloatException::Zero]),
            instruction: "divsd 0x8(%rsi),%xmm0".to_owned(),
            operands: vec![operand("xmm0", f64::from(rank) / 4.0), operand("memory", 0.0)],
            before: None,
        };
        let stop = Stop {
            reason: StopReason::Caught(BreakpointId(1), Caught::Float(trap)),
            thread: ThreadId(1),
            frame: frames[0].clone(),
            note: None,
            cause: None,
            user: None,
        };
        state.ranks.change(&ProcessSet::range(rank, rank + 1), &ProcessState::Stopped(Box::new(stop)));
    }
    state.focus.set = ProcessSet::all(16);
    state.lead = Rank(6);
    state.inspection.sources.insert(FILE.into(), Lookup::Known(SourceText::new(FILE.into(), SOURCE.into())));
    state.inspection.stack = Lookup::Known(FoldedStack::new(frames, &MyCode::default()));
    let shown = |name: &str, value: f64| {
        let Variable { name, value } = operand(name, value);
        ShownVariable { name, value, changed: false, previous: None }
    };
    state.inspection.locals = Lookup::Known(vec![shown("step", -0.75)]);
    state.inspection.arguments = Lookup::Known(Vec::new());
    let mut app = App::default();
    app.view.chosen_stack.0 = Some(StackForm::Frames);
    (app.view.area.width, app.view.area.height) = (width, height);
    app.settle(&state, Instant::now());
    (state, app)
}

#[test]
fn a_floating_point_exception_is_read_on_the_first_screen() {
    let (state, app) = trapped(100, 24);
    let shown = text(&crate::drawn::screen(&app, &state, &Theme::dark()));
    assert!(shown.contains("! 6,9  ") && shown.contains("division by zero  flux  flux.c:6"), "{shown}");
    assert!(shown.contains("return left->v * step / right->rho;"), "{shown}");
}

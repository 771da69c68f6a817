//! The setting `follow-fork-mode`.

use crate::session::{Kind, Session, all, breakpoint, on_mark};
use rankscope::model::{BreakpointId, BreakpointRequest, Context, Event, Follow, LocationSpec, Operation, RunSettings};
use rankscope::model::{LaunchSpec, StepKind, StopReason};

const FILE: &str = "followed.c";

of_processes!(the_child_is_followed, the_parent_is_kept, a_setting_made_while_stopped_holds_for_the_next_fork);

/// Stopped in `main` with the setting, and a breakpoint that parent and child reach with different arguments.
fn begun(kind: Kind, way: &str, follow: Follow) -> Session {
    let mut session = Session::new(kind);
    let settings = RunSettings { follow, ..RunSettings::default() };
    session.launch(LaunchSpec { settings, ..kind.spec(FILE, &[way, "0"]) }, 1);
    session.stop(0);
    session.break_at(BreakpointRequest {
        condition: Some("n > 1".to_owned()),
        ..breakpoint(1, LocationSpec::Function("visit".to_owned()))
    });
    session
}

/// Continues to the next visit, and checks its argument.
fn visits(session: &mut Session, n: i64) {
    assert_eq!(session.go(0).reason, StopReason::Breakpoint(BreakpointId(1)));
    assert_eq!(session.integer("n"), n);
}

fn the_child_is_followed(kind: Kind) {
    for (way, argument) in [("fork", 4), ("vfork", 6), ("vfork-exec", 30)] {
        let mut session = begun(kind, way, Follow::Child);
        visits(&mut session, argument);
        assert_eq!(session.go_to_end(0), Event::Exited(argument as i32 + 1), "{way}");
    }
}

fn the_parent_is_kept(kind: Kind) {
    for (way, code) in [("fork", 5), ("vfork", 7), ("vfork-exec", 31)] {
        let mut session = begun(kind, way, Follow::Parent);
        visits(&mut session, 40 + code);
        assert_eq!(session.go_to_end(0), Event::Exited(41 + code as i32), "{way}");
    }
}

fn a_setting_made_while_stopped_holds_for_the_next_fork(kind: Kind) {
    let mut session = begun(kind, "fork", Follow::Parent);
    session.break_at(on_mark(2, FILE, "fork"));
    session.go(0);
    let settings = RunSettings { follow: Follow::Child, ..RunSettings::default() };
    session.ok(&all(1), Operation::Configure(settings));
    session.resume(0, Operation::Step { kind: StepKind::Over, count: 1, context: Context::default() });
    assert_eq!(session.integer("child"), 0);
    visits(&mut session, 4);
    assert_eq!(session.go_to_end(0), Event::Exited(5));
}

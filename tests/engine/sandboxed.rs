//! Programs under seccomp(2): the debugger makes no system call in their name that would kill them.

use crate::session::{Kind, Session, all, breakpoint, function_of, on_function};
use crate::support::{build, served::Served};
use rankscope::engine::{Acquisition, Adoption};
use rankscope::model::{
    BreakpointId, BreakpointRequest, Event, LaunchSpec, LocationSpec, Operation, Rank, StepKind, StopAt,
};
use std::process::Command;

of_processes!(
    a_program_that_may_only_read_and_write_goes_on_from_breakpoints,
    a_program_that_is_ended_for_mapping_memory_goes_on_from_breakpoints,
    such_a_process_is_attached_to_and_goes_on_from_breakpoints,
);

const SANDBOXED: &str = "sandboxed.c";

fn goes_on_from_breakpoints(kind: Kind, how: &str) {
    let mut session = Session::new(kind);
    session.launch(kind.spec(SANDBOXED, &[how]), 1);
    session.stops(&all(1));
    session.break_at(on_function(1, "work"));
    for _ in 0..4 {
        assert_eq!(function_of(&session.go(0).frame), "work");
        session.step(0, StepKind::Instruction);
    }
    // Three before the others, and one after them.
    assert_eq!(session.go_to_end(0), Event::Exited((4 + 2 * 26 * 8) % 100));
}

fn a_program_that_may_only_read_and_write_goes_on_from_breakpoints(kind: Kind) {
    goes_on_from_breakpoints(kind, "strict");
}

fn a_program_that_is_ended_for_mapping_memory_goes_on_from_breakpoints(kind: Kind) {
    goes_on_from_breakpoints(kind, "filter");
}

fn such_a_process_is_attached_to_and_goes_on_from_breakpoints(kind: Kind) {
    let path = build::plain(SANDBOXED);
    for how in ["strict", "filter"] {
        let mut served = Served::start_as(Command::new(&path).arg(how));
        let mut session = Session::new(kind);
        let spec = LaunchSpec { program: path.display().to_string(), stop_at: StopAt::Main, ..LaunchSpec::default() };
        let (rank, pid) = (Rank(0), served.pid());
        session.acquire(Acquisition::Attach { rank, pid, spec, adoption: Adoption::Running });
        session.stops(&all(1));
        session.break_at(on_function(1, "work"));
        for _ in 0..3 {
            served.ask('a');
            assert_eq!(function_of(&session.go(0).frame), "work");
            session.ok(&all(1), Operation::Go);
            served.hears('a');
            session.ok(&all(1), Operation::Interrupt);
            session.stop(0);
        }
        session.ok(&all(1), Operation::Detach);
        assert_eq!(session.end(0), Event::Detached);
        served.ask('b');
        served.hears('b');
        assert_eq!(served.ends(), (4 + 2 * 26 * 8 + 4) % 100);
    }
}

/// More locations than fit into the room beside the code: those without room are executed in place.
#[test]
fn breakpoints_at_more_places_than_there_is_room_for_are_all_passed() {
    for how in ["strict", "filter", "none"] {
        let mut session = Session::new(Kind::Native);
        session.launch(Kind::Native.spec(SANDBOXED, &[how]), 1);
        session.stops(&all(1));
        let tens = [0..8, 10..18, 20..28, 30..32];
        let functions: Vec<String> =
            tens.into_iter().flatten().flat_map(|ten| (0..8).map(move |one| format!("work{ten}{one}"))).collect();
        assert_eq!(functions.len(), 26 * 8);
        for (id, function) in (10..).zip(&functions) {
            let never = Some("done < 0".to_owned());
            let request = breakpoint(id, LocationSpec::Function(function.clone()));
            session.break_at(BreakpointRequest { condition: never, ..request });
        }
        session.break_at(on_function(1, "work"));
        for _ in 0..4 {
            assert_eq!(function_of(&session.go(0).frame), "work");
        }
        assert_eq!(session.integer("done"), 3 + 2 * 26 * 8);
        session.ok(&all(1), Operation::DeleteBreakpoint(BreakpointId(1)));
        assert_eq!(session.go_to_end(0), Event::Exited((4 + 2 * 26 * 8) % 100));
    }
}

//! Unusual stacks: without call frame information, overwritten, very deep, through stubs, the linker and the kernel's
//! code.

use crate::session::{Kind, Session, function_of, on_mark};
use crate::support::build::build;
use rankscope::model::{Answer, BreakpointRequest, Event, LaunchSpec, Operation, StepKind};

const FILE: &str = "odd_stacks.c";

of_processes!(
    a_function_without_call_frame_information_has_a_caller,
    an_overwritten_stack_ends,
    a_hundred_thousand_frames_are_counted_and_read_in_parts,
    every_instruction_of_a_call_into_the_kernels_code_has_its_caller,
    every_instruction_of_a_call_that_is_bound_has_its_caller,
);

fn stopped_at(kind: Kind, way: &str, mark: &str, options: &[&str]) -> Session {
    let mut session = Session::new(kind);
    let program = build("gcc", FILE, options).display().to_string();
    session.launch(LaunchSpec { program, arguments: vec![way.to_owned()], ..LaunchSpec::default() }, 1);
    session.stop(0);
    session.break_at(BreakpointRequest { temporary: true, ..on_mark(900, FILE, mark) });
    session.go(0);
    session
}

fn functions(session: &mut Session) -> Vec<String> {
    session.stack(0).iter().map(|frame| function_of(frame).to_owned()).collect()
}

fn a_function_without_call_frame_information_has_a_caller(kind: Kind) {
    let mut session = stopped_at(kind, "", "bottom", &["-g", "-O0"]);
    assert_eq!(functions(&mut session), ["bottom", "bare", "main"]);
    // gdb does not report guessed frames.
    let guessed: Vec<bool> = session.stack(0).iter().map(|frame| frame.guessed).collect();
    assert_eq!(guessed, [false, false, kind == Kind::Native]);
    session.step(0, StepKind::Finish);
    assert_eq!(functions(&mut session), ["bare", "main"]);
}

fn an_overwritten_stack_ends(kind: Kind) {
    let mut session = stopped_at(kind, "overwritten", "overwritten", &["-g", "-O0"]);
    let found = functions(&mut session);
    assert_eq!(found[0], "overwrite");
    assert!(found.len() < 10 && !found.contains(&"main".to_owned()), "{found:?}");
    assert_eq!(session.go_to_end(0), Event::Exited(5));
}

fn a_hundred_thousand_frames_are_counted_and_read_in_parts(kind: Kind) {
    let mut session = stopped_at(kind, "deep", "deepest", &["-g", "-O0"]);
    assert_eq!(session.ask(0, Operation::StackDepth(None)), Answer::Depth(100_002));
    let part = Operation::Stack { thread: None, low: 99_998, high: Some(100_005), most: None };
    let Answer::Stack(frames) = session.ask(0, part) else { panic!() };
    let found: Vec<_> = frames.iter().map(|frame| (frame.level, function_of(frame))).collect();
    assert_eq!(found, [(99_998, "descend"), (99_999, "descend"), (100_000, "descend"), (100_001, "main")]);
}

/// Steps through the instructions of the call, checking that `main` is the last of a few frames; returns their files.
fn walked(session: &mut Session, most: usize) -> Vec<String> {
    let mut files = Vec::new();
    for _ in 0..most {
        session.step(0, StepKind::Instruction);
        let stack = session.stack(0);
        assert_eq!(function_of(stack.last().unwrap()), "main", "{stack:#?}");
        assert!(stack.len() < 12, "{stack:#?}");
        if stack.len() == 1 && !files.is_empty() {
            break;
        }
        if stack.len() > 1 {
            files.extend(stack[0].code.module.as_deref().map(str::to_owned));
        }
    }
    files.dedup();
    files
}

fn every_instruction_of_a_call_into_the_kernels_code_has_its_caller(kind: Kind) {
    let mut session = stopped_at(kind, "", "asks", &["-g", "-O1", "-fomit-frame-pointer", "-Wl,-z,now"]);
    let files = walked(&mut session, 300);
    assert!(files.iter().any(|file| file.contains("libc")), "{files:?}");
    // gdb has no name for the vdso.
    assert!(kind == Kind::Gdb || files.iter().any(|file| file.contains("vdso")), "{files:?}");
}

fn every_instruction_of_a_call_that_is_bound_has_its_caller(kind: Kind) {
    let mut session = stopped_at(kind, "", "asks", &["-g", "-O1", "-fomit-frame-pointer", "-Wl,-z,lazy"]);
    let files = walked(&mut session, 150);
    assert!(files.iter().any(|file| file.contains("ld-linux")), "{files:?}");
}

//! fork, vfork, exec, scripts, late libraries, detaching.

use crate::driver::{Session, await_file, build, compile, line_of, place, request};
use rankscope::model::{
    Answer, BreakpointId, BreakpointRequest, Context, Event, LaunchSpec, LibraryPolicy, Operation, RunSettings,
    StepKind, StopAt, StopReason, Stream,
};
use std::os::unix::fs::PermissionsExt;

const FAMILY: &str = include_str!("../programs/fork_exec.c");

#[test]
fn children_are_let_go_without_our_breakpoints() {
    let program = build(FAMILY, &[]);
    let mut session = Session::launch(&program.path, 1);
    session.stop(0);
    session.breakpoint(0, 1, "both");
    session.go(0);
    let stop = session.stop(0);
    assert_eq!(stop.reason, StopReason::Breakpoint(BreakpointId(1)));
    let Answer::Stack(frames) = session.ask(0, Operation::Stack { thread: None, low: 1, high: Some(1), most: None })
    else {
        panic!()
    };
    assert_eq!(frames[0].source.as_ref().unwrap().line, line_of(FAMILY, "/* parent */"));
    session.go(0);
    assert_eq!(session.end(0), Event::Exited(5 + 7 + 9));
}

const BECOMES: &str = include_str!("../programs/exec_by_thread.c");

const AFTER: &str = include_str!("../programs/executed.c");

#[test]
fn breakpoints_follow_an_exec_by_any_thread() {
    for who in ["main", "thread"] {
        let before = build(BECOMES, &[]);
        let after = before.directory.path().join("after");
        let text = before.directory.path().join("after.c");
        std::fs::write(&text, AFTER).unwrap();
        compile(&text, &after, &[]);
        let mut session = Session::launch_spec(
            1,
            LaunchSpec {
                program: before.path.display().to_string(),
                arguments: vec![after.display().to_string(), who.to_owned()],
                ..LaunchSpec::default()
            },
        );
        assert_eq!(place(&session.stop(0)).0, "main");
        assert_eq!(session.breakpoint(0, 1, "later"), 0);
        session.go(0);
        session.event(0, |event| matches!(event, Event::Executed(path) if path.ends_with("after")));
        session.event(0, |event| matches!(event, Event::BreakpointMoved(BreakpointId(1), sites) if sites.len() == 1));
        let stop = session.stop(0);
        assert_eq!(place(&stop), ("later".to_owned(), line_of(AFTER, "/* later */")));
        assert_eq!(stop.thread.0, 1);
        session.go(0);
        assert_eq!(session.end(0), Event::Exited(42));
    }
}

fn script(directory: &std::path::Path, text: &str) -> String {
    let path = directory.join("script.sh");
    crate::support::build::executable(&path, text.as_bytes());
    path.display().to_string()
}

#[test]
fn a_script_is_run_through_to_the_main_of_what_it_executes() {
    let program = build(AFTER, &[]);
    let text = format!("#!/bin/sh\nX=1\nexport X\nexec {} a b\n", program.path.display());
    let spec = LaunchSpec { program: script(program.directory.path(), &text), ..LaunchSpec::default() };
    let mut session = Session::launch_spec(2, spec);
    for rank in 0..2 {
        let stop = session.stop(rank);
        assert_eq!((stop.reason, place(&session_stop(&session, rank)).0), (StopReason::Start, "main".to_owned()));
        session.go(rank);
        assert_eq!(session.end(rank), Event::Exited(42));
    }
}

fn session_stop(session: &Session, rank: u32) -> rankscope::model::Stop {
    let mut stops = session.all(rank).iter().filter_map(|event| match event {
        Event::Stopped(stop) => Some(stop.clone()),
        _ => None,
    });
    stops.next_back().unwrap()
}

#[test]
fn what_cannot_be_started_says_why() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let write = |name: &str, bytes: &[u8], mode: u32| {
        std::fs::write(path(name), bytes).unwrap();
        std::fs::set_permissions(path(name), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let mut foreign = std::fs::read("/bin/true").unwrap();
    foreign[18] = 183; // AArch64
    write("foreign", &foreign, 0o755);
    write("plain", b"no program\n", 0o755);
    write("orphan", b"#!/no/such/interpreter -x\n", 0o755);
    write("locked", b"#!/bin/sh\n", 0o644);
    for (name, words) in [
        ("missing", "No such file or directory"),
        ("foreign", "another architecture"),
        ("plain", "Exec format error"),
        ("orphan", "/no/such/interpreter"),
        ("locked", "not executable"),
        (".", "is a directory"),
    ] {
        let spec = LaunchSpec { program: path(name).display().to_string(), ..LaunchSpec::default() };
        let mut session = Session::launch_spec(1, spec);
        let Event::Failed(message) = session.end(0) else { panic!("{name}") };
        assert!(message.contains(words) && message.contains(name), "{name}: {message}");
    }
    let mut session =
        Session::launch_spec(1, LaunchSpec { program: "no-such-program-anywhere".into(), ..LaunchSpec::default() });
    assert!(matches!(session.end(0), Event::Failed(message) if message.contains("PATH")));
    let mut session = Session::launch_spec(
        1,
        LaunchSpec { program: "/bin/true".into(), directory: Some("/no/such".into()), ..LaunchSpec::default() },
    );
    assert!(matches!(session.end(0), Event::Failed(message) if message.contains("/no/such")));
}

const LIBRARY: &str = include_str!("../programs/pending_library.c");

const LOADS: &str = include_str!("../programs/pending.c");

#[test]
fn a_pending_breakpoint_comes_with_its_library_each_time() {
    let program = build(LOADS, &["-g", "-O0", "-ldl"]);
    let library = program.directory.path().join("libtwice.so");
    let text = program.directory.path().join("twice.c");
    std::fs::write(&text, LIBRARY).unwrap();
    compile(&text, &library, &["-g", "-shared", "-fPIC"]);
    let mut session = Session::launch_spec(
        1,
        LaunchSpec {
            program: program.path.display().to_string(),
            arguments: vec![library.display().to_string()],
            ..LaunchSpec::default()
        },
    );
    session.stop(0);
    assert_eq!(session.breakpoint(0, 1, "twice"), 0);
    for _ in 0..3 {
        session.go(0);
        session.event(0, |event| matches!(event, Event::BreakpointMoved(BreakpointId(1), sites) if sites.len() == 1));
        let stop = session.stop(0);
        assert_eq!(place(&stop), ("twice".to_owned(), line_of(LIBRARY, "/* twice */")));
        let Answer::Libraries(libraries, _) = session.ask(0, Operation::Libraries) else { panic!() };
        assert!(libraries.iter().any(|library| library.path.ends_with("libtwice.so") && library.debug_information));
        session.ok(0, Operation::Step { kind: StepKind::Finish, count: 1, context: Context::default() });
        let stop = session.stop(0);
        assert_eq!((stop.reason.word(), place(&stop)), ("finished", ("main".into(), line_of(LOADS, "call"))));
    }
    session.go(0);
    assert_eq!(session.end(0), Event::Exited(12));
}

#[test]
fn files_that_went_are_forgotten_and_those_that_came_known_when_the_front_end_has_answered() {
    let program = build(LOADS, &["-g", "-O0", "-ldl"]);
    let library = program.directory.path().join("libtwice.so");
    let text = program.directory.path().join("twice.c");
    std::fs::write(&text, LIBRARY).unwrap();
    compile(&text, &library, &["-g", "-shared", "-fPIC"]);
    let libraries = LibraryPolicy { always: Some(true), ..LibraryPolicy::default() };
    let mut session = Session::launch_spec(
        1,
        LaunchSpec {
            program: program.path.display().to_string(),
            arguments: vec![library.display().to_string()],
            settings: RunSettings { libraries, ..RunSettings::default() },
            ..LaunchSpec::default()
        },
    );
    let knows = |session: &mut Session| {
        let Answer::Libraries(libraries, _) = session.ask(0, Operation::Libraries) else { panic!() };
        libraries.iter().any(|library| library.path.ends_with("libtwice.so"))
    };
    session.stop(0);
    // No breakpoint needs searching: nothing here waits for a search.
    session.go(0);
    for _ in 0..3 {
        session.event(0, |event| matches!(event, Event::LibrariesChanged { loaded, .. } if loaded.len() == 1));
        assert!(!knows(&mut session));
        session.ok(0, Operation::Reevaluate);
        session.event(0, |event| matches!(event, Event::LibrariesChanged { unloaded, .. } if unloaded.len() == 1));
        assert!(knows(&mut session));
        session.ok(0, Operation::Reevaluate);
    }
    assert_eq!(session.end(0), Event::Exited(12));
}

#[test]
fn a_step_goes_through_the_linker_into_a_library() {
    let program_text = "int twice(int);\nint main(void)\n{\n    int n = twice(4); /* call */\n    return n;\n}\n";
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    std::fs::write(path("twice.c"), LIBRARY).unwrap();
    std::fs::write(path("main.c"), program_text).unwrap();
    compile(&path("twice.c"), &path("libtwice.so"), &["-g", "-shared", "-fPIC"]);
    let link = format!("-L{}", directory.path().display());
    let run = format!("-Wl,-rpath,{}", directory.path().display());
    for binding in ["-Wl,-z,lazy", "-Wl,-z,now"] {
        compile(&path("main.c"), &path("main"), &["-g", &link, "-ltwice", &run, binding]);
        let mut session = Session::launch(&path("main"), 1);
        session.stop(0);
        session.ok(0, Operation::Step { kind: StepKind::Into, count: 1, context: Context::default() });
        let stop = session.stop(0);
        assert_eq!(place(&stop), ("twice".to_owned(), line_of(LIBRARY, "/* twice */")), "{binding}");
        session.go(0);
        assert_eq!(session.end(0), Event::Exited(8));
    }
}

#[test]
fn a_rank_that_was_let_go_has_no_breakpoints_in_it() {
    let text = "#include <stdio.h>\nint f(int n)\n{\n    return n + 1;\n}\nint main(void)\n{\n    int n = 0;\n    \
                for (int i = 0; i < 1000; i++)\n        n = f(n);\n    FILE *file = fopen(\"done\", \"w\");\n    \
                fprintf(file, \"%d\", n);\n    fclose(file);\n    rename(\"done\", \"complete\");\n}\n";
    let program = build(text, &[]);
    let mut session = Session::launch_where_it_is(&program);
    session.stop(0);
    session.set(0, BreakpointRequest { ignore: 500, ..request(1, "f") });
    session.go(0);
    session.stop(0);
    session.ok(0, Operation::Detach);
    assert_eq!(session.end(0), Event::Detached);
    let complete = program.directory.path().join("complete");
    await_file(&complete);
    assert_eq!(std::fs::read_to_string(complete).unwrap(), "1000");
}

#[test]
fn a_stripped_program_stops_in_its_main() {
    let program = build(AFTER, &["-O0", "-s"]);
    let mut session = Session::launch(&program.path, 1);
    assert_eq!(session.stop(0).reason, StopReason::Start);
    let Answer::Stack(frames) = session.ask(0, Operation::Stack { thread: None, low: 0, high: None, most: None })
    else {
        panic!()
    };
    assert!(!frames.is_empty());
    session.go(0);
    assert_eq!(session.end(0), Event::Exited(42));
}

#[test]
fn a_program_with_symbols_alone_has_names_and_steps_by_instruction() {
    let program = build(AFTER, &["-O0"]);
    let mut session = Session::launch(&program.path, 1);
    assert_eq!(place(&session.stop(0)).0, "main");
    session.breakpoint(0, 1, "later");
    session.go(0);
    let stop = session.stop(0);
    assert_eq!(place(&stop), ("later".to_owned(), 0));
    let before = stop.frame.code.address;
    session.ok(0, Operation::Step { kind: StepKind::Instruction, count: 2, context: Context::default() });
    let stop = session.stop(0);
    assert!(stop.reason == StopReason::Step && stop.frame.code.address > before);
    session.ok(0, Operation::Step { kind: StepKind::Finish, count: 1, context: Context::default() });
    assert_eq!(place(&session.stop(0)).0, "main");
    session.go(0);
    assert_eq!(session.end(0), Event::Exited(42));
}

#[test]
fn kills_and_ends_race_without_harm() {
    let program = build("int main(int c, char **v)\n{\n    return c;\n}\n", &[]);
    let mut session = Session::launch(&program.path, 24);
    for rank in 0..24 {
        session.stop(rank);
    }
    let all = rankscope::model::ProcessSet::all(24);
    session.ask_all(&all, Operation::Go);
    session.ask_all(&all, Operation::Interrupt);
    session.ask_all(&all, Operation::Terminate);
    for rank in 0..24 {
        // Stopped in between or not, it is gone in the end.
        session.event(rank, |event| matches!(event, Event::Exited(1) | Event::Killed(_)));
    }
    session.shutdown(true);
}

#[test]
fn a_rank_need_not_stop_and_its_output_is_whole() {
    let text = "#include <stdio.h>\nint main(void)\n{\n    for (int i = 0; i < 20000; i++)\n        printf(\"line %d\\n\", i);\n\
                fprintf(stderr, \"no end\");\n    return 3;\n}\n";
    let program = build(text, &[]);
    let program = program.path.display().to_string();
    let mut session =
        Session::launch_spec(2, LaunchSpec { program, stop_at: StopAt::Nowhere, ..LaunchSpec::default() });
    for rank in 0..2 {
        assert_eq!(session.end(rank), Event::Exited(3));
        let written = |wanted: Stream| -> String {
            let parts = session.all(rank).iter().filter_map(|event| match event {
                Event::Output(stream, text) if *stream == wanted => Some(text.as_str()),
                _ => None,
            });
            parts.collect()
        };
        let expected: String = (0..20000).map(|i| format!("line {i}\n")).collect();
        assert!(written(Stream::Stdout) == expected);
        assert_eq!(written(Stream::Stderr), "no end");
        assert_eq!(session.all(rank).last(), Some(&Event::Exited(3)));
    }
}

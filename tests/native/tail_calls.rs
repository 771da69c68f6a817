//! Functions that ended in a tail call appear in the stack, as in gdb.

use crate::beside_gdb::Beside;
use crate::driver::{Session, build, build_by, line_of};
use rankscope::model::{Answer, Operation};

const SOURCE: &str = include_str!("../programs/tailing.c");

#[test]
fn frames_that_were_given_up_are_those_gdb_finds() {
    for level in ["-O1", "-O2", "-O3"] {
        for version in ["-gdwarf-4", "-gdwarf-5"] {
            let program = build(SOURCE, &[version, level]);
            let mut beside = Beside::at(&program.path, &format!("program.c:{}", line_of(SOURCE, "/* stop */")));
            beside.stack();
            let frames = if level == "-O1" { 5 } else { 4 };
            for frame in 0..frames {
                beside.select_frame(frame);
                beside.print(&["n", "sink"]);
            }
            beside.go_on();
            beside.stack();
            beside.judge();
        }
    }
}

#[test]
fn overloads_that_give_their_frames_up_for_each_other() {
    const OVERLOADS: &str = include_str!("../programs/tailing_overloads.cpp");
    // In DWARF 5 the other compiler records the jump's address in a form that gdb 13 ignores.
    for (compiler, version) in [("g++", "-gdwarf-5"), ("clang++", "-gdwarf-4")] {
        let program = crate::support::build::build(compiler, "tailing_overloads.cpp", &[version, "-O2"]);
        let mut beside = Beside::at(&program, &format!("tailing_overloads.cpp:{}", line_of(OVERLOADS, "/* stop */")));
        beside.stack();
        let Answer::Stack(frames) =
            beside.session.ask(0, Operation::Stack { thread: None, low: 0, high: None, most: None })
        else {
            panic!("no stack");
        };
        let lines: Vec<u32> = frames.iter().filter_map(|frame| Some(frame.source.as_ref()?.line)).collect();
        assert_eq!(frames.len(), 4, "{lines:?}");
        beside.judge();
    }
}

/// gdb shows none of these: compilers do not describe calls through a table.
#[test]
fn functions_of_a_table_that_give_their_frames_up_are_shown() {
    const TABLE: &str = include_str!("../programs/tailing_table.c");
    for (compiler, version) in [("gcc", "-gdwarf-5"), ("clang", "-gdwarf-4")] {
        let program = build_by(compiler, TABLE, &[version, "-O2"]);
        let mut session = Session::launch(&program.path, 1);
        session.stop(0);
        session.breakpoint(0, 1, &format!("program.c:{}", line_of(TABLE, "/* stop */")));
        for function in ["twice", "thrice"] {
            session.go(0);
            session.stop(0);
            let Answer::Stack(frames) =
                session.ask(0, Operation::Stack { thread: None, low: 0, high: None, most: None })
            else {
                panic!("no stack");
            };
            let names: Vec<&str> = frames.iter().filter_map(|frame| frame.function.as_deref()).collect();
            assert_eq!(names, ["leaf", function, "main"], "{compiler}");
            let line = frames[1].source.as_ref().map(|source| source.line);
            assert_eq!(line, Some(line_of(TABLE, &format!("/* {function} */"))), "{compiler}");
        }
        session.go(0);
        session.end(0);
    }
}

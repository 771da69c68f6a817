//! A base dialect client drives the real master at the level of bytes, over simulated and real ranks.

use crate::support::base_client::{Bench, packet};
use crate::support::build::build;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn the_session_of_the_page_on_simulated_ranks() {
    the_session_of_the_page(Bench::new(&[]));
}

#[test]
fn the_session_of_the_page_on_real_ranks() {
    let program = build("cc", "point.c", &["-g", "-O0"]);
    the_session_of_the_page(Bench::on(&program, "native", &[]));
}

/// The options of the classical server choose the engine.
#[test]
fn the_session_of_the_page_over_gdb_by_the_classical_options() {
    let program = build("cc", "point.c", &["-g", "-O0"]);
    let gdb = crate::support::process::in_path("gdb");
    let path = format!("--debugger_path={}", gdb.display());
    the_session_of_the_page(Bench::with(&program, &["--debugger=gdb-mi", &path]));
}

fn the_session_of_the_page(mut bench: Bench) {
    bench.start();
    bench
        .link
        .write_all(
            b"0000007e 0003:00000002:00000009 00000004:4:0f 00000001:1 00000001:0 00000001:0 00000000: 00000004:work \
              00000000: 00000001:0 00000001:0",
        )
        .unwrap();
    let set = bench.hear();
    assert!(
        set.contains(" 0068:00000002:0000000c 00000004:4:0f 00000001:1 00000001:1 00000001:0 00000001:0 "),
        "{set}"
    );
    assert!(set.contains("00000004:work") && set.contains(" 00000002:15 00000001:0"), "{set}");

    bench.link.write_all(b"00000025 000a:00000003:00000001 00000004:4:0f").unwrap();
    // The page's Suspend, in as many parts as groups of ranks arrive.
    let (stops, others) = bench.hear_run(3, 113, 0x0f, true);
    for stop in stops {
        let head = "0000005c 0071:00000003:00000006 00000004:4:0";
        let rest = " 00000001:0 00000001:1 00000001:1 00000001:2 00000001:0";
        assert!(stop.starts_with(head) && stop.ends_with(rest), "{stop}");
    }
    assert!(others.is_empty(), "{others:?}");

    bench.link.write_all(b"00000030 0010:00000010:00000002 00000004:4:0f 00000001:p").unwrap();
    assert_eq!(
        bench.hear(),
        "0000008e 006a:00000010:00000005 00000004:4:0f 0000001b:{point|x=is4,y=f8,tag=c;;;} \
         0000001a:0000000B400400000000000071 0000000c:struct point 00000000:"
    );
    bench.say(16, 28, &["4:01", "nosuchvar"]);
    let error = bench.hear();
    assert!(error.contains(" 0070:0000001c:00000003 00000004:4:01 00000002:39 "), "{error}");
    assert!(error.contains("nosuchvar"), "{error}");
    bench.link.write_all(b"00000017 0000:00000005:00000000").unwrap();
    bench.end();
}

#[test]
fn stepping_looking_and_running_to_the_end() {
    steps_looks_and_runs_to_the_end(Bench::new(&["--ranks-per-server", "2"]));
}

#[test]
fn stepping_looking_and_running_to_the_end_over_gdb() {
    let program = build("cc", "point.c", &["-g", "-O0"]);
    steps_looks_and_runs_to_the_end(Bench::with(&program, &["--debugger=gdb-mi", "--ranks-per-server", "2"]));
}

fn steps_looks_and_runs_to_the_end(mut bench: Bench) {
    bench.say(10, 1, &["4:0f"]);
    assert!(bench.hear().contains(" 00000004:4:0f 00000001:8 "), "a Go before StartSession is no Error 8");
    bench.start();
    // A temporary breakpoint: OK, and a hit is a Suspend with reason 3 and a frame.
    bench.say(2, 2, &["4:0f", "7", "1", "0", "point.c", "17", "", "0", "0"]);
    assert_eq!(bench.hear(), packet(111, 2, &["4:0f"]));
    bench.say(10, 3, &["4:0f"]);
    let (stops, others) = bench.hear_run(3, 113, 0x0f, true);
    assert!(
        stops.iter().all(|stop| stop.contains(" 00000001:3 00000001:0 ")) && others.is_empty(),
        "{stops:?} {others:?}"
    );
    // One rank steps.
    bench.say(11, 4, &["4:02", "1", "1"]);
    let (steps, _) = bench.hear_run(4, 113, 0x02, true);
    assert!(steps[0].contains("00000004:4:02 00000001:2 00000001:0 "), "{steps:?}");
    bench.say(18, 5, &["4:01"]);
    assert_eq!(bench.hear(), packet(108, 5, &["4:01", "2", "i", "sum"]));
    bench.say(23, 6, &["4:0f"]);
    assert_eq!(bench.hear(), packet(116, 6, &["4:0f", "2"]));
    bench.say(15, 7, &["4:0f", "1"]);
    assert_eq!(bench.hear(), packet(111, 7, &["4:0f"]));
    bench.say(18, 8, &["4:01"]);
    assert!(bench.hear().contains("00000005:total"), "the frame of main has no total");
    // An empty set gets an error, not silence.
    bench.say(10, 9, &["4:00"]);
    assert!(bench.hear().contains(" 0070:00000009:00000003 00000004:4:00 00000002:36 "));
    bench.say(99, 10, &[]);
    assert!(bench.hear().contains(" 0070:0000000a:00000003 00000004:4:0f 00000001:1 "));
    bench.say(10, 11, &["4:0f"]);
    let (ends, output) = bench.hear_run(11, 102, 0x0f, true);
    assert!(ends.iter().all(|end| end.ends_with(" 00000001:0 00000001:0")), "{ends:?}");
    let is_output = |text: &String| text.contains(" 006e:0000000b:") && text.ends_with("total 33\n");
    assert!(output.iter().all(is_output) && !output.is_empty(), "{output:?}");
    bench.say(0, 12, &[]);
    bench.end();
}

#[test]
fn a_breakpoint_on_main_is_where_the_first_go_arrives() {
    let program = build("cc", "point.c", &["-g", "-O0"]);
    for mut bench in [Bench::new(&[]), Bench::on(&program, "native", &[])] {
        bench.start();
        bench.say(3, 2, &["4:0f", "1", "0", "0", "", "main", "", "0", "0"]);
        assert!(bench.hear().contains(" 0068:00000002:"));
        bench.say(10, 3, &["4:0f"]);
        let (stops, _) = bench.hear_run(3, 113, 0x0f, true);
        assert!(stops.iter().all(|stop| stop.contains(" 00000001:0 00000001:1 00000001:1 ")), "{stops:?}");
        bench.say(10, 4, &["4:0f"]);
        let (ends, _) = bench.hear_run(4, 102, 0x0f, true);
        assert!(ends.iter().all(|end| end.ends_with(" 00000001:0 00000001:0")), "{ends:?}");
        bench.say(0, 5, &[]);
        bench.end();
    }
}

#[test]
fn running_ranks_are_interrupted() {
    let mut bench = Bench::on(Path::new("fake:spin"), "fake", &[]);
    bench.start();
    bench.say(10, 2, &["4:0f"]);
    assert_eq!(bench.hear(), packet(111, 2, &["4:0f"]));
    bench.say(13, 3, &["4:0f"]);
    let (stops, _) = bench.hear_run(3, 113, 0x0f, false);
    assert!(stops.iter().all(|stop| stop.contains(" 00000001:1 00000006:SIGINT ")), "{stops:?}");
    bench.say(12, 4, &["4:0f"]);
    let (ends, _) = bench.hear_run(4, 102, 0x0f, true);
    assert!(ends.iter().all(|end| end.contains(" 00000001:1 00000007:SIGKILL ")), "{ends:?}");
    bench.say(0, 5, &[]);
    bench.end();
}

#[test]
fn a_program_that_is_not_there_is_an_error_of_the_start() {
    for engine in ["fake", "native"] {
        let mut bench = Bench::on(Path::new("/nowhere/none.c"), engine, &[]);
        bench.say(1, 1, &["none.c", "/nowhere", "/"]);
        let (errors, _) = bench.hear_run(1, 112, 0x0f, false);
        assert!(errors.iter().all(|error| error.contains("/nowhere/none.c")), "{errors:?}");
        // Another program may be tried.
        let program = match engine {
            "fake" => PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/point.c")),
            _ => build("cc", "point.c", &["-g", "-O0"]),
        };
        bench.say(1, 2, &[program.to_str().unwrap(), "", "/"]);
        assert_eq!(bench.hear(), packet(111, 2, &["4:0f"]));
        bench.say(0, 3, &[]);
        bench.end();
    }
}

#[test]
fn garbage_is_answered_and_ends_everything() {
    let mut bench = Bench::new(&[]);
    bench.start();
    bench.link.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    let said = bench.hear();
    assert!(said.contains(" 0001:00000000:") && said.contains("messageLevel=FATAL"), "{said}");
    bench.end();
}

#[test]
fn a_client_that_vanishes_leaves_nothing() {
    let mut bench = Bench::new(&[]);
    bench.start();
    bench.link.shutdown(std::net::Shutdown::Write).unwrap();
    bench.end();
}

#[test]
fn beyond_the_loopback_interface_only_when_told() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope-sdm"));
    command.args(["--master", "--port", "0", "--ranks", "1", "--listen", "0.0.0.0", "--engine", "fake"]);
    let output = command.output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && words.contains("add --plain"), "{words}");
}

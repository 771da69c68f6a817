//! Sessions that outlive their front ends: killed in the middle of anything, left, taken over, resumed.

use crate::support::batch::Place;
use crate::support::live::Live;
use crate::support::wait::wait_for;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _, symlink};
use std::time::{Duration, SystemTime};

const DEMO: &[&str] = &["demo", "-n", "4", "--simulate"];

/// Sets up a session before anything runs.
fn set_up(live: &mut Live, function: &str) {
    live.until_stopped("0-3");
    let line = format!("break {function}");
    for line in [
        &line,
        "tbreak nowhere.c:7",
        "delete 2",
        "group even = 0-2:2",
        "set print-elements 20",
        "alias pp = print",
        "handle SIGUSR1 nostop noprint pass",
    ] {
        assert!(live.run(line).iter().all(|object| object["type"] != "error"), "{line}");
    }
}

/// A finished command's changes may still be on the way to the master; the answer to a later query shows that they have
/// arrived.
fn arrived(live: &mut Live) {
    live.run("where");
}

/// Everything that a user can see of a session.
fn seen(live: &mut Live) -> Vec<Value> {
    let lines = [
        "status",
        "breakpoints",
        "groups",
        "show",
        "alias",
        "focus",
        "signals SIGUSR1",
        "where",
        "[all] where",
        "[even] focus",
        "break nowhere.c:8",
    ];
    let told = lines.iter().flat_map(|line| live.run(line)).filter(|object| object["type"] != "output");
    told.map(without_pointers).collect()
}

/// Where the heap of an MPI begins differs from start to start, and with it the arguments that point into it.
fn without_pointers(object: Value) -> Value {
    match object {
        Value::Object(members) => {
            let is_pointer = |name: &str, value: &Value| {
                name == "value" && value.as_str().is_some_and(|value| value.starts_with("0x"))
            };
            let kept = members.into_iter().filter(|(name, value)| !is_pointer(name, value));
            Value::Object(kept.map(|(name, value)| (name, without_pointers(value))).collect())
        }
        Value::Array(elements) => Value::Array(elements.into_iter().map(without_pointers).collect()),
        other => other,
    }
}

/// The line at which the ranks are.
fn line_of(status: &[Value]) -> Value {
    status.iter().find(|object| object["type"] == "status").unwrap()["groups"][0]["line"].clone()
}

fn resume(place: &Place) -> Live {
    let mut live = Live::start(place, &["resume"]);
    // A script that resumes a session gets its state without asking.
    live.until("the state of the session", |object| object["type"] == "status");
    live
}

/// A session whose front end survives, and one whose front ends are killed all the time, get the same commands.
fn survives(start: &[&str], function: &str) {
    let place = Place::new();
    let mut live = Live::start(&place, start);
    set_up(&mut live, function);
    for line in ["go", "wait for 20", "focus all - 3", "next", "next"] {
        let said = live.run(line);
        assert!(said.iter().all(|object| object["type"] != "error"), "{line}: {said:?}");
    }
    let expected = seen(&mut live);
    assert_eq!(live.end(), 0);
    place.until_empty();

    let mut live = Live::start(&place, start);
    set_up(&mut live, function);
    arrived(&mut live);
    live.kill();
    let mut live = resume(&place);
    // The stops are on their way.
    live.say("go");
    live.until("running ranks", |object| object["type"] == "running" || object["type"] == "done");
    live.kill();
    let mut live = resume(&place);
    live.run("wait for 20");
    live.run("focus all - 3");
    arrived(&mut live);
    for _ in 0..2 {
        let before = line_of(&live.run("[.] status"));
        // This may or may not arrive before the end.
        live.say("next");
        live.kill();
        live = resume(&place);
        // This query comes after it: ranks that shall step do so by then, and are waited for.
        arrived(&mut live);
        live.run("wait for 20");
        if line_of(&live.run("[.] status")) == before {
            live.run("next");
        }
    }
    // The answers are on their way.
    live.say("where");
    live.kill();
    for _ in 0..3 {
        resume(&place).kill();
    }
    let mut live = resume(&place);
    assert_eq!(seen(&mut live), expected);
    live.run("[all] kill");
    live.run("quit");
    live.end();
    place.until_empty();
}

#[test]
fn a_front_end_that_is_killed_takes_nothing_along() {
    survives(DEMO, "kernel");
}

#[test]
fn nor_does_one_of_real_ranks() {
    survives(&["demo", "-n", "4", "--ranks-per-server", "2"], "relax");
}

#[test]
fn nor_does_one_of_a_job() {
    let program = crate::support::build::build("mpicc.mpich", "mpi_particles.c", &["-g", "-O0"]);
    survives(
        &["run", "mpirun.mpich", "-genv", "UCX_NET_DEVICES", "lo", "-n", "4", program.to_str().unwrap()],
        "sum_sq",
    );
}

#[test]
fn a_session_is_listed_refused_and_taken() {
    let place = Place::new();
    assert_eq!(place.ask(&["sessions"]).expect(0).text, "no sessions\n");
    let nothing = place.ask(&["resume", "--batch", "-"]).expect(2);
    assert!(nothing.errors.contains("no session to resume"), "{}", nothing.errors);

    let mut first = Live::start(&place, DEMO);
    let session = first.until("the session", |object| object["type"] == "session").pop().unwrap();
    first.until_stopped("0-3");
    let name = session["session"].as_str().unwrap();
    let listed = place.ask(&["sessions", "--json"]).expect(0).objects();
    assert_eq!((listed.len(), &listed[0]["session"], &listed[0]["attended"]), (1, &name.into(), &true.into()));

    let refused = place.ask(&["resume", name, "--batch", "-"]).expect(4);
    assert!(refused.errors.contains("another front end is connected to this session"), "{}", refused.errors);
    assert!(refused.errors.contains("--take"), "{}", refused.errors);
    first.run("break kernel");

    let mut second = Live::start(&place, &["resume", "--take", name]);
    second.until("the state of the session", |object| object["type"] == "status");
    first.until("who has it now", |object| object["message"].as_str().is_some_and(|words| words.contains("took over")));
    assert_eq!(first.end(), 1);
    assert_eq!(second.run("breakpoints").len(), 1);

    // A script that resumed a session leaves it as it is.
    assert_eq!(second.end(), 0);
    let free = || place.ask(&["sessions"]).expect(0).text.contains("free").then_some(());
    wait_for("the session to be free", free);
    let mut third = Live::start(&place, &["resume"]);
    assert_eq!(third.run("breakpoints").iter().filter(|object| object["type"] == "breakpoint").count(), 1);
    third.run("quit");
    assert_eq!(third.end(), 0);
    place.until_empty();
}

#[test]
fn a_script_that_a_signal_ends_says_what_becomes_of_the_job() {
    let place = Place::new();
    let mut first = Live::start(&place, DEMO);
    let session = first.until("the session", |object| object["type"] == "session").pop().unwrap();
    first.until_stopped("0-3");
    first.kill();
    let name = session["session"].as_str().unwrap();
    // One that leaves the session as it is, then one that ends it.
    let lives_on = format!("the job is still running as session {name}; to take it back: rankscope resume {name}");
    for (arguments, signal, status, words) in [
        (&["resume", "--batch", "-"][..], Signal::SIGTERM, 143, ["rankscope: SIGTERM", &*lives_on]),
        (&["resume", "--batch", "-"], Signal::SIGHUP, 129, ["rankscope: SIGHUP", &*lives_on]),
        (&["demo", "-n", "2", "--simulate", "--batch", "-"], Signal::SIGTERM, 143, ["SIGTERM", "killing its job"]),
    ] {
        let mut process = place.start(arguments);
        let mut out = BufReader::new(process.0.stdout.take().unwrap());
        assert!(out.read_line(&mut String::new()).unwrap() > 0);
        kill(Pid::from_raw(process.0.id() as i32), signal).unwrap();
        let mut errors = String::new();
        process.0.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert_eq!(process.wait().code(), Some(status), "{errors}");
        assert!(words.iter().all(|words| errors.contains(words)), "{errors}");
    }
    let mut last = resume(&place);
    last.run("quit");
    assert_eq!(last.end(), 0);
    place.until_empty();
}

#[test]
fn what_was_written_while_nobody_looked_is_shown_and_the_end_is_known() {
    let place = Place::new();
    let mut live = Live::start(&place, DEMO);
    live.until_stopped("0-3");
    live.say("go");
    live.until("running ranks", |object| object["type"] == "running" || object["type"] == "done");
    live.kill();
    let mut live = Live::start(&place, &["resume"]);
    live.run("wait exited for 20");
    let states = live.run("status");
    assert_eq!(line_of(&states), Value::Null);
    live.kill();
    let mut live = Live::start(&place, &["resume"]);
    let told = live.until("the first line", |object| object["type"] == "output");
    let text = told.last().unwrap()["text"].as_str().unwrap();
    assert!(text.starts_with("iteration 0"), "{text}");
    live.run("quit");
    live.end();
    place.until_empty();
}

/// More lines than are kept, but not so many that some are dropped on the way.
const LINES: usize = 20_000;

#[test]
fn of_too_much_that_was_written_while_nobody_looked_the_last_is_shown_and_the_rest_counted() {
    let place = Place::new();
    let program = crate::support::build::plain("flood.c");
    let lines = LINES.to_string();
    let mut live = Live::start(&place, &["run", "-n", "1", "--", program.to_str().unwrap(), &lines]);
    live.until("the first stop", |object| object["type"] == "stopped");
    live.say("go");
    live.until("the beginning", |object| object["type"] == "output");
    live.kill();
    let mut next = resume(&place);
    next.run("wait exited for 20");
    next.kill();

    let mut last = Live::start(&place, &["resume"]);
    let is_end = |text: &str| text.contains(&format!("line {} ", LINES - 1));
    let told = last.until("the last line", |object| object["text"].as_str().is_some_and(is_end));
    let text: String = told
        .iter()
        .filter(|object| object["type"] == "output")
        .map(|object| object["text"].as_str().unwrap())
        .collect();
    let messages = told.iter().filter_map(|object| object["message"].as_str());
    let dropped: usize = messages
        .filter_map(|words| {
            words.strip_prefix("dropped ")?.strip_suffix(" bytes of older output and messages")?.parse::<usize>().ok()
        })
        .sum();
    let written: usize = (0..LINES).map(|line| format!("line {line} {:0120}\n", 0).len()).sum();
    assert_eq!(dropped + text.len(), written);
    last.run("quit");
    last.end();
    place.until_empty();
}

#[test]
fn a_session_that_nobody_wants_ends() {
    let place = Place::new();
    let mut live = Live::start(&place, DEMO);
    live.until_stopped("0-3");
    live.run("set linger 0");
    arrived(&mut live);
    live.kill();
    // Ranks are alive: it stays.
    let mut live = resume(&place);
    live.run("go");
    live.run("wait exited for 20");
    live.kill();
    place.until_empty();
    assert_eq!(place.ask(&["sessions"]).expect(0).text, "no sessions\n");
}

#[test]
fn what_is_set_for_a_program_is_kept_for_its_next_session() {
    let place = Place::new();
    let program = crate::support::build::plain("relay.c");
    let program = program.to_str().unwrap();
    let script = "break work if n > 2\n[1] tbreak main\ndisable 2\ngroup odd = 1\ndisplay rank\nsave\n";
    let saved = place.run(&["run", "--batch", "-", "-n", "2", program], script).expect(0);
    let of = |outcome: &crate::support::batch::Outcome| {
        let text = outcome.text.lines().filter(|line| line.contains("relay.c") && line.contains("break"));
        text.map(str::to_owned).collect::<Vec<_>>()
    };
    let again =
        place.run(&["run", "--batch", "-", "-n", "2", program], "source\nbreakpoints\ngroups\ndisplay\n").expect(0);
    assert_eq!(of(&saved).len(), 3, "{}", saved.text);
    let listed = of(&again);
    for line in of(&saved) {
        assert!(listed.contains(&line), "{line}\n{}", again.text);
    }
    assert!(again.text.contains("[1] odd") && again.text.contains("rank = 0"), "{}", again.text);
    let other = crate::support::build::plain("crash.c");
    let none = place.run(&["run", "--batch", "-", "-n", "2", other.to_str().unwrap()], "source\n").expect(1);
    assert!(none.text.contains("cannot read"), "{}", none.text);
}

#[test]
fn a_session_whose_master_was_killed_is_listed_as_stale_until_it_is_cleaned_away() {
    let place = Place::new();
    let begin = || {
        let mut live = Live::start(&place, DEMO);
        let session = live.until("the session", |object| object["type"] == "session").pop().unwrap();
        live.until_stopped("0-3");
        (live, session["session"].as_str().unwrap().to_owned())
    };
    let ((dead, gone), (mut alive, stays)) = (begin(), begin());
    let listed = place.ask(&["sessions", "--json"]).expect(0);
    assert_eq!((listed.objects().len(), listed.errors.as_str()), (2, ""));
    let objects = listed.objects();
    let master = objects.iter().find(|object| object["session"] == gone.as_str()).unwrap()["master"].as_i64();
    kill(Pid::from_raw(master.unwrap() as i32), Signal::SIGKILL).unwrap();
    assert_eq!(dead.ends(), 1);
    let exists = |name: &str| place.path().join("rankscope").join(name).exists();
    assert!(exists(&gone), "what a crash leaves is there to be looked at");
    let is_stale = |object: &Value| object["stale"].as_bool().unwrap();
    let listed = wait_for("the servers to be gone", || {
        let told = place.ask(&["sessions", "--json"]).expect(0);
        Some(told).filter(|told| told.objects().iter().any(is_stale))
    });
    let objects = listed.objects();
    let stale: Vec<_> = objects.iter().filter(|object| is_stale(object)).collect();
    assert_eq!((objects.len(), stale.len(), stale[0]["session"].as_str()), (2, 1, Some(gone.as_str())));
    assert!(listed.errors.contains("rankscope sessions --clean"), "{}", listed.errors);
    // Listing changes nothing.
    let text = place.ask(&["sessions"]).expect(0).text;
    assert!(text.contains(&format!("{gone}  ")) && text.contains("stale: its master was killed"), "{text}");
    assert!(exists(&gone) && exists(&stays));
    let cleaned = place.ask(&["sessions", "--clean"]).expect(0).text;
    assert!(
        cleaned.starts_with(&format!("removed stale session {gone} (")) && cleaned.lines().count() == 1,
        "{cleaned}"
    );
    assert!(!exists(&gone) && exists(&stays));
    assert_eq!(place.ask(&["sessions"]).expect(0).errors, "");
    assert_eq!(place.ask(&["sessions", "--clean"]).expect(0).text, "no stale sessions\n");
    alive.run("quit");
    assert_eq!(alive.end(), 0);
    place.until_empty();
}

/// An attack by another user at `/tmp/rankscope-UID`: a link to one of our directories.
#[test]
fn sessions_behind_a_link_are_neither_listed_nor_removed() {
    let place = Place::new();
    let home = place.path().join("home");
    let private = home.join("private");
    for directory in [&home, &private] {
        fs::DirBuilder::new().mode(0o700).create(directory).unwrap();
    }
    let key = private.join("key");
    fs::write(&key, [7; 32]).unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    let old = SystemTime::now() - Duration::from_secs(3600);
    fs::File::options().write(true).open(&key).unwrap().set_modified(old).unwrap();
    let base = place.path().join("rankscope");
    symlink(&home, &base).unwrap();
    for words in [&["sessions"][..], &["sessions", "--clean"], &["resume", "private", "--batch", "-"]] {
        let outcome = place.ask(words);
        assert!(outcome.status != 0 && outcome.errors.contains("symbolic links"), "{outcome:?}");
    }
    // Without the link it still belongs to another user.
    fs::remove_file(&base).unwrap();
    fs::rename(&home, &base).unwrap();
    assert_eq!(place.ask(&["sessions"]).expect(0).text, "no sessions\n");
    assert_eq!(place.ask(&["sessions", "--clean"]).expect(0).text, "no stale sessions\n");
    assert!(base.join("private/key").exists());
}

#[test]
fn every_file_of_a_session_is_closed_to_others() {
    let place = Place::new();
    let program = crate::support::build::build("mpicc.mpich", "mpi_particles.c", &["-g", "-O0"]);
    // The hosts of other tests come and go as network devices of this one, which UCX would look at.
    let launcher = ["run", "mpirun.mpich", "-genv", "UCX_NET_DEVICES", "lo", "-n", "2", program.to_str().unwrap()];
    let mut live = Live::start(&place, &launcher);
    live.until_stopped("0-1");
    let session = fs::read_dir(place.path().join("rankscope")).unwrap().next().unwrap().unwrap().path();
    let modes = fs::read_dir(session).unwrap().map(|entry| {
        let entry = entry.unwrap();
        (entry.file_name().into_string().unwrap(), entry.metadata().unwrap().permissions().mode() & 0o777)
    });
    let modes: BTreeMap<String, u32> = modes.collect();
    for name in ["key", "session.json", "session.mark", "join.json", "server-0.pid", "server-0.lock", "master.sock"] {
        assert!(modes.contains_key(name), "{name}: {modes:?}");
    }
    assert!(modes.values().all(|mode| *mode == 0o600), "{modes:?}");
    live.run("[all] kill");
    live.run("quit");
    live.end();
    place.until_empty();
}

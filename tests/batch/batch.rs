//! Scripts on the real binaries, on simulated and on real processes.

use crate::support::batch::{Outcome, Place, RELAY, json, relay as fake};
use serde_json::json;

#[track_caller]
fn native(script: &str) -> Outcome {
    let program = crate::support::build::plain("relay.c");
    json(&["-n", "4"], &[program.to_str().unwrap()], script)
}

/// The life of a job: the same on every engine.
fn whole_life(run: impl Fn(&str) -> Outcome) {
    let script = "break work\ngo\nwait\nwhere\nprint c[1].t\nprint n\nargs\nfinish\n[0] next\nstatus\ndelete 1\ngo\nwait exited\n";
    let outcome = run(script).expect(0);
    let (work, call) =
        (crate::support::marks::line("relay.c", "work") - 2, crate::support::marks::line("relay.c", "call"));

    let session = &outcome.of("session")[0];
    assert_eq!(session["ranks"], "0-3");
    assert_eq!(session["hosts"].as_object().unwrap().values().collect::<Vec<_>>(), ["0-3"]);
    assert_eq!(outcome.ranks("stopped", "reason", "start"), "0-3");
    let breakpoint = &outcome.of("breakpoint")[0];
    assert_eq!(
        (&breakpoint["id"], &breakpoint["location"], &breakpoint["enabled"]),
        (&json!(1), &json!("work"), &json!(true))
    );
    assert_eq!(breakpoint["sites"][0]["line"], work);
    assert!(breakpoint["sites"][0]["address"].as_str().unwrap().starts_with("0x"));

    let hits: Vec<_> = outcome.of("stopped").into_iter().filter(|stop| stop["breakpoint"] == 1).collect();
    assert!(hits.iter().all(|stop| stop["function"] == "work" && stop["line"] == work && stop["thread"] == 1));
    assert_eq!(outcome.ranks("stopped", "reason", "breakpoint"), "0-3");

    let stacks = outcome.of("stack");
    assert_eq!(stacks.len(), 1, "equal stacks are one");
    assert_eq!(stacks[0]["ranks"], "0-3");
    let frames = stacks[0]["frames"].as_array().unwrap();
    assert_eq!(frames[0]["function"], "work");
    assert_eq!(
        (&frames[1]["function"], &frames[1]["line"], &frames[1]["level"]),
        (&json!("main"), &json!(call), &json!(1))
    );

    for (rank, value) in ["0.5", "1.5", "2.5", "3.5"].into_iter().enumerate() {
        assert_eq!(outcome.ranks("value", "value", value), rank.to_string());
    }
    let n = outcome.of("value").into_iter().find(|value| value["expression"] == "n").unwrap();
    assert_eq!(
        (&n["ranks"], &n["value"], &n["value_type"], &n["aif"]),
        (&json!("0-3"), &json!("3"), &json!("int"), &json!("is4"))
    );
    let arguments = outcome.of("variables");
    assert!(arguments.iter().all(|list| list["scope"] == "args"
        && list["variables"][1] == json!({"name": "n", "value": "3", "value_type": "int"})));

    assert_eq!(outcome.ranks("stopped", "reason", "finished"), "0-3");
    assert_eq!(outcome.ranks("stopped", "reason", "step"), "0");
    let status = &outcome.of("status")[0]["groups"];
    assert_eq!(
        (&status[0]["ranks"], &status[0]["reason"], &status[0]["line"]),
        (&json!("0"), &json!("step"), &json!(call + 1))
    );
    assert_eq!(
        (&status[1]["ranks"], &status[1]["reason"], &status[1]["function"]),
        (&json!("1-3"), &json!("finished"), &json!("main"))
    );

    assert_eq!(outcome.ranks("exited", "code", 0), "0-2");
    assert_eq!(outcome.ranks("exited", "code", 7), "3");
    let written = |rank: u32| -> String {
        let own = |object: &serde_json::Value| {
            let ranks = rankscope::model::ProcessSet::parse(object["ranks"].as_str().unwrap()).unwrap();
            ranks.contains(rankscope::model::Rank(rank))
        };
        let output = outcome.of("output");
        output.iter().filter(|o| own(o)).map(|o| o["text"].as_str().unwrap()).collect()
    };
    assert_eq!(written(0), "it 0: 6\nit 1: 6\n");
    assert_eq!(written(3), "it 0: 6\nit 1: 6\nrank 3 of 4\n");
    let done: Vec<_> = outcome.of("done").iter().map(|done| done["command"].as_str().unwrap().to_owned()).collect();
    assert_eq!(done, script.lines().collect::<Vec<_>>());
}

#[test]
fn a_whole_life_of_simulated_ranks() {
    whole_life(fake);
}

#[test]
fn a_whole_life_of_processes() {
    whole_life(native);
}

#[test]
fn sets_say_who_is_asked() {
    let outcome = fake("[1,3] break work\ngo\nwait exited for 0.01\n").expect(1);
    // Ranks 1 and 3 stop and are reported as the reason why the wait cannot succeed.
    assert!(outcome.of("error")[0]["message"].as_str().unwrap().starts_with("stopped: "));
    let outcome = fake(
        "[!0] break work\ngo\nwait\ngroup high = {rank > 1}\nfocus high\nprint rank\n[stopped - .] print rank\n[exited] status\nfocus all - in(work)\nstatus\n",
    )
    .expect(0);
    assert_eq!(outcome.ranks("stopped", "reason", "breakpoint"), "1-3");
    let values: Vec<_> = outcome.of("value").iter().map(|v| (v["ranks"].clone(), v["value"].clone())).collect();
    let pair = |ranks: &str, value: &str| (json!(ranks), json!(value));
    assert_eq!(values, [pair("2", "2"), pair("3", "3"), pair("1", "1")]);
    let groups = &outcome.of("groups")[0]["groups"];
    assert_eq!(groups, &json!([{"name": "high", "ranks": "2-3"}]));
    assert_eq!(outcome.of("focus").iter().map(|f| f["ranks"].clone()).collect::<Vec<_>>(), ["2-3", "0"]);
    assert_eq!(outcome.of("status")[0]["groups"], json!([{"ranks": "0", "state": "exited", "code": 0}]));
}

#[test]
fn conditions_counts_and_temporary_breakpoints() {
    let line = crate::support::marks::line("relay.c", "work");
    let outcome = fake(&format!(
        "break relay.c:{line} if i == 2 && rank == 1\ntbreak work after 1\ngo\nwait\n[1] print i\nbreakpoints\n"
    ))
    .expect(0);
    assert_eq!(outcome.ranks("value", "value", "2"), "1");
    let points = outcome.of("breakpoint");
    let last = points.iter().rfind(|point| point["id"] == 1).unwrap();
    assert_eq!((&last["condition"], &last["hits"]), (&json!("i == 2 && rank == 1"), &json!(1)));
    // The temporary breakpoint has stopped ranks 0, 2 and 3 at their second arrival; rank 1 has yet to reach it.
    let temporary = points.iter().rfind(|point| point["id"] == 2).unwrap();
    assert_eq!((&temporary["ranks"], &temporary["temporary"]), (&json!("1"), &json!(true)));
}

#[test]
fn wrong_lines_name_their_place_and_end_the_script() {
    for (script, message, position) in [
        ("prnt x\nstatus\n", "unknown command \"prnt\"; did you mean \"print\"?", 0),
        ("[0-3,] print rank\nstatus\n", "unexpected ']'; expected a rank set", 5),
        ("print rank +\nstatus\n", "", 12),
        ("print nowhere\nstatus\n", "nowhere", 6),
        ("break relay.c:0\nstatus\n", "expected a line number from 1", 14),
        ("focus nobody\nstatus\n", "no group \"nobody\"", 6),
        ("delete 9\nstatus\n", "no breakpoint 9", 7),
    ] {
        let outcome = fake(script).expect(1);
        let errors = outcome.of("error");
        assert_eq!(errors.len(), 1, "{script}: {errors:?}");
        assert!(errors[0]["message"].as_str().unwrap().contains(message), "{script}: {errors:?}");
        assert_eq!(errors[0]["position"], position, "{script}: {errors:?}");
        assert!(outcome.of("status").is_empty(), "the script has ended: {script}");
    }
}

#[test]
fn a_script_may_go_on_after_failures() {
    let outcome = json(
        &["--keep-going", "--engine", "fake", "-n", "2"],
        &[RELAY],
        "print nothing_such\nprint rank\n# a comment\n\nprint 3 # another\n",
    )
    .expect(1);
    assert_eq!(outcome.of("value").len(), 2);
    assert_eq!(outcome.of("error")[0]["ranks"], "0-1");
}

#[test]
fn waiting_has_a_limit() {
    let outcome = json(&["--engine", "fake", "-n", "2"], &[RELAY, "spin"], "go\nwait for 0.2\n").expect(1);
    let error = &outcome.of("error")[0];
    assert_eq!((&error["ranks"], &error["message"]), (&json!("0-1"), &json!("has not stopped within 0.2 s")));
    let place = Place::new();
    let arguments = ["run", "--batch", "-", "--timeout", "0.5", "--engine", "fake", "-n", "2", RELAY, "spin"];
    let outcome = place.run(&arguments, "go\nwait\n").expect(3);
    assert!(outcome.errors.contains("timed out after 0.5 s"), "{}", outcome.errors);
}

#[test]
fn running_ranks_answer_nothing_that_needs_a_stop() {
    let outcome = json(
        &["--engine", "fake", "-n", "2", "--keep-going"],
        &[RELAY, "spin"],
        "go\nprint rank\n[0] halt\n[0] wait\nprint rank\ngo\n",
    )
    .expect(1);
    let errors = outcome.of("error");
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0]["message"].as_str().unwrap().starts_with("still running "));
    assert_eq!(outcome.ranks("stopped", "reason", "interrupted"), "0");
    let missing = outcome.of("missing");
    assert_eq!((&missing[0]["ranks"], &missing[0]["command"]), (&json!("1"), &json!("print rank")));
    assert_eq!(outcome.of("value")[0]["ranks"], "0");
}

#[test]
fn held_ranks_stay() {
    let outcome = fake("[2] hold\nbreak work\ngo\n[all - 2] wait\nstatus\n[2] go\n").expect(1);
    assert_eq!(outcome.ranks("stopped", "reason", "breakpoint"), "0-1,3");
    assert_eq!(outcome.of("held")[0]["ranks"], "2");
    let groups = outcome.of("status")[0]["groups"].clone();
    let held = |group: &serde_json::Value| (group["ranks"].clone(), group["held"].clone());
    let told: Vec<_> = groups.as_array().unwrap().iter().map(held).collect();
    assert!(told.contains(&(json!("2"), json!(true))) && told.iter().filter(|group| !group.1.is_null()).count() == 1);
    assert!(outcome.of("error")[0]["message"].as_str().unwrap().starts_with("held: "));
}

#[test]
fn signals_stop_ranks_and_kill_them() {
    let script = "handle SIGFPE nostop print\nsignals SIGFPE\ngo\nwait\n[1] where\nstatus\n[1] go\n[1] wait exited\n";
    let outcome = json(&["--engine", "fake", "-n", "4"], &["fake:crash"], script).expect(0);
    let table = outcome.of("signals").pop().unwrap();
    assert_eq!(table["signals"][0]["stop"], false);
    assert_eq!(outcome.ranks("stopped", "signal", "SIGSEGV"), "1");
    assert_eq!(outcome.ranks("stopped", "signal", "SIGABRT"), "2");
    assert_eq!(outcome.ranks("killed", "signal", "SIGFPE"), "3");
    assert_eq!(outcome.ranks("killed", "signal", "SIGSEGV"), "1");
    assert_eq!(outcome.of("stack")[0]["frames"][0]["function"], "push");
}

#[test]
fn stacks_merge_into_a_tree() {
    let outcome =
        json(&["--engine", "fake", "-n", "4"], &["fake:diverge"], "break even\ngo\nwait\nwhere -merge\n").expect(0);
    let tree = &outcome.of("tree")[0];
    assert_eq!(tree["ranks"], "0-3");
    let root = &tree["root"];
    assert_eq!((&root["function"], &root["ranks"]), (&json!("main"), &json!("0-3")));
    assert_eq!(
        root["lines"].as_array().unwrap().iter().map(|l| l["ranks"].clone()).collect::<Vec<_>>(),
        ["0,2", "1,3"]
    );
    let children = root["children"].as_array().unwrap();
    let calls: Vec<_> = children.iter().map(|c| (c["function"].clone(), c["ranks"].clone())).collect();
    assert_eq!(calls, [(json!("even"), json!("0,2")), (json!("odd"), json!("1,3"))]);
    assert_eq!(children[1]["children"][0]["function"], "even");
}

#[test]
fn files_of_commands_settings_and_aliases() {
    let place = Place::new();
    let inner = place.path().join("inner");
    let outer = place.path().join("outer");
    let log = place.path().join("log");
    std::fs::write(&inner, "print rank\n").unwrap();
    std::fs::write(&outer, format!("# first\nsource {}\nset patience 2\n", inner.display())).unwrap();
    let script = format!(
        "log {}\nsource {}\nshow patience\nalias pr = print/x 10 +\npr 6\nhelp focus\nlog off\nsource /does/not/exist\n",
        log.display(),
        outer.display()
    );
    let arguments = ["run", "--batch", "-", "--engine", "fake", "-n", "2", RELAY];
    let outcome = place.run(&arguments, &script).expect(1);
    for line in ["[0-1] rank = 0", "patience  2", "[0-1] 10 + 6 = 0x10", "focus [SET[.THREADS]]"] {
        assert!(outcome.text.lines().any(|l| l == line), "{line}:\n{}", outcome.text);
    }
    assert!(outcome.text.contains("error: cannot read /does/not/exist: "), "{}", outcome.text);
    let logged = std::fs::read_to_string(&log).unwrap();
    assert!(logged.contains("[0-1] rank = 0") && !logged.contains("/does/not/exist"), "{logged}");
    std::fs::write(&inner, format!("source {}\n", inner.display())).unwrap();
    let outcome = place.run(&arguments, &format!("source {}\n", inner.display())).expect(1);
    assert!(outcome.text.contains("does one source itself?"), "{}", outcome.text);
}

#[test]
fn text_says_the_set_first() {
    let arguments = ["run", "--batch", "-", "--engine", "fake", "-n", "4", RELAY];
    let script = "break work\ngo\nwait\nwhere\nprint rank > 1\nlocals\nlist\n[0] print nix + 1\n";
    let outcome = Place::new().run(&arguments, script).expect(1);
    let mut lines: Vec<&str> = outcome.text.lines().collect();
    let session = lines.remove(0);
    assert!(session.starts_with("[0-3] session ") && session.contains(": 4 ranks on "), "{session}");
    let wanted = "\
[0-3] stopped: start, main at relay.c:24
[0-3] breakpoint 1: work at relay.c:15
[0-3] running
[0-3] stopped: breakpoint 1, work at relay.c:15
[0-3] #0  work (c=0x7ffff0000010, n=3) at relay.c:15
[0-3] #1  main (argc=1, argv=…) at relay.c:31
[0-1] rank > 1 = 0
[2-3] rank > 1 = 1
";
    // The arguments of the program are at an address that depends on its path.
    let said = lines.join("\n");
    let (before, after) = said.split_once("argv=0x").unwrap();
    let said = format!("{before}argv=…{}", after.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    assert!(said.starts_with(wanted.trim_end()), "{}", outcome.text);
    for line in ["[0-3]    15      int sum = 0;", "         16      for (int i = 0; i < n; i++)"] {
        assert!(lines.contains(&line), "{line}:\n{}", outcome.text);
    }
    let error = lines.iter().position(|line| line.starts_with("[0] error: ")).unwrap();
    assert_eq!(&lines[error + 1..], ["  [0] print nix + 1", "            ^"]);
}

#[test]
fn values_are_compared_over_ranks() {
    let outcome = fake("break work\ngo\nwait\ncompare c[1].t\ncompare rank / 2\n").expect(0);
    let comparisons = outcome.of("comparison");
    let first = &comparisons[0];
    assert_eq!(
        (&first["count"], &first["distinct"], &first["min"], &first["max"]),
        (&json!(4), &json!(4), &json!(0.5), &json!(3.5))
    );
    assert_eq!(first["mean"], 2);
    assert_eq!(comparisons[1]["values"], json!([{"value": "0", "ranks": "0-1"}, {"value": "1", "ranks": "2-3"}]));
}

#[test]
fn jobs_start_again_and_ranks_are_given_up() {
    let outcome = native(
        "break work\ngo\nwait\nrestart\ngo\nwait\nprint rank\nup\nprint total\n[3] kill\n[2] detach\nstatus\n[0] signal SIGTERM\n[0] wait exited\n",
    )
    .expect(0);
    assert_eq!(outcome.of("session").len(), 2);
    let hits = outcome.of("stopped").into_iter().filter(|stop| stop["breakpoint"] == 1);
    let count: usize =
        hits.map(|stop| rankscope::model::ProcessSet::parse(stop["ranks"].as_str().unwrap()).unwrap().len()).sum();
    assert_eq!(count, 8, "each rank has come twice");
    assert_eq!(outcome.of("frame")[0]["frame"]["function"], "main");
    assert_eq!(outcome.ranks("value", "expression", "total"), "0-3");
    let groups = outcome.of("status")[0]["groups"].clone();
    let states: Vec<_> = groups.as_array().unwrap().iter().map(|g| (g["ranks"].clone(), g["state"].clone())).collect();
    let pair = |ranks: &str, state: &str| (json!(ranks), json!(state));
    assert_eq!(states, [pair("0-1", "stopped"), pair("2", "detached"), pair("3", "killed")]);
    assert_eq!(outcome.ranks("killed", "signal", "SIGTERM"), "0");
}

/// The master's process, once the job is there.
fn master_of(place: &std::path::Path) -> Option<i32> {
    let session = std::fs::read_dir(place.join("rankscope")).ok()?.flatten().next()?;
    let text = std::fs::read_to_string(session.path().join("session.json")).ok()?;
    let info: serde_json::Value = serde_json::from_str(&text).ok()?;
    (info["size"].as_u64()? > 0).then(|| info["master"].as_i64().unwrap() as i32)
}

#[test]
fn a_master_that_dies_ends_the_script() {
    let program = crate::support::build::plain("relay.c");
    for engine in ["fake", "native"] {
        let place = Place::new();
        let path = place.path().to_owned();
        let killer = std::thread::spawn(move || {
            let master = crate::support::wait::wait_for("the job", || master_of(&path));
            nix::sys::signal::kill(nix::unistd::Pid::from_raw(master), nix::sys::signal::Signal::SIGKILL).unwrap();
        });
        let program = if engine == "fake" { RELAY } else { program.to_str().unwrap() };
        let arguments = ["run", "--batch", "-", "--timeout", "25", "--engine", engine, "-n", "2", program, "spin"];
        let outcome = place.run(&arguments, "go\nwait\n");
        killer.join().unwrap();
        // It may die before the script has begun.
        assert!([1, 4].contains(&outcome.status), "{outcome:?}");
        assert!(outcome.errors.contains("rankscope: lost the session"), "{outcome:?}");
    }
}

#[test]
fn a_watchpoint_says_what_was_and_what_is() {
    let program = crate::support::build::plain("watched.c");
    let script =
        "watch global if global > 2\ngo\nwait\nbreak scoped\ngo\nwait\nwatch local\ndelete 1\ngo\nwait\nrwatch wide\n";
    let outcome = json(&["-n", "2"], &[program.to_str().unwrap()], script).expect(1);
    let armed = &outcome.of("breakpoint")[0];
    assert_eq!(
        (&armed["location"], &armed["kind"], &armed["armed"]),
        (&json!("watch global"), &json!("watchpoint"), &json!([{"way": "hardware"}]))
    );
    let stops = outcome.of("stopped");
    let seen: Vec<_> = stops
        .iter()
        .filter(|stop| stop["reason"] == "watchpoint")
        .map(|stop| (stop["watchpoint"].as_u64(), stop["old"].as_str().is_some(), stop["new"].as_str()))
        .collect();
    assert_eq!(seen.first(), Some(&(Some(1), true, Some("3"))));
    assert_eq!(seen.last(), Some(&(Some(3), true, Some("4"))));
    assert!(outcome.of("error")[0]["message"].as_str().unwrap().contains("read/access watchpoint"));
}

#[test]
fn what_was_watched_is_shown_within_the_limits_for_printing() {
    let program = crate::support::build::plain("watched.c");
    let outcome = json(&[], &[program.to_str().unwrap()], "set print-elements 1\nwatch cells\ngo\nwait\n").expect(0);
    let stops = outcome.of("stopped");
    let seen = stops.iter().find(|stop| stop["reason"] == "watchpoint").unwrap();
    let short = [r"{{before = 1, content = 10}...}", r"{{before = 1, content = 11}...}"];
    assert_eq!([&seen["old"], &seen["new"]], [&json!(short[0]), &json!(short[1])]);

    let program = crate::support::build::plain("long_watched.c");
    let last = crate::support::marks::line("long_watched.c", "last");
    let script = format!("break {last}\ngo\nwait\nset print-elements 0\nwatch many\ngo\nwait\nstatus\n");
    let outcome = json(&[], &[program.to_str().unwrap()], &script).expect(0);
    let stops = outcome.of("stopped");
    let seen = stops.iter().find(|stop| stop["reason"] == "watchpoint").unwrap();
    assert!(seen["old"].as_str().unwrap().ends_with(" 248, 249}"), "{seen}");
    assert!(seen["new"].as_str().unwrap().ends_with(" 248, -1}"), "{seen}");
    assert_eq!(outcome.of("status")[0]["groups"][0]["new"], seen["new"]);
}

/// A program that loads a library twice and keeps another, with breakpoints in both.
fn dlopens(options: &[&str], script: &str) -> Outcome {
    let place = tempfile::tempdir().unwrap();
    let programs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let library = |name: &str| place.path().join(format!("lib{name}.so")).display().to_string();
    for name in ["plugin", "other"] {
        let built = std::process::Command::new("gcc")
            .args(["-g", "-shared", "-fPIC", &format!("-DNAME={name}"), "-o", &library(name)])
            .arg(programs.join("plugin.c"))
            .status();
        assert!(built.unwrap().success());
    }
    let program = crate::support::build::plain("dlopens.c");
    let words = ["2", &library("plugin"), "plugin", &library("other"), "other"];
    let command: Vec<&str> = std::iter::once(program.to_str().unwrap()).chain(words).collect();
    json(&[&["-n", "2"], options].concat(), &command, script)
}

#[test]
fn the_ways_to_look_for_breakpoints_in_libraries_are_options_and_settings() {
    let ids = |outcome: &Outcome| -> Vec<u64> {
        let stops = outcome.of("stopped").into_iter().filter(|stop| stop["ranks"].as_str().unwrap().starts_with('0'));
        stops.filter_map(|stop| stop["breakpoint"].as_u64()).collect()
    };
    let points = "break plugin\nbreak other\nbreak settle\n";
    let go = "go\nwait\n";
    let fast = dlopens(
        &["--no-dlopen-always-recalculate"],
        &format!("show dlopen_always_recalculate\n{points}{go}libraries\n{go}"),
    )
    .expect(0);
    assert_eq!(fast.of("settings")[0]["settings"][0]["value"], "false");
    assert_eq!(ids(&fast), [3, 2]);
    assert_eq!(fast.of("libraries")[0]["events"], json!({"seen": 0, "filtered": 0, "reported": 0}));

    let medium =
        dlopens(&["--dlopen-recalculate-on-match", "libplug*"], &format!("{points}{go}{go}{go}libraries\n{go}"))
            .expect(0);
    assert_eq!(ids(&medium), [1, 1, 3, 2]);
    assert_eq!(medium.of("libraries")[0]["events"]["reported"], 2);

    let slow = dlopens(&[], &format!("set dlopen_always_recalculate true\n{points}{go}{go}{go}{go}")).expect(0);
    assert_eq!(ids(&slow), [1, 1, 3, 2]);
    assert!(
        slow.of("library_event").iter().any(|event| event["loaded"][0].as_str().unwrap().ends_with("libplugin.so"))
    );
}

#[test]
fn over_gdb_a_script_does_the_same_and_gdb_has_words_of_its_own() {
    let program = crate::support::build::plain("relay.c");
    let program = program.to_str().unwrap();
    let script = "break work\ngo\nwait\nwhere\nprint rank\nengine info program\n";
    let over_gdb = json(&["--engine", "gdb", "-n", "3"], &[program], script).expect(0);
    let text = over_gdb.of("engine");
    assert!(text.iter().all(|row| row["text"].as_str().unwrap().contains("stopped")), "{over_gdb:?}");
    let native = json(&["-n", "3"], &[program], script).expect(1);
    for what in ["breakpoint", "value"] {
        assert_eq!(over_gdb.of(what), native.of(what), "{what}");
    }
    // gdb gives the program variables of its own: what is on the stack is elsewhere.
    let stacks = |outcome: &Outcome| {
        let mut stacks = outcome.of("stack");
        for frame in stacks.iter_mut().flat_map(|stack| stack["frames"].as_array_mut().unwrap()) {
            let arguments = frame["args"].as_array_mut().unwrap();
            arguments.iter_mut().for_each(|argument| drop(argument.as_object_mut().unwrap().remove("value")));
        }
        stacks
    };
    assert_eq!(stacks(&over_gdb), stacks(&native));
    assert!(native.of("error")[0]["message"].as_str().unwrap().contains("engine"), "{native:?}");
}

#[test]
fn catchpoints_and_tracepoints_from_a_script() {
    let program = crate::support::build::plain("relay.c");
    let script = "trace work, n, c[1].t\ncatch fork\ncatch signal SIGTERM\nbreakpoints\ngo\nwait exited\n";
    let outcome = json(&["-n", "2"], &[program.to_str().unwrap()], script).expect(0);
    let points = outcome.of("breakpoint");
    assert_eq!((&points[0]["trace"], &points[0]["location"]), (&json!(["n", "c[1].t"]), &json!("work")));
    assert_eq!((&points[1]["location"], &points[1]["kind"]), (&json!("catch fork"), &json!("catchpoint")));
    let trace = &outcome.of("trace")[0];
    assert_eq!((&trace["breakpoint"], &trace["function"]), (&json!(1), &json!("work")));
    assert_eq!((&trace["values"][0]["name"], &trace["values"][0]["value"]), (&json!("n"), &json!("3")));
}

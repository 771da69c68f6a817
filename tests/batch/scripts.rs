//! Scripts of gdb's users: commands of breakpoints, conditions, loops and commands that the user defines.

use crate::support::batch::{Outcome, Place, json};
use rankscope::model::ProcessSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn program() -> PathBuf {
    crate::support::build::plain("scripted.c")
}

/// Runs a script that is read from standard input.
#[track_caller]
fn text(ranks: u32, script: &str, status: i32) -> Outcome {
    let program = program();
    let ranks = ranks.to_string();
    let arguments = ["run", "--timeout", "100", "--batch", "-", "-n", &ranks, program.to_str().unwrap()];
    Place::new().run(&arguments, script).expect(status)
}

/// Returns the lines of one rank that begin with a mark, without rank and mark.
fn marked(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("[0] @").or_else(|| line.strip_prefix('@')));
    lines.map(|line| line.trim_end().to_owned()).collect()
}

/// Returns what gdb prints with a mark when it runs a file of commands.
#[track_caller]
fn of_gdb(file: &Path) -> Vec<String> {
    let mut gdb = Command::new("gdb");
    gdb.args(["-nx", "-q", "-batch", "-ex", "set width 0", "-ex", "set debuginfod enabled off", "-x"]).arg(file);
    let output = gdb.arg(program()).stdin(Stdio::null()).output().unwrap();
    marked(&String::from_utf8_lossy(&output.stdout))
}

/// Runs a script of gdb in both: `before` and `after` `run`, which rankscope needs not; it waits instead.
#[track_caller]
fn as_in_gdb(before: &str, after: &str) {
    let place = Place::new();
    let (theirs, ours) = (place.path().join("theirs.gdb"), place.path().join("ours.gdb"));
    fs::write(&theirs, format!("{before}run\n{after}")).unwrap();
    fs::write(&ours, format!("{before}go\nwait\n{after}")).unwrap();
    let program = program();
    let arguments =
        ["run", "--timeout", "100", "--batch", ours.to_str().unwrap(), "-n", "1", program.to_str().unwrap()];
    let outcome = place.run(&arguments, "").expect(0);
    let (expected, shown) = (of_gdb(&theirs), marked(&outcome.text));
    assert!(expected.len() > 2, "{expected:?}");
    assert_eq!(shown, expected, "{}", outcome.text);
}

#[test]
fn a_command_of_gdb_that_prints_a_list_runs_unchanged() {
    as_in_gdb(
        "# Prints a list: plist LIST\n\
         define plist\n  if $argc != 1\n    help plist\n  else\n    set $n = $arg0\n    set $i = 0\n\
         \x20   while $n != 0\n      printf \"@node %d: %s = %5d\\n\", $i, $n->name, $n->value\n\
         \x20     set $n = $n->next\n      set $i = $i + 1\n    end\n    printf \"@%d nodes\\n\", $i\n  end\nend\n\
         document plist\nPrints a list.\nend\n\
         break last\n",
        "plist list\nplist list->next\n",
    );
}

#[test]
fn a_breakpoint_of_gdb_that_logs_its_arguments_runs_unchanged() {
    as_in_gdb(
        "set $hits = 0\nbreak tick\ncommands\n  silent\n  set $hits = $hits + 1\n\
         \x20 printf \"@tick(%d, %g), %lu calls\\n\", n, weight, calls\n\
         \x20 if n == 2\n    echo @\\ \\ two:\n    printf \" sum %.3f\\n\", sum\n  else\n    if n > 2\n      printf \"@more\\n\"\n    end\n  end\n\
         \x20 continue\nend\nbreak last\n",
        "printf \"@%d hits of %s, %c%%, %#x\\n\", $hits, word, 65, calls\n",
    );
}

#[test]
fn a_temporary_breakpoint_of_gdb_that_arms_another_runs_unchanged() {
    as_in_gdb(
        "tbreak tick\ncommands\n  printf \"@at %s\\n\", list->name\n  break last\n  commands\n    silent\n    print calls\n\
         \x20   printf \"@last %s, %d calls\\n\", word, calls\n    set var calls = 7\n    continue\n  end\n\
         \x20 continue\nend\n",
        "printf \"@%d\\n\", 1\necho @done\\n\n",
    );
}

#[test]
fn commands_of_gdb_that_are_defined_in_blocks_run_unchanged() {
    as_in_gdb(
        "break last\n",
        "if calls == 4\n  define show_head\n    printf \"@head %d, %s, %d arguments\\n\", list->value, $arg0, $argc\n  end\n\
         \x20 document show_head\nShows the head.\n  end\nelse\n  define show_head\n    echo @wrong\\n\n  end\nend\n\
         show_head list->name\n\
         define outer\n  define inner\n    printf \"@inner %d of %d\\n\", $arg0, $argc\n  end\n  inner $arg0 7\nend\n\
         outer 5\ninner 6\nset $i = 0\nwhile $i < 2\n  define counted\n    printf \"@round %d\\n\", $i\n  end\n  counted\n\
         \x20 set $i = $i + 1\nend\ncounted\n",
    );
}

#[test]
fn a_definition_without_a_name_is_an_error_of_its_own_line() {
    for (script, line, lacking) in [
        ("echo one\\n\ndefine\necho two\\n\n", 2, "the name of a command"),
        ("if 1\n  document\n  end\nend\n", 2, "the name of a command"),
        ("while\necho two\\n\nend\n", 1, "a condition"),
    ] {
        let place = Place::new();
        let file = place.path().join("nameless.gdb");
        fs::write(&file, script).unwrap();
        let program = program();
        let arguments =
            ["run", "--timeout", "100", "--batch", file.to_str().unwrap(), "-n", "1", program.to_str().unwrap()];
        let outcome = place.run(&arguments, "").expect(1);
        let all = format!("{}{}", outcome.text, outcome.errors);
        assert!(all.contains(&format!("nameless.gdb:{line}: expected {lacking}")), "{all}");
        assert!(!all.contains("two"), "{all}");
    }
}

#[test]
fn a_script_that_stands_still_says_so_in_its_log() {
    let program = crate::support::build::plain("contract.c");
    let arguments = ["run", "--timeout", "8", "--batch", "-", "-n", "2", program.to_str().unwrap(), "spin"];
    let outcome = Place::new().run(&arguments, "[0] continue\n").expect(3);
    let words =
        "[0] running, not stopped yet, while rank 1 is stopped, which they may wait for in MPI: \"[1] go\" before";
    assert_eq!(outcome.text.matches(words).count(), 1, "{}{}", outcome.text, outcome.errors);
}

/// The ranks of the lines with a text, each of which names others.
#[track_caller]
fn ranks_of(outcome: &Outcome, wanted: &str) -> u32 {
    let lines = outcome.text.lines().filter_map(|line| line.strip_prefix('[')?.split_once("] "));
    let sets = lines.filter(|(_, said)| *said == wanted).map(|(ranks, _)| ranks);
    sets.map(|ranks| ProcessSet::parse(ranks).unwrap().len() as u32).sum()
}

#[test]
fn the_commands_of_a_breakpoint_run_on_the_ranks_that_stopped() {
    let script = "break tick if n == rank\ncommands\nsilent\nprintf \"n=%d rank=%d\\n\", n, rank\ngo\nend\n\
                  break last\ncommands\nprintf \"last\\n\"\nend\ngo\nwait\nstatus\n";
    let outcome = text(3, script, 0);
    for rank in 0..3 {
        assert_eq!(ranks_of(&outcome, &format!("n={rank} rank={rank}")), 1, "{}", outcome.text);
    }
    assert!(!outcome.text.contains("stopped: breakpoint 1"), "{}", outcome.text);
}

#[test]
fn a_script_waits_for_commands_that_continue_the_ranks() {
    let script = "break tick\ncommands 1\n  silent\n  go\nend\nbreak last\ncommands\n  printf \"last %d\\n\", calls\nend\n\
                  go\nwait\nprint calls\n";
    let outcome = text(3, script, 0);
    assert_eq!(ranks_of(&outcome, "last 4"), 3, "{}", outcome.text);
    assert_eq!(ranks_of(&outcome, "calls = 4"), 3, "{}", outcome.text);
}

#[test]
fn conditions_combine_the_results_of_the_ranks() {
    let script = "break last\ngo\nwait\n\
                  if any {rank == 2}\n echo any\\n\nend\n\
                  if all {rank < 2}\n echo wrong\\n\nelse\n echo not all\\n\nend\n\
                  if count {rank > 0} == 2\n echo two\\n\nend\n\
                  if calls == 4\n echo agreed\\n\nend\n\
                  [1-2] if rank > 0\n printf \"in the set\\n\"\nend\n\
                  if rank > 1\n printf \"above %d\\n\", rank\nelse\n printf \"below %d\\n\", rank\nend\n\
                  if rank > 5\n echo wrong\\n\nend\n";
    let outcome = text(3, script, 0);
    let said: Vec<&str> = outcome.text.lines().collect();
    let each = ["[2] above 2", "[0] below 0", "[1] below 1"];
    for line in ["any", "not all", "two", "agreed", "[1-2] in the set"].into_iter().chain(each) {
        assert!(said.contains(&line), "{line}: {}", outcome.text);
    }
    assert!(!outcome.text.contains("wrong"), "{}", outcome.text);
}

#[test]
fn a_loop_over_a_set_goes_on_with_the_ranks_whose_lists_are_longer() {
    let script = "break last\ngo\nwait\nset $n = list\n[0] set $n = list->next->next\n\
                  [{$n != 0}] while any {$n != 0}\n  printf \"%s\\n\", $n->name\n  set $n = $n->next\nend\n";
    let outcome = text(3, script, 0);
    assert_eq!(ranks_of(&outcome, "ten"), 3, "{}", outcome.text);
    assert_eq!(ranks_of(&outcome, "thirty"), 2, "{}", outcome.text);
}

#[test]
fn ranks_that_disagree_go_their_own_ways() {
    let script = "break last\ngo\nwait\nset $i = 0\nwhile $i < rank + 2\n  set $i = $i + 1\n  if $i == 2\n    if rank == 1\n\
                  \x20     loop_continue\n    end\n    if rank == 2\n      loop_break\n    end\n  end\n\
                  \x20 printf \"round %d\\n\", $i\nend\nprintf \"after %d\\n\", $i\n";
    let outcome = text(3, script, 0);
    for (line, ranks) in [("round 1", "0-2"), ("round 2", "0"), ("round 3", "1"), ("after 2", "0,2"), ("after 3", "1")]
    {
        let line = format!("[{ranks}] {line}\n");
        assert_eq!(outcome.text.matches(&line).count(), 1, "{line}{}", outcome.text);
    }
    assert_eq!(outcome.text.matches("round").count(), 3, "{}", outcome.text);
}

#[test]
fn commands_with_a_condition_go_on_with_each_rank() {
    let script = "break tick\ncommands\nsilent\nif rank == n\n printf \"%d is here\\n\", rank\n\
                  if rank == 1\n  set $seen = 1\n  go\n end\n go\nelse\n go\nend\necho never\\n\nend\n\
                  break last\ngo\nwait\nprint $seen\n";
    let outcome = text(3, script, 0);
    for rank in 0..3 {
        assert_eq!(ranks_of(&outcome, &format!("{rank} is here")), 1, "{}", outcome.text);
    }
    assert!(!outcome.text.contains("never"), "{}", outcome.text);
    assert!(outcome.text.contains("[1] $seen = 1") && outcome.text.contains("[0,2] $seen = void"), "{}", outcome.text);
}

#[test]
fn loops_are_left_and_begun_anew() {
    let script = "set $i = 0\nwhile 1\n  set $i = $i + 1\n  if $i == 2\n    loop_continue\n  end\n  if $i > 3\n    loop_break\n  end\n\
                  \x20 printf \"%d \", $i\nend\necho and\\n\n";
    let outcome = text(1, script, 0);
    assert!(outcome.text.contains("[0] 1 3 \nand\n"), "{}", outcome.text);
}

#[test]
fn an_endless_loop_ends_with_the_limit_of_the_rounds_or_of_the_script() {
    let outcome = text(1, "set loop-limit 20\nwhile 1\n  printf \"round\\n\"\nend\n", 1);
    assert_eq!(outcome.text.lines().filter(|line| line.ends_with("round")).count(), 20, "{}", outcome.text);
    let error = "error: line 2: the loop has run 20 rounds; \"set loop-limit N\" allows more";
    assert!(outcome.text.contains(error), "{}", outcome.text);
    let program = program();
    let arguments = ["run", "--timeout", "2", "--batch", "-", "-n", "1", program.to_str().unwrap()];
    let outcome = Place::new().run(&arguments, "set loop-limit 1e12\nwhile 1\nend\n").expect(3);
    assert!(outcome.errors.contains("timed out after 2 s"), "{}", outcome.errors);
}

#[test]
fn at_its_time_limit_a_script_says_what_ranks_it_waits_for_and_why() {
    let program = crate::support::build::plain("needy.c").display().to_string();
    let script = "break await_others\nrun\nwhile rank == 0\n  continue\nend\n";
    let outcome = Place::new().run(&["run", "--timeout", "4", "--batch", "-", "-n", "3", &program], script).expect(3);
    assert!(outcome.errors.contains("timed out after 4 s"), "{}", outcome.errors);
    let told = "rank 0 is running and has not stopped; this is what \"why\" says:";
    assert!(outcome.errors.contains(told), "{}", outcome.errors);
    let why = outcome.text.lines().any(|line| line.contains("rank 0 is in read") && line.ends_with("a pipe."));
    assert!(why, "{}", outcome.text);
}

#[test]
fn faults_in_scripts_name_file_and_line() {
    let place = Place::new();
    let file = place.path().join("inner.gdb");
    fs::write(&file, "define broken\n  print 1\n  if $arg0 > 0\n    print nothing_here\n  end\nend\nbroken 1\n")
        .unwrap();
    let outer = place.path().join("outer.gdb");
    fs::write(&outer, format!("print 5\n\nsource {}\n", file.display())).unwrap();
    let program = program();
    let arguments =
        ["run", "--timeout", "100", "--batch", outer.to_str().unwrap(), "-n", "1", program.to_str().unwrap()];
    let outcome = place.run(&arguments, "").expect(1);
    let error = format!("[0] error: {}:4: No symbol \"nothing_here\" in current context.", file.display());
    assert!(outcome.text.contains(&error), "{}", outcome.text);
    let json = [&arguments[..1], &["--json"], &arguments[1..]].concat();
    let outcome = place.run(&json, "").expect(1);
    let place = &outcome.of("error")[0]["place"];
    assert_eq!((place["file"].as_str(), place["line"].as_u64()), (file.to_str(), Some(4)));
}

#[test]
fn a_block_without_an_end_is_an_error_at_the_line_where_it_began() {
    let outcome = text(1, "print 1\n\nwhile 1\n  if 0\n  end\n", 1);
    let error = "error: line 3: no \"end\" for \"while 1\": the script ends inside its block";
    assert!(outcome.text.contains(error), "{}", outcome.text);
    let outcome = text(1, "end\n", 1);
    assert!(outcome.text.contains("error: no block is open: \"if\""), "{}", outcome.text);
}

#[test]
fn commands_that_call_themselves_end_with_an_error() {
    let outcome = text(1, "define again\n  again\nend\nagain\n", 1);
    let error = "again is called more than 256 times inside itself or others: does it end?";
    assert_eq!(outcome.text.matches(error).count(), 1, "{}", outcome.text);
    let outcome = text(1, "define f\n  print $arg1\nend\nf 1\n", 1);
    assert!(outcome.text.contains("missing argument 2: the line uses $arg1"), "{}", outcome.text);
    let outcome = text(1, "define where\n  print 1\nend\n", 1);
    assert!(outcome.text.contains("where is a command of rankscope and cannot be redefined"), "{}", outcome.text);
}

#[test]
fn a_defined_command_has_a_page_of_help() {
    let outcome = text(1, "define f\n  print 1\nend\ndocument f\nPrints one.\nend\nhelp f\n[0] f\n", 0);
    let lines: Vec<&str> = outcome.text.lines().collect();
    let at = lines.iter().position(|line| *line == "f, defined by you").unwrap_or_else(|| panic!("{}", outcome.text));
    assert_eq!(&lines[at..], ["f, defined by you", "Prints one.", "  print 1", "[0] 1 = 1"]);
}

#[test]
fn a_command_runs_at_every_stop_and_exit() {
    let script = "on stop printf \"calls %d\\n\", calls\non exit echo gone\\n\non\nbreak last\ngo\nwait\non stop off\non\n\
                  delete\ngo\nwait exited\n";
    let outcome = text(2, script, 0);
    assert_eq!(ranks_of(&outcome, "calls 4"), 2, "{}", outcome.text);
    assert!(outcome.text.contains("on stop printf \"calls %d\\n\", calls\non exit echo gone\\n\n"), "{}", outcome.text);
    assert!(outcome.text.contains("\ngone\n"), "{}", outcome.text);
}

#[test]
fn gdbs_hook_of_stops_runs_here() {
    let script = "define hook-stop\n  printf \"after %d calls\\n\", calls\nend\nbreak last\ngo\nwait\n";
    let outcome = text(3, script, 0);
    assert_eq!(ranks_of(&outcome, "after 4 calls"), 3, "{}", outcome.text);
    let outcome = text(1, "define hook-nosuch\nend\n[0] commands\nend\nprintf \"%d\\n\"\n", 1);
    assert!(outcome.text.contains("no command \"nosuch\" for the hook"), "{}", outcome.text);
}

#[test]
fn printed_lines_are_those_of_the_ranks_in_json() {
    let program = program();
    let outcome = json(&["-n", "2"], &[program.to_str().unwrap()], "printf \"rank \"\nprintf \"%d\\n\", 3\n").expect(0);
    let texts = outcome.of("text");
    let printed: Vec<_> = texts.iter().map(|text| (text["ranks"].as_str(), text["text"].as_str())).collect();
    assert!(printed.contains(&(Some("0-1"), Some("rank "))), "{printed:?}");
    assert!(printed.contains(&(Some("0-1"), Some("3"))), "{printed:?}");
}

#[test]
fn dprintf_prints_as_gdb_does_and_never_stops() {
    as_in_gdb(
        "dprintf tick,\"@tick %d: %5.2f, %s\\n\", n, weight, list->name\n\
         dprintf scripted.c:32, \"@last \\\"%s\\\"\\n\", word\nbreak last if calls > 99\nbreak exit\n",
        "printf \"@%d\\n\", 1\n",
    );
    let script =
        "dprintf tick,\"n is %d\\n\", n if n > 1\ndprintf tick,\"%d\", nothing\nbreakpoints\nbreak last\ngo\nwait\n";
    for engine in ["native", "gdb"] {
        let program = program();
        let arguments = ["run", "--timeout", "100", "--engine", engine, "--batch", "-", "-n", "2", "--keep-going"];
        let outcome = Place::new().run(&[&arguments[..], &[program.to_str().unwrap()]].concat(), script);
        assert_eq!(ranks_of(&outcome, "n is 2"), 2, "{engine}: {}", outcome.text);
        assert_eq!(ranks_of(&outcome, "n is 3"), 2, "{engine}: {}", outcome.text);
        assert!(outcome.text.contains("\n  prints \"n is %d\\n\"\n"), "{engine}: {}", outcome.text);
        assert!(!outcome.text.contains("n is 1"), "{engine}: {}", outcome.text);
    }
}

#[test]
fn breakpoints_are_enabled_for_some_stops() {
    let script = "break tick\ndisable\nenable count 2 1\nbreak last\ngo\nwait\nprint n\ngo\nwait\nprint n + 10\ngo\nwait\n\
                  breakpoints\n[0] print calls\ndelete 2\nenable delete 1\nbreakpoints\n";
    let outcome = text(2, script, 0);
    for line in ["n = 0", "n + 10 = 11"] {
        assert_eq!(ranks_of(&outcome, line), 2, "{line}: {}", outcome.text);
    }
    assert!(
        outcome.text.contains("breakpoint 1: tick at scripted.c:25, disabled, 4 hits (2 each)"),
        "{}",
        outcome.text
    );
    let script =
        "break tick\nenable delete\ngo\nwait\nbreakpoints\necho none left\\n\nbreak last\ngo\nwait\nprint calls\n";
    let outcome = text(2, script, 0);
    let listed = outcome.text.split("none left").next().unwrap();
    assert_eq!(listed.matches("breakpoint 1: tick").count(), 2, "set and enabled, not listed: {}", outcome.text);
    assert_eq!(ranks_of(&outcome, "calls = 4"), 2, "{}", outcome.text);
}

#[test]
fn commands_and_definitions_are_saved() {
    let place = Place::new();
    let file = place.path().join("saved");
    let program = program();
    let arguments = ["run", "--timeout", "100", "--batch", "-", "-n", "1", program.to_str().unwrap()];
    let script = format!(
        "define twice\n  print 2 * $arg0\nend\ndocument twice\nDoubles.\nend\nbreak last\ncommands\n  silent\n\
         \x20 if calls > 1\n    twice calls\n  end\nend\ndprintf tick,\"%d\\n\", n\non exit echo gone\\n\nsave {}\n",
        file.display()
    );
    place.run(&arguments, &script).expect(0);
    let outcome =
        place.run(&arguments, &format!("source {}\nbreakpoints\ngo\nwait\nhelp twice\n", file.display())).expect(0);
    for line in
        ["  silent\n  if calls > 1\n    twice calls\n  end\n", "\n[0] 3\n", "\n[0] 2 * calls = 8\n", "\nDoubles.\n"]
    {
        assert!(outcome.text.contains(line), "{line}: {}", outcome.text);
    }
}

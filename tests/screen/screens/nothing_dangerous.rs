//! Keys bound differently in other tools do what one expects, or nothing that runs the program.

use super::*;

/// The first words of the commands sent to the ranks.
fn commands(driver: &Driver) -> Vec<String> {
    let done = driver.session.reports.iter().filter(|report| matches!(report.content, Content::Done { .. }));
    done.filter_map(|report| Some(report.origin.as_ref()?.line.to_string())).collect()
}

#[test]
fn n_walks_over_matches_while_a_search_is_active() {
    let mut driver = in_kernel(CLASSIC, 8);
    let ran = commands(&driver).len();
    driver.keys("2 /").typed("double").keys("enter");
    let first = driver.app.view.source.list.cursor;
    assert!(driver.text().contains("n next match  N previous match"), "{}", driver.text());
    driver.keys("n");
    let second = driver.app.view.source.list.cursor;
    assert_ne!(first, second);
    driver.keys("N");
    assert_eq!(driver.app.view.source.list.cursor, first);
    assert_eq!(commands(&driver).len(), ran);
    driver.keys("esc");
    assert!(!driver.text().contains("next match"), "{}", driver.text());
    driver.keys("N");
    assert_eq!(commands(&driver).len(), ran, "N never runs the program");
    driver.keys("esc").go("n");
    assert_eq!(commands(&driver).last().unwrap(), "next");

    // Running the program ends a search.
    driver.keys("2 /").typed("double").keys("enter").go("s n");
    assert_eq!(commands(&driver)[ran + 1..], ["step", "next"]);
}

#[test]
fn until_the_line_where_ranks_are_runs_nobody() {
    let mut driver = in_kernel(CLASSIC, 8);
    let ran = commands(&driver).len();
    driver.keys("2 u");
    assert_eq!(commands(&driver).len(), ran);
    assert!(driver.text().contains("ranks 0-7 are already at line"), "{}", driver.text());

    // Only the ranks elsewhere run.
    driver.command("focus 0-2:2").go("n").keys("2 j a");
    driver.keys("2 g .");
    let ran = commands(&driver).len();
    driver.keys("u");
    let new = commands(&driver)[ran..].to_vec();
    assert!(matches!(&new[..], [line] if line.starts_with("[1,3-7] advance ")), "{new:?}");
}

#[test]
fn a_breakpoint_that_is_nowhere_is_kept_only_after_a_yes() {
    let mut driver = Driver::start("stencil", &[], 4, CLASSIC);
    for (keys, kept) in [("n", false), ("esc", false), ("enter", false), ("y", true)] {
        driver.command("break nosuchfn");
        let shown = driver.text();
        assert!(shown.contains("There is no function \"nosuchfn\" in ranks 0-3."), "{shown}");
        driver.keys(keys);
        assert_eq!(driver.state().breakpoints.len(), usize::from(kept), "after {keys}");
        assert!(driver.app.view.layers.is_empty());
    }
    driver.command("breakpoints");
    assert!(!driver.text().contains("Keep"), "it is asked once: {}", driver.text());
}

#[test]
fn a_key_that_closes_a_long_page_does_nothing_else() {
    for open in ["?", ": h e l p enter"] {
        for key in ["c", "n", "s", "f", "u", "i", "b", "a", "R", "x", "left"] {
            let mut driver = in_kernel(CLASSIC, 8);
            let ran = commands(&driver).len();
            driver.keys(open);
            let pages = driver.app.view.layers.len();
            assert_eq!(pages, 1, "{open}");
            assert!(driver.text().contains("other keys only close"), "{}", driver.text());
            let (ran, view) = (commands(&driver).len().max(ran), driver.app.view.current);
            driver.app.view.notice = None;
            driver.keys(key);
            assert!(driver.app.view.layers.is_empty(), "{key} after {open}");
            assert_eq!(commands(&driver).len(), ran, "{key} after {open}");
            assert_eq!((driver.app.view.current, driver.state().breakpoints.len()), (view, 1), "{key} after {open}");
            assert!(driver.app.view.pending.is_empty() && driver.outside.is_empty(), "{key} after {open}");
            // The next key acts as usual.
            driver.go("n");
            assert_eq!(commands(&driver).last().unwrap(), "next");
        }
    }
    // Keys that stop ranks work here, too, and leave the page open.
    for open in ["?", ": h e l p enter"] {
        let mut driver = in_kernel(CLASSIC, 8);
        driver.keys(open).keys("ctrl-c");
        assert_eq!((commands(&driver).last().unwrap().as_str(), driver.app.view.layers.len()), ("halt", 1));
        for key in ["q", "esc", "enter", "?"] {
            driver.keys(key);
            assert!(driver.app.view.layers.is_empty(), "{key} after {open}");
            driver.keys(open);
        }
    }
    // Text typed after the sign of a line belongs to that line; going to another view affects no rank.
    let mut driver = in_kernel(CLASSIC, 8);
    driver.keys("?").command("next");
    for (key, line) in [("F", ":focus stopped"), ("B", ":break stopped"), ("p", "stopped"), ("w", "stopped")] {
        let ran = commands(&driver).len();
        driver.keys("?").keys(key).typed("stopped");
        let text = driver.text();
        assert!(text.lines().last().unwrap().contains(line), "{key}: {text}");
        driver.keys("esc");
        assert_eq!(commands(&driver).len(), ran, "{key}: {text}");
    }
    driver.keys("? 6");
    assert!(driver.app.view.layers.is_empty() && driver.app.view.current == ViewId::Breakpoints);
    assert_eq!(commands(&driver).last().unwrap(), "next");
}

#[test]
fn a_key_that_closes_a_short_page_acts() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.command("backtrace");
    assert!(driver.text().contains("other keys close it and act"), "{}", driver.text());
    driver.go("n");
    assert_eq!((commands(&driver).last().unwrap().as_str(), driver.app.view.layers.len()), ("next", 0));
    for key in ["esc", "q", "enter"] {
        driver.command("backtrace");
        let ran = commands(&driver).len();
        driver.keys(key);
        assert_eq!((commands(&driver).len(), driver.app.view.layers.len()), (ran, 0), "{key}");
    }
}

#[test]
fn a_key_behind_a_failed_command_only_closes_its_page() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.command(
        "print a_variable_that_this_program_does_not_have_and_whose_name_takes_more_than_a_line_of_the_screen",
    );
    assert!(driver.text().contains("other keys only close"), "{}", driver.text());
    let ran = commands(&driver).len();
    driver.keys("c");
    assert_eq!((commands(&driver).len(), driver.app.view.layers.len()), (ran, 0), "{}", driver.text());
}

#[test]
fn a_line_that_is_typed_right_behind_escape_is_a_line() {
    let mut driver = in_kernel(CLASSIC, 8);
    let ran = commands(&driver).len();
    for open in ["?", ":"] {
        // Escape and `:` in one read.
        driver.keys(open).keys("alt-:").typed("next");
        assert!(driver.text().lines().last().unwrap().contains(":next"), "{}", driver.text());
        driver.keys("esc");
        assert_eq!(commands(&driver).len(), ran, "{}", driver.text());
    }
    // Keys that would run the program are not split into escape and a key.
    driver.keys("alt-c alt-n");
    assert_eq!(commands(&driver).len(), ran, "{}", driver.text());
}

#[test]
fn a_key_that_means_nothing_says_so() {
    let mut driver = in_kernel(CLASSIC, 8);
    let ran = commands(&driver).len();
    let last_but_one = |driver: &Driver| driver.text().lines().rev().nth(1).unwrap().to_owned();
    for (keys, words) in [
        ("Y", "Y is not bound here; ? shows the keys"),
        ("g Q", "g Q is not bound here; ? shows the keys"),
        ("R x", "expected y, n, or esc"),
    ] {
        driver.keys(keys);
        assert!(last_but_one(&driver).contains(words), "{}", driver.text());
        driver.keys("esc");
        assert!(!last_but_one(&driver).contains("no such"), "{}", driver.text());
    }
    assert_eq!(commands(&driver).len(), ran, "{}", driver.text());
}

#[test]
fn a_key_for_a_breakpoint_where_no_code_is_asks_before_it_stays_pending() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("short.c");
    std::fs::write(&file, "int main(void)\n{\n    int n = 1;\n    return n;\n}\n\n/* The end. */\n").unwrap();
    let program = format!("fake:{}", file.display());
    for key in ["b", "t"] {
        let mut driver = Driver::start(&program, &[], 2, CLASSIC);
        // After the last line with code.
        driver.keys("G").keys(key);
        assert!(driver.text().contains("Keep breakpoint 1 pending?"), "{key}: {}", driver.text());
        driver.keys("n");
        assert!(driver.state().breakpoints.is_empty(), "{key}");
    }
}

#[test]
fn a_question_that_a_reply_opens_takes_no_key_that_was_typed_before_it_could_be_read() {
    let mut driver = Driver::start("stencil", &[], 2, CLASSIC);
    driver.reads = false;
    let answers = "y n answer";
    driver.command("break nowhere").keys("n");
    assert!(driver.text().contains("press the key again") && !driver.text().contains(answers), "{}", driver.text());
    let drawn = driver.session.now();
    driver.app.drawn(drawn);
    let key = rankscope::ui::keys::Chord::parse("n").unwrap();
    for (milliseconds, taken) in [(399, false), (400, true)] {
        let at = drawn + Duration::from_millis(milliseconds);
        let settled = driver.app.settle(driver.session.state(), at);
        assert_eq!(settled.stale, taken, "{milliseconds}");
        assert_eq!(driver.text().contains(answers), taken, "{}", driver.text());
        let effects = driver.app.chord(key, at, driver.session.state());
        assert_eq!(!effects.is_empty(), taken, "{milliseconds}: {effects:?}");
    }
}

#[test]
fn keys_typed_after_a_command_do_not_close_the_page_of_its_answer() {
    let mut driver = Driver::start("stencil", &[], 2, CLASSIC);
    driver.reads = false;
    driver.command("help").keys("2 j");
    assert!(driver.text().contains("more below"), "{}", driver.text());
    assert_eq!(driver.app.view.current, ViewId::Source);
    driver.reads = true;
    driver.settle();
    driver.keys("esc");
    assert!(driver.app.view.layers.is_empty(), "{}", driver.text());
}

#[test]
fn a_file_of_commands_says_which_of_its_breakpoints_are_pending() {
    let mut driver = Driver::start("stencil", &[], 8, LARGE);
    let controller = &mut driver.session.controller;
    let id = controller.execute("source own.rankscope");
    controller.provide(id, Ok("break nowhere_at_all\nprint 1\n".to_owned()));
    driver.session.finish(id);
    driver.settle();
    // Nobody typed the line: no question is asked, and its outcome is in the messages.
    assert!(driver.app.view.layers.is_empty(), "{}", driver.text());
    driver.keys("9");
    let text = driver.text();
    assert!(text.lines().any(|row| row.contains("nowhere_at_all, no function")), "{text}");
}

#[test]
fn starting_again_speaks_of_killing_only_the_living() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.keys("R");
    assert!(driver.text().contains("Kill the job and start all 8 ranks again?"), "{}", driver.text());
    driver.keys("n").command("kill").keys("y").until("all to be ended", |state| state.ranks.ended().len() == 8);
    driver.keys("R");
    let text = driver.text();
    assert!(text.contains("Start all 8 ranks again?") && !text.contains("Kill the job"), "{text}");
}

#[test]
fn attached_ranks_are_not_asked_about_before_the_master_refuses_to_start_them_again() {
    let driver = in_kernel(CLASSIC, 8);
    let state = State { is_attached: true, ..driver.state().clone() };
    let mut app = App::default();
    let effects = app.chord(rankscope::ui::keys::Chord::parse("R").unwrap(), std::time::Instant::now(), &state);
    assert_eq!(effects, [Effect::Execute("[all] restart".to_owned())]);
    assert!(app.view.layers.is_empty());
}

#[test]
fn quitting_speaks_of_lost_ranks() {
    let (mut state, mut app) = numbers::trapped(100, 24);
    let lost = rankscope::model::ProcessState::Lost("its server was lost".into());
    state.ranks.change(&ProcessSet::parse("2,5").unwrap(), &lost);
    app.chord(rankscope::ui::keys::Chord::parse("q").unwrap(), Instant::now(), &state);
    let shown = text(&crate::drawn::screen(&app, &state, &Theme::dark()));
    assert!(shown.contains("14 ranks are alive, 2 are lost (2,5)."), "{shown}");
}

#[test]
fn the_output_of_two_runs_is_set_apart() {
    let (mut state, mut app) = numbers::trapped(100, 24);
    let (all, now) = (ProcessSet::all(16), Duration::ZERO);
    state.output.push(&all, rankscope::model::Stream::Stdout, "first\n", now);
    state.output.begin_run(all.clone(), now);
    state.output.push(&all, rankscope::model::Stream::Stdout, "second\n", now);
    app.chord(rankscope::ui::keys::Chord::parse("5").unwrap(), Instant::now(), &state);
    app.settle(&state, Instant::now());
    let shown = text(&crate::drawn::screen(&app, &state, &Theme::dark()));
    let rows: Vec<&str> = shown.lines().skip_while(|row| !row.contains("first")).take(3).collect();
    assert!(rows[1].starts_with("── started again ──") && rows[2].contains("second"), "{shown}");
}

#[test]
fn keys_about_a_line_do_nothing_where_no_source_is_shown() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.command("array n");
    let (ran, points) = (commands(&driver).len(), driver.state().breakpoints.len());
    // The array, the memory, and any other view that has the whole screen.
    for way in ["3 A", "4 g g M", "3 z"] {
        driver.keys(way);
        for key in ["b", "t", "u", "d", "e"] {
            driver.keys(key);
            assert!(driver.app.view.layers.is_empty(), "{way} {key}: {}", driver.text());
            assert!(driver.text().contains("no source shown"), "{way} {key}: {}", driver.text());
        }
    }
    assert_eq!((commands(&driver).len(), driver.state().breakpoints.len()), (ran, points), "{:?}", commands(&driver));
    driver.keys("z 2 t");
    assert_eq!(commands(&driver).len(), ran + 1, "{}", driver.text());
}

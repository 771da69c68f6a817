//! The contents of the views on a simulated session driven by keys.

mod across;
mod all_threads;
mod arrays;
mod code;
mod every_view;
mod habits;
mod hosts;
mod kept_in_sight;
mod lines;
mod memory;
mod mouse;
mod moved_sources;
pub mod my_code;
mod nothing_dangerous;
pub mod numbers;
mod one_frame;
mod points;
mod rank_colours;
mod rank_layout;
mod reasons;
mod room;
mod sampled;
mod searching;
mod shapes;
mod since_snapshot;
mod typing;
mod why;
mod zoomed_ranks;

use crate::drawn::{styled, text};
use crate::driver::Driver;
use insta::assert_snapshot;
use rankscope::controller::{CommandId, Content, Origin, Report, State, state::Phase};
use rankscope::model::ProcessSet;
use rankscope::model::aif::FormatOptions;
use rankscope::ui::action::ViewId;
use rankscope::ui::app::App;
use rankscope::ui::effect::Effect;
use rankscope::ui::keys::keys_page;
use rankscope::ui::theme::{ColourDepth, Theme};
use std::{
    env, fs,
    path::Path,
    time::{Duration, Instant},
};

const CLASSIC: (u16, u16) = (80, 24);
const LARGE: (u16, u16) = (160, 50);

/// Eight ranks at a breakpoint in the kernel, in its second round.
fn in_kernel(size: (u16, u16), ranks: u32) -> Driver {
    let mut driver = Driver::start("stencil", &[], ranks, size);
    driver.command("break kernel");
    if !driver.app.view.layers.is_empty() {
        // On a narrow screen the answer is a page, and the key that closes it has no other effect.
        driver.keys("esc");
    }
    driver.go("c c");
    driver
}

/// As above, with half of the ranks some lines further.
fn diverged(size: (u16, u16), ranks: u32) -> Driver {
    let mut driver = in_kernel(size, ranks);
    driver.command(&format!("focus 0-{}:2", ranks - 2)).go("n n n n");
    driver
}

#[test]
fn stopped_in_main() {
    assert_snapshot!("main_80x24", Driver::start("stencil", &[], 8, CLASSIC).text());
    assert_snapshot!("main_160x50", Driver::start("stencil", &[], 64, LARGE).text());
}

#[test]
fn at_a_breakpoint() {
    let driver = in_kernel(CLASSIC, 8);
    assert_snapshot!("breakpoint_80x24", driver.text());
    assert_snapshot!("breakpoint_styled", styled(&driver.buffer()));
    assert_snapshot!("breakpoint_160x50", in_kernel(LARGE, 64).text());
}

#[test]
fn a_set_is_stepped_and_the_others_stay() {
    assert_snapshot!("diverged_80x24", diverged(CLASSIC, 8).text());
    let mut driver = diverged(LARGE, 64);
    driver.keys("a 3");
    assert_snapshot!("diverged_160x50", driver.text());
}

#[test]
fn no_colour_still_tells_all() {
    let mut driver = diverged(CLASSIC, 8);
    driver.theme = Theme::dark().adapted(ColourDepth::None);
    assert_snapshot!("no_colour_styled", styled(&driver.buffer()));
    driver.app.view.ascii = true;
    let text = driver.text();
    assert!(text.is_ascii(), "{text}");
    assert_snapshot!("ascii", text);
}

#[test]
fn a_breakpoint_comes_and_goes_with_one_key() {
    let mut driver = Driver::start("stencil", &[], 4, CLASSIC);
    driver.keys("2 j j b");
    assert_eq!(driver.state().breakpoints.len(), 1);
    assert!(driver.text().contains("●  63"), "{}", driver.text());
    driver.keys("e");
    assert!(driver.text().contains("○  63"), "{}", driver.text());
    driver.keys("b");
    assert_eq!(driver.state().breakpoints.len(), 0);
    driver.keys("t");
    assert!(driver.state().breakpoints.values().all(|breakpoint| breakpoint.request.temporary));
    driver.keys("6 d");
    assert_eq!(driver.state().breakpoints.len(), 0);
    assert_snapshot!("breakpoints_none", driver.text());
}

#[test]
fn breakpoints_say_what_became_of_them() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver
        .command("tbreak halo if side < 0")
        .command("break nowhere.c:7")
        .keys("y")
        .command("[0-3] break 70")
        .command("disable 4");
    driver.keys("6");
    assert_snapshot!("breakpoints_80x24", driver.text());
    driver.keys("g g enter");
    assert_eq!(driver.app.view.current, ViewId::Source);
}

#[test]
fn ranks_are_marked_and_become_the_focus() {
    let mut driver = Driver::start("stencil", &[], 64, CLASSIC);
    driver.keys("1 l l space l l v l l l");
    assert_snapshot!("ranks_marked", driver.text());
    driver.keys("enter");
    assert_eq!(driver.state().focus.set.to_string(), "2,4-7");
    driver.keys("1 v l l v g a");
    assert_eq!(driver.state().focus.set.len(), 64);
    driver.keys("esc");
    assert!(driver.app.view.ranks.marks.is_empty());
    driver.keys("z");
    assert_snapshot!("ranks_zoomed", driver.text());
    driver.keys("m m");
    assert_snapshot!("ranks_letters", driver.text());
}

#[test]
fn a_thousand_ranks_fit() {
    let mut driver = diverged(CLASSIC, 1000);
    assert_snapshot!("thousand_80x24", driver.text());
    driver.keys("1 z");
    assert_snapshot!("thousand_zoomed", driver.text());
}

#[test]
fn walking_over_ranks_shows_their_stacks() {
    let mut driver = diverged(CLASSIC, 8);
    let line = |driver: &Driver| driver.state().inspection.stack.value().unwrap()[0].source.clone().unwrap().line;
    let before = line(&driver);
    driver.keys("a .");
    assert_eq!(driver.state().lead.0, 1);
    assert_ne!(line(&driver), before);
    driver.keys(";");
    assert_eq!((driver.state().lead.0, line(&driver)), (0, before));
    driver.keys("g h");
    assert_eq!(driver.state().focus.set.to_string(), "0-6:2");
    driver.keys("g l");
    assert_eq!(driver.state().focus.set.to_string(), "0");
}

#[test]
fn frames_are_walked() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.keys("U");
    assert_eq!(driver.state().frame(), 1);
    assert_snapshot!("caller_80x24", driver.text());
    driver.keys("3 k enter");
    assert_eq!(driver.state().frame(), 2);
    driver.keys("D D D");
    assert_eq!(driver.state().frame(), 0);
    assert!(driver.text().contains("innermost"), "{}", driver.text());
}

#[test]
fn values_open() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.go("n n n n").keys("4 g g l z");
    assert_snapshot!("variables_80x24", driver.text());
    driver.keys("h p");
    assert!(driver.text().contains(":print c"), "{}", driver.text());
    driver.keys("enter esc j j V").typed("7").keys("enter");
    assert_snapshot!("variables_assigned", driver.text());
}

#[test]
fn stacks_merge() {
    let mut driver = Driver::start("diverge", &[], 8, CLASSIC);
    driver.command("break even").go("c");
    driver.keys("3");
    assert_snapshot!("merged_80x24", driver.text());
    driver.keys("T T 2");
    assert!(!driver.app.view.chosen_stack.form(&driver.state().focus).is_tree());
    driver.keys("T");
    assert!(
        driver.app.view.chosen_stack.form(&driver.state().focus).is_tree() && driver.app.view.current == ViewId::Stack
    );
    driver.keys("g g j enter");
    assert_eq!(driver.state().focus.set.to_string(), "0-6:2");
}

#[test]
fn signals_are_told_what_to_do() {
    let mut driver = Driver::start("spin", &[], 4, CLASSIC);
    driver.keys("8 /").typed("usr1").keys("enter enter l enter");
    assert_snapshot!("signals_80x24", driver.text());
    driver.keys("S");
    assert!(driver.text().contains(":signal SIGUSR1"), "{}", driver.text());
}

#[test]
fn a_crash_stands_out() {
    let mut driver = Driver::start("crash", &[], 4, CLASSIC);
    driver.go("c");
    assert_eq!(driver.state().lead.0, 1, "rank 0 has ended: the crash is looked at");
    assert_snapshot!("crash_80x24", driver.text());
    driver.keys("9");
    assert_snapshot!("messages_80x24", driver.text());
}

#[test]
fn who_stops_while_the_lead_runs_on_is_looked_at_a_moment_later() {
    let mut driver = Driver::start("spin", &[], 4, CLASSIC);
    driver.command("[2] break turn");
    driver.keys("c").until("rank 2 to stop again", |state| {
        state.ranks.stopped().to_string() == "2" && state.ranks.at_rest().to_string() == "2"
    });
    assert_eq!(driver.state().lead.0, 0, "the lead may still arrive");
    driver.session.advance(Duration::from_secs(1));
    driver.settle();
    assert_eq!(driver.state().lead.0, 2);
    driver.keys("1 g g");
    driver.session.advance(Duration::from_secs(1));
    driver.settle();
    assert_eq!(driver.state().lead.0, 0, "whom the user chose stays");
}

#[test]
fn of_a_job_that_comes_down_the_rank_that_began_it_is_looked_at() {
    let mut driver = Driver::start("spin", &[], 4, CLASSIC);
    driver.command("[2] signal SIGABRT").until("rank 2 to die", |state| state.ranks.ended().len() == 1);
    assert_eq!(driver.state().lead.0, 0, "the others may have more to show");
    driver.command("[3] signal SIGTERM").until("rank 3 to be ended", |state| state.ranks.ended().len() == 2);
    assert_eq!(driver.state().lead.0, 2);
    driver.command("kill");
    assert!(driver.text().contains("Kill ranks 0-1?"), "{}", driver.text());
    driver.keys("y").until("all to be ended", |state| state.ranks.ended().len() == 4);
    assert_eq!(driver.state().lead.0, 2);
}

#[test]
fn output_is_told_apart_by_ranks() {
    let mut driver = Driver::start("output", &["6"], 4, CLASSIC);
    driver.go("c");
    assert_snapshot!("output_80x24", driver.text());
    driver.command("focus 1").keys("5 m g g");
    assert_snapshot!("output_of_one", driver.text());
    driver.command("set output-lines 3").keys("m g g");
    let text = driver.text();
    assert!(text.contains("older lines dropped; \"set output-lines N\" keeps more"), "{text}");
    assert_eq!(driver.state().output.len(), 3);
}

#[test]
fn threads_are_listed_and_chosen() {
    let mut driver = Driver::start("spin", &[], 2, CLASSIC);
    driver.command("break turn").go("c").keys("7 j enter");
    assert_eq!(driver.state().thread.map(|thread| thread.0), Some(2));
    assert_snapshot!("threads_80x24", driver.text());
}

#[test]
fn running_ranks_do_not_block() {
    let mut driver = Driver::start("spin", &[], 4, CLASSIC);
    driver.keys("c").until("all to run", |state| state.ranks.stopped().is_empty());
    driver.keys("2 b 6").command("status");
    assert_snapshot!("running_80x24", driver.text());
    driver.keys("ctrl-c").until("all to be halted", |state| state.ranks.stopped().len() == 4);
    assert!(driver.text().contains("halted"), "{}", driver.text());
}

#[test]
fn commands_are_typed_completed_and_remembered() {
    let mut driver = in_kernel(CLASSIC, 4);
    driver.keys(":").typed("br").keys("tab");
    assert_snapshot!("completion_80x24", driver.text());
    driver.keys("tab tab esc");
    assert!(driver.app.view.layers.is_empty(), "one escape leaves the prompt, whatever is shown");
    driver
        .command("print n")
        .command("print iteration")
        .keys(":")
        .typed("print n")
        .keys("ctrl-u")
        .typed("pr")
        .keys("up up");
    assert!(driver.text().contains(":print n"), "{}", driver.text());
    driver.keys("down down ctrl-u").typed("print it");
    assert!(driver.text().contains(":print iteration"), "the history suggests how to go on: {}", driver.text());
    driver.keys("right enter");
    assert_eq!(driver.app.history.lines().last().map(String::as_str), Some("print iteration"));
    driver.keys("esc").command("print nosuch");
    assert!(driver.text().contains("nosuch"), "{}", driver.text());
    driver.command("where");
    assert_snapshot!("page_80x24", driver.text());
    driver.keys("j k 4");
    assert_eq!(driver.app.view.current, ViewId::Variables, "a key that no page knows goes to what lies below");
    assert!(driver.app.view.layers.is_empty());
}

#[test]
fn ranks_without_an_answer_are_told_of_behind_those_with_one() {
    let mut driver = Driver::start("stencil", &[], 4, CLASSIC);
    let (origin, state) = (Origin::typed(CommandId(9000), "print n"), driver.state().clone());
    let done = Content::Done { elapsed: Duration::ZERO, answered: ProcessSet::range(0, 1), failed: true };
    let missing = Content::Missing(ProcessSet::range(1, 4), "running".into());
    for content in [missing, Content::Text(ProcessSet::range(0, 1), "seventeen".into()), done] {
        driver.app.report(&Report { origin: Some(origin.clone()), content, limits: FormatOptions::default() }, &state);
    }
    let text = driver.text();
    let (answer, missing) = (text.find("[0] seventeen"), text.find("[1-3] missing: running"));
    assert!(answer.is_some() && answer < missing, "{text}");
}

#[test]
fn a_late_answer_takes_the_place_of_its_absence() {
    let mut driver = Driver::start("stencil", &[], 4, CLASSIC);
    let state = driver.state().clone();
    let content = Box::new(Content::Text(ProcessSet::range(1, 2), "seventeen".into()));
    let late = Content::Late { ranks: ProcessSet::range(1, 2), command: "print n".into(), content };
    driver.app.report(&Report { origin: None, content: late, limits: FormatOptions::default() }, &state);
    let text = driver.text();
    assert!(text.contains("late answer to \"print n\": [1] seventeen"), "{text}");
}

#[test]
fn a_place_is_shown() {
    let mut driver = in_kernel(CLASSIC, 2);
    driver.keys("2 o").typed("halo").keys("enter");
    assert_snapshot!("place_80x24", driver.text());
    driver.keys("g .");
    assert!(driver.text().contains("●▶ 36"), "{}", driver.text());
    driver.keys("/").typed("residual").keys("enter ctrl-n");
    let line = driver.app.view.source.list.cursor + 1;
    driver.keys("ctrl-p");
    assert!(driver.app.view.source.list.cursor + 1 < line);
}

#[test]
fn keys_are_shown_and_quitting_asks() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.keys("g");
    assert_snapshot!("which_key_80x24", driver.text());
    driver.keys("esc ?");
    assert_snapshot!("help_80x24", driver.text());
    driver.keys("esc q");
    assert_snapshot!("quit_80x24", driver.text());
    driver.keys("esc");
    assert_eq!(driver.outside, []);
    driver.keys("q k");
    assert!(driver.state().phase == rankscope::controller::state::Phase::Ended);
    driver.keys("q");
    assert_eq!(driver.outside, [Effect::Leave]);
}

#[test]
fn starting_again_asks_for_a_yes() {
    let mut driver = in_kernel(CLASSIC, 8);
    let starts = |driver: &Driver| {
        driver.session.reports.iter().filter(|report| matches!(report.content, Content::Session(_))).count()
    };
    driver.keys("R");
    assert!(driver.text().contains("start all 8 ranks again?"), "{}", driver.text());
    driver.keys("n R x esc");
    driver.keys("R enter");
    assert_eq!(starts(&driver), 1, "enter kills nothing");
    driver.keys("R y");
    assert_eq!(starts(&driver), 2);
}

#[test]
fn without_a_job_the_screen_says_how_to_begin() {
    let mut app = App::default();
    let state = State::default();
    app.settle(&state, Instant::now());
    assert_snapshot!("idle_80x24", text(&crate::drawn::screen(&app, &state, &Theme::dark())));
    let mut state = State { phase: Phase::Launching("3 of 8 ranks are there".into()), ..State::default() };
    state.program = "mpirun -n 8 ./ring".into();
    assert!(text(&crate::drawn::screen(&app, &state, &Theme::dark())).contains("3 of 8 ranks"));
    state.phase = Phase::Failed("mpirun: no hosts were given".into());
    state.launcher = "srun: no such partition\n".into();
    let shown = text(&crate::drawn::screen(&app, &state, &Theme::dark()));
    assert!(shown.contains("no hosts were given") && shown.contains("srun: no such partition"), "{shown}");
}

#[test]
fn small_screens_show_one_view_and_tiny_ones_say_so() {
    let mut driver = in_kernel((40, 12), 8);
    assert_snapshot!("small_40x12", driver.text());
    driver.keys("1");
    assert_snapshot!("small_ranks_40x12", driver.text());
    assert_snapshot!("tiny_20x4", in_kernel((20, 4), 8).text());
}

#[test]
fn every_size_can_be_drawn() {
    let mut driver = diverged(CLASSIC, 70);
    for view in ViewId::ALL {
        match view {
            ViewId::Array => _ = driver.command("array rod"),
            view => _ = driver.keys(&view.sign().to_string()),
        }
        for (width, height) in [(1, 1), (7, 30), (24, 6), (25, 7), (56, 18), (57, 40), (80, 24), (200, 8), (300, 90)] {
            driver.app.resize(width, height);
            driver.settle();
            driver.text();
            driver.keys("j j k G");
            driver.keys("? esc q");
            driver.text();
            driver.keys("esc :").typed("print").keys("tab");
            driver.text();
            driver.keys("esc esc g");
            driver.text();
            driver.keys("esc");
        }
    }
}

#[test]
fn keys_page_is_not_stale() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/KEYS.md");
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, keys_page()).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == keys_page(), "docs/KEYS.md is stale; UPDATE=1 cargo test --test screen keys_page writes it again");
}

#[test]
fn expressions_are_kept_in_sight() {
    let mut driver = in_kernel(CLASSIC, 8);
    driver.keys("w").typed("n * 2 + 1").keys("enter").command("display nosuch");
    let shown: Vec<_> = driver.state().displays.iter().map(|(number, shown)| (number, shown.to_string())).collect();
    assert_eq!(shown, [(1, "n * 2 + 1".to_owned())]);
    driver.keys("4 g g");
    assert_snapshot!("displayed_80x24", driver.text());
    driver.keys("j d");
    assert!(!driver.state().displays.is_empty(), "only the row under the cursor is taken away");
    driver.keys("k d");
    assert!(driver.state().displays.is_empty());
}

#[test]
fn variables_give_way_to_registers_and_libraries() {
    let mut driver = in_kernel(LARGE, 8);
    driver.keys("4 m");
    assert_snapshot!("registers_160x50", driver.text());
    driver.keys("m");
    assert_snapshot!("libraries_160x50", driver.text());
    driver.keys("m");
    assert!(driver.text().contains("4 across ranks"), "{}", driver.text());
    driver.keys("m");
    assert!(driver.text().contains("4 variables"), "{}", driver.text());
}

#[test]
fn a_sentence_that_is_wider_than_the_terminal_goes_on_below() {
    let mut driver = Driver::start("stencil", &[], 8, CLASSIC);
    driver.command("break nowhere that a terminal of so few columns has room for in a single line of words");
    let text = driver.text();
    assert!(text.contains("nowhere that a terminal") && text.contains("Keep breakpoint 1 pending?"), "{text}");
}

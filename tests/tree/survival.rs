//! A hundred front ends die in one session, each in the middle of something. After every death the next one sees the
//! same as a front end that never died.

use crate::support::batch::Place;
use crate::support::live::Live;
use crate::support::process::is_alive;
use crate::support::pty::Terminal;
use crate::support::wait::wait_for;
use serde_json::Value;
use std::process::Command;

const DEATHS: usize = 100;
/// One in this many deaths is a closed terminal.
const BY_TERMINAL: usize = 5;
const JOB: &[&str] = &["demo", "-n", "4", "--ranks-per-server", "2"];

/// The action during which a front end dies.
#[derive(Clone, Copy, Debug)]
enum Moment {
    Go,
    Step,
    Storm,
    Answer,
}

impl Moment {
    fn of(round: usize) -> Self {
        [Self::Go, Self::Step, Self::Storm, Self::Answer][round % 4]
    }

    /// Commands that change the ranks, one after the other.
    fn commands(self) -> &'static [&'static str] {
        match self {
            Self::Go => &["go"],
            Self::Step => &["next"],
            Self::Storm => &["go"; 5],
            Self::Answer => &[],
        }
    }

    /// The same by keys.
    fn keys(self) -> &'static str {
        match self {
            Self::Go => "c",
            Self::Step => "n",
            // A second `c` would continue only those that have stopped by then.
            Self::Storm => "cjkjkjkjkjkjkjk",
            Self::Answer => ":where\r",
        }
    }
}

/// Everything that a user can see of the ranks.
fn seen(live: &mut Live) -> Vec<Value> {
    let lines = ["wait for 60", "status", "breakpoints", "where", "print row"];
    let objects = lines.iter().flat_map(|line| live.run(line));
    objects.filter(|object| !matches!(object["type"].as_str(), Some("output" | "stopped" | "running"))).collect()
}

fn step(live: &mut Live, command: &str) -> Vec<Value> {
    assert!(live.run(command).iter().all(|object| object["type"] != "error"), "{command}");
    seen(live)
}

fn begin(place: &Place) -> (Live, Vec<Value>) {
    let mut live = Live::start(place, JOB);
    live.until_stopped("0-3");
    live.run("wait for 60");
    live.run("break update_row");
    let first = step(&mut live, "go");
    (live, first)
}

/// A front end on a terminal resumes, sends something, and loses its terminal.
fn dies_with_its_terminal(place: &Place, moment: Moment) {
    let mut terminal = Terminal::start_at(place.home(), "bash", &["--norc", "-i"], (100, 30));
    terminal.until("a prompt", |text| text.trim_end().ends_with(['$', '#']));
    let command = format!("{} resume\r", env!("CARGO_BIN_EXE_rankscope"));
    terminal.send(&command).see(&["update_row", "0", "1", "2", "3", "all 0-3", "q quit"]);
    let shell = terminal.pid();
    let children = std::fs::read_to_string(format!("/proc/{shell}/task/{shell}/children")).unwrap();
    let front: u32 = children.trim().parse().unwrap();
    terminal.send(moment.keys());
    terminal.hang_up();
    wait_for("the front end to leave", || (!is_alive(front)).then_some(()));
}

#[test]
fn a_hundred_front_ends_die_and_the_session_is_as_if_none_had() {
    // The session whose front end never dies.
    let place = Place::new();
    let (mut live, first) = begin(&place);
    let mut expected = vec![first];
    for command in (0..DEATHS).flat_map(|round| Moment::of(round).commands()) {
        expected.push(step(&mut live, command));
    }
    live.run("quit");
    live.end();
    place.until_empty();

    let (live, first) = begin(&place);
    assert_eq!(first, expected[0]);
    let (mut live, mut done, mut lost) = (Some(live), 0, 0);
    for round in 0..DEATHS {
        let moment = Moment::of(round);
        let commands = moment.commands();
        match live.take() {
            Some(old) if round % BY_TERMINAL == 0 => {
                old.kill();
                dies_with_its_terminal(&place, moment);
            }
            Some(mut old) => {
                commands.iter().for_each(|command| old.say(&format!("{command}\nwait for 60")));
                if commands.is_empty() {
                    old.say("where");
                }
                if round % 3 == 0 {
                    // This one certainly arrives.
                    old.until("the beginning of an answer", |_| true);
                }
                old.kill();
            }
            None => unreachable!(),
        }
        let mut next = Live::start(&place, &["resume"]);
        next.until("the state of the session", |object| object["type"] == "status");
        let mut now = seen(&mut next);
        // Some of it may have arrived before the end, but each command as a whole or not at all.
        let heard = expected[done..=done + commands.len()].iter().position(|state| *state == now);
        let heard = heard.unwrap_or_else(|| panic!("{moment:?} in round {round}: {now:#?}\n{:#?}", expected[done]));
        for command in &commands[heard..] {
            now = step(&mut next, command);
        }
        lost += commands.len() - heard;
        done += commands.len();
        assert_eq!(now, expected[done], "{moment:?} in round {round}");
        live = Some(next);
    }
    assert!(lost < done, "no command was ever heard before the end");
    let mut live = live.unwrap();
    live.run("quit");
    live.end();
    place.until_empty();
    let left = Command::new("ls").arg(place.path().join("rankscope")).output().unwrap();
    assert_eq!(String::from_utf8(left.stdout).unwrap(), "", "files of the session are left");
}

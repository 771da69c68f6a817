//! The dialog of reverse connection requests: its contents and its keys.

use insta::assert_snapshot;
use rankscope::controller::state::{Ask, ListedRequest, NotAcceptable, RequestId};
use rankscope::controller::{Controller, Settings};
use rankscope::protocol::reverse::{BatchJob, ConnectRequest};
use rankscope::ui::app::App;
use rankscope::ui::effect::Effect;
use rankscope::ui::keys::Chord;
use rankscope::ui::layer::Layer;
use rankscope::ui::theme::Theme;
use std::time::{Duration, Instant};

const CLASSIC: (u16, u16) = (80, 24);
const LARGE: (u16, u16) = (160, 50);

/// A screen without a job, and the effects of its keys.
struct Idle {
    app: App,
    controller: Controller,
    asked: Vec<Ask>,
    effects: Vec<Effect>,
}

impl Idle {
    fn new((width, height): (u16, u16)) -> Self {
        let mut app = App::default();
        app.resize(width, height);
        let controller = Controller::new(Settings::default());
        let mut idle = Self { app, controller, asked: Vec::new(), effects: Vec::new() };
        idle.settle();
        idle
    }

    fn settle(&mut self) {
        for report in self.controller.take_reports() {
            self.app.report(&report, self.controller.state());
        }
        let now = Instant::now();
        self.app.settle(self.controller.state(), now);
        // As if the user looked at each screen before the next key.
        self.app.drawn(now);
        self.app.settle(self.controller.state(), now + Duration::from_secs(1));
    }

    /// Updates the list of requests.
    fn see(&mut self, listed: &[ListedRequest]) -> &mut Self {
        self.controller.requests_seen(Ok(listed.to_vec()));
        self.settle();
        self
    }

    fn keys(&mut self, keys: &str) -> &mut Self {
        for chord in Chord::parse_sequence(keys).unwrap() {
            for effect in self.app.chord(chord, Instant::now() + Duration::from_secs(1), self.controller.state()) {
                match effect {
                    Effect::Execute(line) => _ = self.controller.execute(&line),
                    other => self.effects.push(other),
                }
            }
            self.asked.extend(self.controller.take_asks().into_iter().map(|(_, ask)| ask));
            self.settle();
        }
        self
    }

    fn is_shown(&self) -> bool {
        self.app.view.layers.iter().any(|layer| matches!(layer, Layer::Requests(_)))
    }

    fn chosen(&self) -> &str {
        self.app.view.requests.chosen.as_ref().unwrap().text()
    }

    fn text(&self) -> String {
        crate::drawn::text(&crate::drawn::screen(&self.app, self.controller.state(), &Theme::dark()))
    }
}

fn listed(host: &str, words: &[&str], age: u64) -> ListedRequest {
    let request = ConnectRequest {
        program: words[0].to_owned(),
        arguments: words[1..].iter().map(|&word| word.to_owned()).collect(),
        directory: "/home/ada/runs/7".into(),
        host: host.to_owned(),
        user: "ada".into(),
        pid: 4711,
        jobs: vec![BatchJob { system: "slurm".into(), id: "123".into() }],
        ..ConnectRequest::default()
    };
    let id = RequestId::new(host, 4711, [words.len() as u8; 8]);
    ListedRequest { id, number: 1, request, age, silence: 1, fault: None }
}

fn one() -> ListedRequest {
    let mut one = listed("node7", &["srun", "-n4", "./solver", "input.txt"], 75);
    one.request.label = Some("night run".into());
    one
}

fn several() -> Vec<ListedRequest> {
    let mut stale = listed("node2", &["./old", "a"], 90_000);
    stale.fault = Some(NotAcceptable::Stale);
    stale.silence = 7300;
    let mut last = listed("node9", &["mpirun", "-n", "64", "./model", "--grid", "large", "--steps", "100"], 3);
    (stale.number, last.number) = (2, 14);
    vec![stale, one(), last]
}

#[test]
fn it_shows_the_numbers_that_commands_take() {
    let mut idle = Idle::new(CLASSIC);
    let text = idle.see(&several()).text();
    for row in [" 2 node2  ./old a", " 1 node7  srun -n4 ./solver", "14 node9  mpirun -n 64"] {
        assert!(text.contains(row), "{text}");
    }
    assert!(text.contains(&format!("request   1  {}", one().id)), "{text}");
}

#[test]
fn it_says_who_asks() {
    let mut idle = Idle::new(CLASSIC);
    assert!(!idle.is_shown());
    assert_snapshot!("idle_80x24", idle.see(&[]).text());
    assert_snapshot!("one_80x24", idle.see(&[one()]).text());
    assert_snapshot!("one_160x50", Idle::new(LARGE).see(&[one()]).text());
    assert_snapshot!("several_80x24", Idle::new(CLASSIC).see(&several()).text());
    assert_snapshot!("several_160x50", Idle::new(LARGE).see(&several()).keys("k").text());
    let mut many = several();
    many.extend((0..40).map(|n| listed(&format!("host{n}"), &["./app", "x"], n)));
    assert_snapshot!("many_80x24", Idle::new(CLASSIC).see(&many).keys("G").text());
}

#[test]
fn what_a_file_says_cannot_steer_the_terminal() {
    let mut odd = listed("no\u{1b}de", &["sr\u{1b}[2Jun", "\u{202e}x\ny"], 1);
    odd.id = RequestId::of_request_file("a\u{1b}[2Jb-1-x.request.json").unwrap();
    odd.fault = Some(NotAcceptable::File("its file name is not one that tvconnect writes".into()));
    let mut idle = Idle::new(CLASSIC);
    idle.see(&[odd]);
    assert!(!idle.is_shown(), "nothing pops up for what cannot be accepted");
    idle.keys("g w");
    let text = idle.text();
    assert!(text.contains("sr\\u{1b}[2Jun") && text.contains("\\u{202e}x\\ny"), "{text}");
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
    idle.keys("a r");
    assert_eq!(idle.asked, [Ask::List], "it cannot be answered");
}

#[test]
fn nothing_is_accepted_without_its_key() {
    let mut idle = Idle::new(CLASSIC);
    idle.see(&[one()]);
    // Keys that a user may press while the dialog appears.
    idle.keys("enter space c n s b x y 1 2 tab : / ?");
    assert!(idle.is_shown() && idle.asked.is_empty());
    let id = idle.chosen().to_owned();
    idle.keys("a");
    assert!(!idle.is_shown());
    assert_eq!(idle.asked, [Ask::Accept(Some(id))]);
    idle.see(&[one()]);
    assert!(!idle.is_shown(), "it has been answered");
}

#[test]
fn a_rejection_may_have_a_reason() {
    let mut idle = Idle::new(CLASSIC);
    idle.see(&several());
    assert!(idle.chosen().starts_with("node7-"), "the oldest that can be accepted");
    idle.keys("r n o esc");
    assert!(idle.is_shown() && idle.asked.is_empty(), "escape is no answer");
    idle.keys("r n o t space \" n o w \" enter");
    assert!(idle.is_shown() && idle.chosen().starts_with("node9-"));
    idle.keys("r enter");
    assert!(!idle.is_shown(), "only one is left that cannot be accepted");
    let asked: Vec<_> = idle
        .asked
        .iter()
        .map(|ask| match ask {
            Ask::Reject(id, reason) => (id.split('-').next().unwrap(), reason.as_deref()),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(asked, [("node7", Some("not 'now'")), ("node9", None)]);
}

#[test]
fn a_stale_request_is_removed_and_never_accepted() {
    let mut idle = Idle::new(CLASSIC);
    idle.see(&several()).keys("up a");
    assert!(idle.is_shown() && idle.asked.is_empty());
    assert!(idle.text().contains("not accepted: it is stale"), "{}", idle.text());
    let id = idle.chosen().to_owned();
    idle.keys("r");
    assert_eq!(idle.asked, [Ask::Reject(id, None)]);
}

#[test]
fn later_leaves_it_waiting_until_it_is_asked_for() {
    let mut idle = Idle::new(CLASSIC);
    idle.see(&several()).keys("l");
    assert!(idle.is_shown() && idle.chosen().starts_with("node9-"));
    idle.keys("l");
    assert!(!idle.is_shown());
    idle.see(&several());
    assert!(!idle.is_shown());
    let mut more = several();
    more.push(listed("node11", &["./new"], 0));
    idle.see(&more);
    assert!(idle.is_shown() && idle.chosen().starts_with("node11-"));
    idle.keys("esc");
    idle.see(&more);
    assert!(!idle.is_shown());
    idle.keys("g w");
    assert!(idle.is_shown());
    assert_eq!(idle.asked, [Ask::List]);
    idle.see(&[]);
    assert!(!idle.is_shown(), "nobody asks any more");
}

#[test]
fn it_takes_no_keys_from_a_line_that_is_typed() {
    let mut idle = Idle::new(CLASSIC);
    idle.keys(": h e l");
    idle.see(&[one()]);
    assert!(!idle.is_shown());
    idle.keys("p esc");
    assert!(idle.is_shown() && idle.asked.is_empty());
}

#[test]
fn a_key_listens_during_sessions_too() {
    let mut idle = Idle::new(CLASSIC);
    let setting = |idle: &Idle| idle.controller.state().variables.get("reverse-listen");
    idle.keys("g L");
    assert_eq!(setting(&idle), 2.0);
    idle.keys("g L");
    assert_eq!(setting(&idle), 1.0);
}

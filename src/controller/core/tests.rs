//! Tests of the controller without a session: they provide the replies and advance the clock.

mod acknowledged;
mod array_view;
mod attached;
mod each_function;
mod focus;
mod frame_arguments;
mod frames;
mod many_threads;
mod memory_view;
mod panes;
mod report;
mod running;
mod saving;
mod scripts;
mod silence;
mod source_frames;
mod thread_groups;

use crate::report::Content;
use crate::settings::{Settings, Start};
use crate::state::{Gaze, Lookup, Phase, Views};
use crate::{Clock, Controller};
use model::{
    Answer, BreakpointId, CodePlace, Datum, ErrorCode, Event, Failure, Frame, FrameArguments, Operation, ProcessSet,
    Rank, SourcePlace, Stop, StopReason, ThreadId, TransactionId, Variable, VariableValue,
};
use protocol::{Reply, Request, SessionCommand, SessionEvent};
use std::time::{Duration, Instant};

struct Head {
    controller: Controller,
    clock: Clock,
    /// Requests that no test has looked at yet.
    waiting: Vec<Request>,
}

fn set(text: &str) -> ProcessSet {
    ProcessSet::parse(text).unwrap()
}

fn stop(line: u32) -> Stop {
    let frame = Frame {
        level: 0,
        function: Some("kernel".into()),
        source: Some(SourcePlace { file: "/src/ring.c".into(), line }),
        code: CodePlace { module: Some("/bin/ring".into()), offset: u64::from(line), address: None },
        inlined: false,
        guessed: false,
        thread: None,
    };
    Stop { reason: StopReason::Step, thread: ThreadId(1), frame, note: None, cause: None, user: None }
}

/// The answer to a question about arguments, if there are none.
fn no_arguments(operation: &Operation) -> Option<Answer> {
    match operation {
        Operation::FrameArguments { levels, .. } => {
            let levels = levels.iter().flat_map(|(low, high)| *low..=*high);
            let none = |level| FrameArguments { level, arguments: Vec::new() };
            Some(Answer::FrameArguments(levels.map(none).collect()))
        }
        Operation::EachThread { threads, operation } => {
            let answer = no_arguments(operation)?;
            Some(Answer::EachThread(vec![model::ThreadsAnswer { threads: threads.clone(), answer }]))
        }
        _ => None,
    }
}

fn datum(value: i32) -> Datum {
    Datum { descriptor: "is4".into(), data: value.to_be_bytes().to_vec(), type_name: "int".into() }
}

impl Head {
    /// Starts with four stopped ranks.
    fn stopped(batch: bool) -> Self {
        let clock = Clock::stopped();
        let settings = Settings { batch, clock: clock.clone(), ..Settings::default() };
        let mut head = Self { controller: Controller::new(settings), clock, waiting: Vec::new() };
        let hosts = vec![("node1".to_owned(), set("0-3"))];
        let event = SessionEvent::Session { session: "s".into(), size: 4, hosts };
        head.controller.receive(Reply::Session { tid: TransactionId(0), event });
        head.event("0-3", Event::Stopped(stop(12)));
        head.controller.take_reports();
        head
    }

    fn event(&mut self, ranks: &str, event: Event) {
        self.controller.receive(Reply::Event { tid: TransactionId(0), ranks: set(ranks), event });
    }

    /// Advances the clock to this time.
    fn until(&mut self, moment: Instant) {
        self.clock.advance(moment.saturating_duration_since(self.clock.now()));
        self.controller.tick();
    }

    fn execute(&mut self, line: &str) {
        self.controller.execute(line);
    }

    /// Returns the requests to send, except those that only store data.
    fn sent(&mut self) -> Vec<Request> {
        self.answer_about_arguments();
        let mut requests = std::mem::take(&mut self.waiting);
        let reaches =
            |request: &Request| matches!(request, Request::Ranks { operation: Operation::ReachHistory(_), .. });
        requests.retain(|request| {
            !reaches(request) && !matches!(request, Request::Session { command: SessionCommand::Keep { .. }, .. })
        });
        requests
    }

    /// Answers the questions about arguments: the functions of these ranks have none.
    fn answer_about_arguments(&mut self) {
        loop {
            let mut answers = Vec::new();
            for request in self.controller.take_requests() {
                let about_arguments = match &request {
                    Request::Ranks { tid, ranks, operation, .. } => {
                        no_arguments(operation).map(|answer| (*tid, ranks.clone(), answer))
                    }
                    Request::Session { .. } => None,
                };
                match about_arguments {
                    Some(answer) => answers.push(answer),
                    None => self.waiting.push(request),
                }
            }
            if answers.is_empty() {
                return;
            }
            for (tid, ranks, answer) in answers {
                self.answer(tid, &ranks.to_string(), "", answer);
            }
        }
    }

    /// Returns the only request to send: its id, its ranks, its operation.
    #[track_caller]
    fn asked(&mut self) -> (TransactionId, String, Operation) {
        let mut requests = self.sent();
        let Some(Request::Ranks { tid, ranks, operation, .. }) = requests.pop() else { panic!("nothing is asked") };
        assert!(requests.is_empty(), "{requests:?}");
        (tid, ranks.to_string(), operation)
    }

    fn answer(&mut self, tid: TransactionId, ranks: &str, missing: &str, answer: Answer) {
        let reply = Reply::Answer { tid, ranks: set(ranks), missing: set(missing), late: false, answer };
        self.controller.receive(reply);
    }

    /// Returns the reports to the user, as text.
    fn told(&mut self) -> Vec<String> {
        self.answer_about_arguments();
        let reports = self.controller.take_reports();
        reports
            .iter()
            .flat_map(|report| match &report.content {
                Content::Done { answered, failed, .. } => {
                    vec![format!("done [{answered}]{}", if *failed { " failed" } else { "" })]
                }
                _ => crate::report::text_lines(report),
            })
            .collect()
    }
}

#[test]
fn a_rank_that_was_told_to_go_is_not_stopped_although_it_has_not_said_so() {
    let mut head = Head::stopped(true);
    head.execute("[0-1] go");
    let (tid, ranks, operation) = head.asked();
    assert_eq!((ranks.as_str(), operation), ("0-1", Operation::Go));
    head.answer(tid, "0-1", "", Answer::Ok);
    assert_eq!(head.told(), ["done [0-1]"]);
    head.execute("wait");
    assert_eq!(head.told(), Vec::<String>::new());
    head.execute("[1] print n");
    assert!(head.told()[0].starts_with("[1] error: still running"));
    head.event("0-1", Event::Running);
    head.event("0", Event::Stopped(stop(14)));
    head.told();
    head.event("1", Event::Exited(3));
    assert_eq!(head.told(), ["[1] exited with code 3", "done [0-3]"]);
}

#[test]
fn conditions_of_a_set_are_asked_first() {
    let mut head = Head::stopped(true);
    head.execute("[{n > 7} & !3] locals");
    let (tid, ranks, operation) = head.asked();
    assert_eq!(ranks, "0-3");
    assert!(matches!(operation, Operation::Evaluate { expression, .. } if expression == "n > 7"));
    head.answer(tid, "0-1", "", Answer::Data(datum(0)));
    head.answer(tid, "2-3", "", Answer::Data(datum(1)));
    let (_, ranks, operation) = head.asked();
    assert_eq!(ranks, "2");
    assert!(matches!(operation, Operation::Locals(_)));
}

#[test]
fn what_the_screen_shows_is_asked_after_each_stop_and_changes_are_marked() {
    let mut head = Head::stopped(false);
    let views = Views { locals: true, ..Views::default() };
    head.controller.look(Gaze { lead: Rank(1), views, ..Gaze::default() });
    let locals = |value| {
        let variable = |name: &str, value| Variable { name: name.into(), value: VariableValue::Known(datum(value)) };
        Answer::Variables(vec![variable("i", value), variable("n", 3)])
    };
    let (tid, ranks, _) = head.asked();
    assert_eq!(ranks, "1");
    assert_eq!(head.controller.state().inspection.locals, Lookup::Loading(None));
    head.answer(tid, "1", "", locals(0));
    let changed = |head: &Head| -> Vec<bool> {
        let Lookup::Known(shown) = &head.controller.state().inspection.locals else { panic!("not known") };
        shown.iter().map(|variable| variable.changed).collect()
    };
    assert_eq!(changed(&head), [false, false]);

    head.event("0-3", Event::Running);
    assert_eq!(head.controller.state().inspection.locals, Lookup::Absent);
    head.event("1", Event::Stopped(stop(13)));
    let (tid, ..) = head.asked();
    head.answer(tid, "1", "", locals(1));
    assert_eq!(changed(&head), [true, false]);
    let revision = head.controller.state().revision;
    head.controller.look(head.controller.state().gaze.clone());
    assert_eq!(head.controller.state().revision, revision, "nothing new, nothing drawn");
    assert!(head.controller.take_requests().is_empty());
}

#[test]
fn a_connection_that_is_gone_ends_what_was_begun() {
    let mut head = Head::stopped(true);
    head.execute("print n");
    head.controller.disconnected("the link is gone");
    assert_eq!(head.told(), ["error: the link is gone", "error: the link is gone", "done [] failed"]);
    assert_eq!(head.controller.state().phase, Phase::Failed("the link is gone".into()));
    head.execute("quit");
    assert_eq!(head.controller.state().phase, Phase::Ended);
}

#[test]
fn commands_without_a_job_say_so() {
    let mut controller = Controller::new(Settings::default());
    for line in ["print n", "go", "wait", "break main", "restart", "list"] {
        controller.execute(line);
        let told: Vec<_> = controller.take_reports().into_iter().map(|report| report.content).collect();
        assert!(
            matches!(&told[..], [Content::Error { message, .. }, Content::Done { failed: true, .. }]
            if message == "no job yet"),
            "{line}: {told:?}"
        );
    }
    assert!(controller.take_requests().is_empty());
}

#[test]
fn one_rank_is_asked_which_function_a_pending_breakpoint_means() {
    let mut head = Head::stopped(false);
    head.execute("break kernle");
    let (tid, ..) = head.asked();
    head.answer(tid, "0-3", "", Answer::Breakpoint(BreakpointId(1), Vec::new()));
    let (tid, ranks, operation) = head.asked();
    assert!(ranks == "0" && matches!(operation, Operation::Resolve(..)), "{ranks}: {operation:?}");
    let message = "Function \"kernle\" not defined. Did you mean \"kernel\"?";
    head.answer(tid, "0", "", Answer::Failed(Failure::new(ErrorCode::NO_FUNCTION, message)));
    let told = head.told();
    assert_eq!(told[1], "[0-3] Did you mean \"kernel\"?", "{told:?}");
    assert!(!told.iter().any(|line| line.contains("error")), "{told:?}");
}

#[test]
fn after_a_restart_ranks_go_when_they_have_their_breakpoints() {
    let restarted = || {
        let mut head = Head::stopped(false);
        head.execute("break kernel");
        let (tid, ..) = head.asked();
        head.answer(tid, "0-3", "", Answer::Breakpoint(BreakpointId(1), Vec::new()));
        let (tid, ..) = head.asked();
        head.answer(tid, "0", "", Answer::Failed(Failure::new(ErrorCode::NO_FUNCTION, "no such function")));
        let hosts = vec![("node1".to_owned(), set("0-3"))];
        let event = SessionEvent::Session { session: "s".into(), size: 4, hosts };
        head.controller.receive(Reply::Session { tid: TransactionId(0), event });
        head.event("0-3", Event::Stopped(stop(12)));
        head.execute("[0-1] go");
        assert!(head.sent().is_empty());
        head
    };
    let mut head = restarted();
    head.event("0", Event::BreakpointMoved(BreakpointId(1), Vec::new()));
    assert!(head.sent().is_empty());
    head.event("1", Event::BreakpointMoved(BreakpointId(1), Vec::new()));
    assert!(matches!(head.asked(), (_, ranks, Operation::Go) if ranks == "0-1"));

    // A rank that cannot set it does not report it: that must not block the others for ever.
    let mut head = restarted();
    let deadline = head.controller.next_deadline().unwrap();
    head.until(deadline);
    assert!(matches!(head.asked(), (_, ranks, Operation::Go) if ranks == "0-1"));
}

#[test]
fn what_a_command_changed_is_kept_and_known_to_the_next_front_end() {
    let mut head = Head::stopped(false);
    assert!(head.controller.take_requests().is_empty(), "there is nothing to keep yet");
    for line in ["group odd = 1,3", "set patience 9", "alias pp = print", "focus odd", "hold", "layout 2x2"] {
        head.execute(line);
    }
    let kept = head.controller.take_requests().into_iter().rev().find_map(|request| match request {
        Request::Session { command: SessionCommand::Keep { memory, .. }, .. } => Some(memory),
        _ => None,
    });
    head.execute("focus");
    assert!(head.controller.take_requests().is_empty(), "nothing has changed");

    let settings = Settings { start: Start::Replay, ..Settings::default() };
    let mut next = Head { controller: Controller::new(settings), clock: head.clock.clone(), waiting: Vec::new() };
    let hosts = vec![("node1".to_owned(), set("0-3"))];
    let job = SessionEvent::Session { session: "s".into(), size: 4, hosts };
    let states = vec![(set("0-3"), model::ProcessState::Stopped(Box::new(stop(12))))];
    let state = SessionEvent::State { breakpoints: Vec::new(), states, ranks: Vec::new(), kept };
    for event in [job, state] {
        next.controller.receive(Reply::Session { tid: TransactionId(1), event });
    }
    let (old, new) = (head.controller.state(), next.controller.state());
    assert_eq!((&new.focus, &new.groups, &new.aliases), (&old.focus, &old.groups, &old.aliases));
    assert_eq!((new.variables.rows(None), &new.held), (old.variables.rows(None), &old.held));
    assert_eq!((new.lead, &new.layout), (old.lead, &old.layout));
    assert_eq!(new.layout.word(), "2x2");
    assert_eq!(new.status_groups(&set("0-3")), old.status_groups(&set("0-3")));
}

#[test]
fn a_rank_lost_while_it_is_waited_for_is_an_error() {
    let mut head = Head::stopped(true);
    head.event("0-3", Event::Running);
    head.told();
    head.execute("wait");
    head.event("0", Event::Exited(0));
    head.event("1-2", Event::Lost("gone".into()));
    head.told();
    head.event("3", Event::Stopped(stop(14)));
    let told = head.told();
    assert_eq!(told[1..], ["[1-2] error: is lost: gone", "done [0,3] failed"], "{told:?}");

    head.execute("wait");
    assert_eq!(head.told().last().unwrap(), "done [0,3] failed", "lost before it was waited for");
    for line in ["wait !lost", "wait exited & !lost"] {
        head.execute(line);
        assert!(!head.told().last().unwrap().contains("failed"), "{line}");
    }
    for line in ["wait lost", "[lost] wait", "[state(lost)] wait exited"] {
        head.execute(line);
        assert_eq!(head.told(), ["done [1-2]"], "{line}");
    }
}

#[test]
fn what_engines_say_is_in_the_order_of_their_ranks() {
    let mut head = Head::stopped(true);
    head.execute("engine info program");
    let (tid, ..) = head.asked();
    for ranks in ["3", "1", "0,2"] {
        head.answer(tid, ranks, "", Answer::Text(format!("of {ranks}")));
    }
    assert_eq!(head.told(), ["[0,2] of 0,2", "[1] of 1", "[3] of 3", "done [0-3]"]);
}

#[test]
fn a_rank_lost_while_it_is_asked_is_an_error() {
    let mut head = Head::stopped(true);
    head.execute("print n");
    let (tid, ..) = head.asked();
    head.event("2-3", Event::Lost("gone".into()));
    head.told();
    head.answer(tid, "0-1", "2-3", Answer::Data(datum(7)));
    let lost = "[2-3] error: is lost: gone";
    assert_eq!(head.told(), ["[0-1] n = 7", lost, "done [0-1] failed"]);
}

#[test]
fn a_set_that_is_partly_lost_fails_the_script_that_means_it() {
    let lost = "[2-3] error: is lost: gone";
    for line in ["print n", "[0-2] print n", "step", "libraries", "break main"] {
        let mut head = Head::stopped(true);
        head.event("2-3", Event::Lost("gone".into()));
        head.told();
        head.execute(line);
        assert!(head.told().iter().any(|told| told.starts_with("[2") && told.ends_with(&lost[6..])), "{line}");
        head.asked();
    }
    // A script that says that some are lost, or leaves them out, gets no error; nor does a user at the screen.
    for (batch, line) in [(true, "[all - lost] print n"), (true, "[stopped | lost] print n"), (false, "print n")] {
        let mut head = Head::stopped(batch);
        head.event("2-3", Event::Lost("gone".into()));
        head.told();
        head.execute(line);
        let told = head.told();
        assert!(told.iter().all(|told| !told.contains("error")), "{line}: {told:?}");
        let (tid, ..) = head.asked();
        head.answer(tid, "0-1", "", Answer::Data(datum(7)));
        assert_eq!(head.told().last().unwrap(), "done [0-1]", "{line}");
    }
}

#[test]
fn the_end_of_the_launcher_is_told_of_all_its_ranks() {
    let mut head = Head::stopped(true);
    head.controller.receive(Reply::Session { tid: TransactionId(0), event: SessionEvent::LauncherExited(3) });
    assert_eq!(head.told(), ["[0-3] warning: the launcher exited with status 3"]);
}

#[test]
fn ranks_that_are_being_let_go_are_not_killed_by_the_end() {
    for (lines, kills) in [
        (&["[all] detach", "quit"][..], false),
        (&["quit"], true),
        (&["[0-2] detach", "quit"], true),
        (&["[0-2] detach", "[3] detach", "quit"], false),
    ] {
        let mut head = Head::stopped(false);
        lines.iter().for_each(|line| head.execute(line));
        let sent = head.sent();
        assert!(
            matches!(sent.last(), Some(Request::Session { command: SessionCommand::Quit { kill }, .. }) if *kill == kills),
            "{lines:?}: {sent:?}"
        );
    }
}

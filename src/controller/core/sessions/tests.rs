use super::*;
use crate::state::NotAcceptable;
use crate::{Clock, Settings};
use model::{Event, LaunchSpec, TransactionId};
use protocol::reverse::{ConnectRequest, RequestId};
use protocol::{Reply, Request, SessionEvent};
use std::time::Duration;

fn controller(batch: bool) -> Controller {
    Controller::new(Settings { batch, ..Settings::default() })
}

fn listed(name: &str, fault: Option<NotAcceptable>) -> ListedRequest {
    let id = RequestId::of_request_file(&format!("{name}.request.json")).unwrap();
    let request = ConnectRequest { program: "srun".into(), host: "n1".into(), ..ConnectRequest::default() };
    ListedRequest { id, number: 2, request, age: 3, silence: 1, fault }
}

fn contents(controller: &mut Controller) -> Vec<String> {
    controller.take_reports().into_iter().flat_map(|report| crate::report::text_lines(&report)).collect()
}

fn plan() -> LaunchPlan {
    LaunchPlan::Local { ranks: 1, spec: LaunchSpec::default() }
}

fn seen(controller: &mut Controller, list: &[ListedRequest]) {
    controller.requests_seen(Ok(list.to_vec()));
}

/// Accepts a request as the watcher does; returns its launch.
fn accept(controller: &mut Controller) -> (CommandId, TransactionId) {
    let command = controller.execute("reverse accept x");
    assert_eq!(controller.take_asks(), [(command, Ask::Accept(Some("x".into())))]);
    controller.leave_session();
    assert!(controller.take_session(command, plan(), "srun (n1)".into()));
    match controller.take_requests().pop() {
        Some(Request::Session { tid, command: SessionCommand::Launch(launched) }) if launched == plan() => {
            (command, tid)
        }
        other => panic!("{other:?}"),
    }
}

fn session(controller: &mut Controller, tid: TransactionId, event: SessionEvent) {
    controller.receive(Reply::Session { tid, event });
}

fn there(controller: &mut Controller, tid: TransactionId) {
    let hosts = vec![("n1".to_owned(), ProcessSet::all(1))];
    session(controller, tid, SessionEvent::Session { session: "s".into(), size: 1, hosts });
}

fn event(controller: &mut Controller, event: Event) {
    let ranks = ProcessSet::all(1);
    controller.receive(Reply::Event { tid: TransactionId(0), ranks, event });
}

#[test]
fn it_listens_while_nothing_is_debugged() {
    let mut screen = controller(false);
    assert!(screen.listens());
    screen.execute("reverse listen off");
    assert!(!screen.listens());
    screen.execute("set reverse-listen 1");
    let (_, tid) = accept(&mut screen);
    assert!(!screen.listens());
    there(&mut screen, tid);
    assert!(!screen.listens());
    screen.execute("reverse listen on");
    assert!(screen.listens());

    let mut script = controller(true);
    assert!(!script.listens());
    script.execute("reverse wait");
    assert!(script.listens());
}

#[test]
fn new_requests_are_told_once() {
    let mut screen = controller(false);
    seen(&mut screen, &[listed("a-1-x", None), listed("b-1-x", Some(NotAcceptable::Stale))]);
    assert_eq!(contents(&mut screen), ["2  a-1-x  srun  on n1, waiting for 3 s"]);
    let revision = screen.state().revision;
    seen(&mut screen, &[listed("a-1-x", None), listed("b-1-x", Some(NotAcceptable::Stale))]);
    assert_eq!(screen.state().revision, revision, "nothing new, nothing drawn");
    seen(&mut screen, &[listed("a-1-x", None), listed("c-1-x", None)]);
    assert_eq!(contents(&mut screen).len(), 1);
    screen.requests_seen(Err("it is open to others".into()));
    screen.requests_seen(Err("it is open to others".into()));
    assert_eq!(contents(&mut screen), ["warning: it is open to others"]);
}

#[test]
fn a_wait_ends_with_a_request_that_is_seen_after_it_began() {
    let clock = Clock::stopped();
    let settings = Settings { batch: true, clock: clock.clone(), ..Settings::default() };
    let mut script = Controller::new(settings);
    seen(&mut script, &[listed("old-1-x", None)]);
    contents(&mut script);
    script.execute("reverse wait 5");
    assert_eq!(contents(&mut script), Vec::<String>::new(), "what was there before may be gone by now");
    seen(&mut script, &[listed("stale-1-x", Some(NotAcceptable::Stale))]);
    assert_eq!(script.state().busy, 1);
    seen(&mut script, &[listed("new-1-x", None)]);
    assert_eq!(contents(&mut script), ["2  new-1-x  srun  on n1, waiting for 3 s"]);
    assert_eq!(script.state().busy, 0);

    script.execute("reverse wait 0.5");
    seen(&mut script, &[]);
    assert_eq!(script.next_deadline(), Some(clock.now() + Duration::from_millis(500)));
    clock.advance(Duration::from_millis(500));
    script.tick();
    assert_eq!(contents(&mut script), ["error: no program asked for a debugger within 0.5 s"]);
}

#[test]
fn answers_of_the_desk_end_their_commands() {
    let mut script = controller(true);
    let list = script.execute("dload -list");
    let reject = script.execute("dload -reject x not now");
    let refused = script.execute("reverse reject y");
    let reason = Some("not now".to_owned());
    let asked =
        [(list, Ask::List), (reject, Ask::Reject("x".into(), reason)), (refused, Ask::Reject("y".into(), None))];
    assert_eq!(script.take_asks(), asked);
    seen(&mut script, &[]);
    script.request_done(list, Ok(String::new()));
    script.request_done(reject, Ok("rejected x".into()));
    script.request_done(refused, Err("there is no request".into()));
    script.request_done(refused, Err("nobody waits for this".into()));
    assert_eq!(
        contents(&mut script),
        ["no program is asking for a debugger", "rejected x", "error: there is no request"]
    );
}

#[test]
fn an_accepted_request_becomes_the_session_and_its_end_is_a_beginning() {
    let mut screen = controller(false);
    screen.execute("set patience 7");
    let (_, tid) = accept(&mut screen);
    assert_eq!((screen.state().phase.clone(), screen.state().program.as_str()), (Phase::Connecting, "srun (n1)"));
    there(&mut screen, tid);
    assert_eq!((screen.state().phase.clone(), screen.state().size(), screen.state().busy), (Phase::Live, 1, 0));
    screen.execute("quit");
    session(&mut screen, tid, SessionEvent::Ended);
    let next = screen.execute("reverse accept y");
    screen.disconnected("the master has closed the link");
    assert!(screen.awaits_session(next), "the end of the old link is none of its business");
    screen.request_done(next, Err("gone".into()));
    screen.take_asks();
    let state = screen.state();
    assert_eq!((state.phase.clone(), state.size(), state.program.as_str()), (Phase::Idle, 0, ""));
    assert_eq!(state.variables.get("patience"), 7.0);
    assert!(screen.listens());
    let (_, tid) = accept(&mut screen);
    there(&mut screen, tid);
    assert_eq!(screen.state().phase, Phase::Live);
}

#[test]
fn a_session_with_live_ranks_is_not_thrown_away() {
    let mut screen = controller(false);
    let (_, tid) = accept(&mut screen);
    screen.execute("reverse accept y");
    there(&mut screen, tid);
    screen.execute("reverse accept y");
    let told = contents(&mut screen);
    assert!(told.iter().any(|line| line.contains("already accepting another request")), "{told:?}");
    assert!(told.iter().any(|line| line.contains("ranks of this session are alive")), "{told:?}");
    assert_eq!(screen.take_asks(), []);

    event(&mut screen, Event::Exited(0));
    let command = screen.execute("reverse accept y");
    screen.leave_session();
    let quit = screen.take_requests();
    assert!(matches!(&quit[..], [Request::Session { command: SessionCommand::Quit { kill: true }, .. }]), "{quit:?}");
    assert!(screen.take_session(command, plan(), "other".into()));
    assert!(!screen.take_session(command, plan(), "twice".into()));
    assert_eq!((screen.state().size(), screen.state().program.as_str()), (0, "other"));
}

#[test]
fn a_script_goes_on_when_the_ranks_of_the_request_stand() {
    let mut script = controller(true);
    let (_, tid) = accept(&mut script);
    there(&mut script, tid);
    assert_eq!(script.state().busy, 1);
    let code = model::CodePlace { module: None, offset: 0, address: None };
    let frame =
        model::Frame { level: 0, function: None, source: None, code, inlined: false, guessed: false, thread: None };
    let thread = model::ThreadId(1);
    let stop = model::Stop { reason: model::StopReason::Start, thread, frame, note: None, cause: None, user: None };
    event(&mut script, Event::Stopped(stop));
    assert_eq!(script.state().busy, 0);
}

#[test]
fn a_job_that_cannot_be_started_ends_its_session_and_no_more() {
    let mut screen = controller(false);
    let (_, tid) = accept(&mut screen);
    session(&mut screen, tid, SessionEvent::Failed("srun: no nodes".into()));
    assert!(contents(&mut screen).contains(&"error: srun: no nodes".to_owned()));
    let quit = screen.take_requests();
    assert!(matches!(&quit[..], [Request::Session { command: SessionCommand::Quit { kill: true }, .. }]), "{quit:?}");
    session(&mut screen, tid, SessionEvent::Ended);
    assert_eq!(screen.state().phase, Phase::Idle);
}

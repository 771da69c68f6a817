//! Ranks that were attached to cannot be started again, and the screen knows that.

use super::*;
use model::LaunchSpec;
use protocol::{AttachTarget, LaunchPlan};

fn ready(controller: &mut Controller) {
    let hosts = vec![("node1".to_owned(), set("0-1"))];
    let event = SessionEvent::Session { session: "s".into(), size: 2, hosts };
    controller.receive(Reply::Session { tid: TransactionId(1), event });
}

#[test]
fn that_ranks_were_attached_to_is_known_to_this_front_end_and_the_next() {
    let spec = LaunchSpec::default();
    for (plan, is_attached) in [
        (LaunchPlan::Local { ranks: 2, spec: spec.clone() }, false),
        (LaunchPlan::Attach { target: AttachTarget::Processes(vec![4711]), spec }, true),
    ] {
        let mut first = Controller::new(Settings { start: Start::Launch(plan), ..Settings::default() });
        ready(&mut first);
        assert_eq!(first.state().is_attached, is_attached);
        let kept = first.take_requests().into_iter().find_map(|request| match request {
            Request::Session { command: SessionCommand::Keep { memory, .. }, .. } => Some(memory),
            _ => None,
        });
        let mut next = Controller::new(Settings { start: Start::Replay, ..Settings::default() });
        ready(&mut next);
        let (states, ranks) = (Vec::new(), Vec::new());
        let event = SessionEvent::State { breakpoints: Vec::new(), states, ranks, kept };
        next.receive(Reply::Session { tid: TransactionId(1), event });
        assert_eq!(next.state().is_attached, is_attached);
    }
}

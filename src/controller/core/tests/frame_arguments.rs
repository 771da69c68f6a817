//! The arguments of frames that commands show: asked for once the stacks are known.

use super::*;
use model::{ArgumentDetail, ArgumentValue, FrameArgument, ThreadsAnswer};

/// A stack of a function of a library, called by `kernel` and `main`.
fn in_library() -> Vec<Frame> {
    let library = |level, function: &str| Frame {
        level,
        function: Some(function.into()),
        source: None,
        code: CodePlace { module: Some("/lib/libmpi.so".into()), offset: 1, address: None },
        ..stop(1).frame
    };
    let own = |level, function: &str| Frame { level, function: Some(function.into()), ..stop(10 + level).frame };
    vec![library(0, "poll"), library(1, "MPI_Wait"), own(2, "kernel"), own(3, "main")]
}

fn arguments(of: &[(u32, i32)]) -> Answer {
    let frame = |(level, value): &(u32, i32)| {
        let value = ArgumentValue::Shared(VariableValue::Known(datum(*value)));
        FrameArguments { level: *level, arguments: vec![FrameArgument { name: "n".into(), value }] }
    };
    Answer::FrameArguments(of.iter().map(frame).collect())
}

impl Head {
    /// Takes the only request without answering it, and checks its ranks and levels.
    #[track_caller]
    fn asked_for_arguments(&mut self, of: &str, expected: &[(u32, u32)]) -> TransactionId {
        let mut requests = self.controller.take_requests();
        let Some(Request::Ranks { tid, ranks, operation, .. }) = requests.pop() else { panic!("nothing is asked") };
        assert!(requests.is_empty(), "{requests:?}");
        let Operation::FrameArguments { levels, .. } = operation else { panic!("{operation:?}") };
        assert_eq!((ranks.to_string().as_str(), levels.as_slice()), (of, expected));
        tid
    }
}

#[test]
fn only_frames_that_are_shown_are_asked_for_their_arguments() {
    let mut head = Head::stopped(true);
    head.execute("where");
    let (tid, ..) = head.asked();
    head.answer(tid, "0-3", "", Answer::Stack(in_library()));
    let tid = head.asked_for_arguments("0-3", &[(2, 3)]);
    head.answer(tid, "0-1", "", arguments(&[(2, 7), (3, 5)]));
    head.answer(tid, "2-3", "", arguments(&[(2, 9)]));
    let told = head.told();
    assert_eq!(
        told[1..],
        ["[0-3] #2  kernel (n=7..9) at ring.c:12", "[0-3] #3  main (n=5) at ring.c:13", "done [0-3]"]
    );
}

#[test]
fn stacks_are_shown_although_arguments_are_not_read() {
    let mut head = Head::stopped(true);
    head.execute("where 4");
    let (tid, ..) = head.asked();
    head.answer(tid, "0-3", "", Answer::Stack(in_library()));
    let tid = head.asked_for_arguments("0-3", &[(2, 3)]);
    let failure = Failure::new(ErrorCode::NOT_IMPLEMENTED, "no");
    head.answer(tid, "0-2", "3", Answer::Failed(failure));
    let told = head.told();
    assert_eq!(told[2], "[0-3] #2  kernel (...) at ring.c:12", "{told:?}");
    assert!(told.iter().any(|line| line.starts_with("[3] no reply") || line.starts_with("[3] missing")), "{told:?}");
}

#[test]
fn the_setting_says_what_is_asked_and_shown() {
    for (word, detail, shown) in [
        ("all", ArgumentDetail::All, "(n=4)"),
        ("none", ArgumentDetail::None, "(n=4)"),
        ("presence", ArgumentDetail::Presence, "(...)"),
    ] {
        let mut head = Head::stopped(true);
        head.execute(&format!("set print frame-arguments {word}"));
        let (tid, ..) = head.asked();
        head.answer(tid, "0-3", "", Answer::Ok);
        head.told();
        head.execute("frame 2");
        let (tid, ..) = head.asked();
        head.answer(tid, "0-3", "", Answer::Stack(in_library().split_off(2)));
        let requests = head.controller.take_requests();
        let [Request::Ranks { tid, operation, .. }] = requests.as_slice() else { panic!("{requests:?}") };
        let expected = Operation::FrameArguments { thread: None, levels: vec![(2, 2)], detail };
        assert_eq!(*operation, expected);
        head.answer(*tid, "0-3", "", arguments(&[(2, 4)]));
        assert_eq!(head.told()[0], format!("[0-3] #2  kernel {shown} at ring.c:12"));
    }
}

#[test]
fn threads_with_other_arguments_share_their_frames() {
    let mut head = Head::stopped(true);
    head.execute("[0-3.{2,5}] where 1");
    let mut rounds = 0;
    while let Some(Request::Ranks { tid, operation, .. }) = head.controller.take_requests().pop() {
        let answer = |operation: &Operation, thread: u32| match operation {
            Operation::Stack { .. } => Answer::Stack(vec![stop(9).frame]),
            Operation::FrameArguments { .. } => arguments(&[(0, thread as i32)]),
            other => panic!("{other:?}"),
        };
        let answer = match &operation {
            Operation::Threads => Answer::Threads(
                [1, 2, 5]
                    .map(|id| model::ThreadInfo {
                        id: ThreadId(id),
                        current: id == 1,
                        name: "app".into(),
                        frame: None,
                        user: None,
                    })
                    .to_vec(),
            ),
            Operation::EachThread { threads, operation } => {
                let said =
                    |thread: &ThreadId| ThreadsAnswer { threads: vec![*thread], answer: answer(operation, thread.0) };
                Answer::EachThread(threads.iter().map(said).collect())
            }
            other => answer(other, other.without_thread().map_or(0, |(thread, _)| thread.0)),
        };
        head.answer(tid, "0-3", "", answer);
        rounds += 1;
        assert!(rounds < 20, "the requests do not end");
    }
    assert_eq!(head.told(), ["[0-3.{2,5}] #0  kernel (n=2..5) at ring.c:9", "done [0-3]"]);
}

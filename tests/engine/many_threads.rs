//! The same question to many threads at once.

use crate::session::{Kind, Session, breakpoint, on_mark};
use rankscope::model::{Answer, Context, ErrorCode, LocationSpec, Operation, ThreadId};

contract!(
    many_threads_say_at_once_what_each_says_alone,
    threads_that_are_not_there_say_so_among_others,
    only_what_looks_at_a_thread_is_asked_of_many,
);

/// Stopped with several threads in several functions.
fn threaded(kind: Kind) -> (Session, Vec<ThreadId>) {
    let mut session = Session::new(kind);
    if let Kind::Fake = kind {
        session.launch(rankscope::model::LaunchSpec { program: "fake:spin".to_owned(), ..Default::default() }, 1);
        session.stop(0);
        session.break_at(breakpoint(1, LocationSpec::Function("turn".to_owned())));
    } else {
        session.launch(kind.spec("threads_hot.c", &[]), 1);
        session.stop(0);
        session.break_at(on_mark(1, "threads_hot.c", "pass"));
    }
    session.go(0);
    session.go(0);
    let Answer::Threads(threads) = session.ask(0, Operation::Threads) else { panic!() };
    assert!(threads.len() > 1, "{threads:?}");
    (session, threads.into_iter().map(|thread| thread.id).collect())
}

/// The answers of threads asked at the same time; repeats until every thread has answered.
fn at_once(session: &mut Session, threads: &[ThreadId], operation: &Operation) -> Vec<(ThreadId, Answer)> {
    let mut heard = Vec::new();
    let mut left = threads.to_vec();
    while !left.is_empty() {
        let many = Operation::EachThread { threads: left.clone(), operation: Box::new(operation.clone()) };
        let answer = session.ask(0, many);
        assert!(answer.of_thread(left[0]).is_some(), "the first of them answers: {answer:?}");
        left.retain(|thread| match answer.of_thread(*thread) {
            Some(said) => {
                heard.push((*thread, said.clone()));
                false
            }
            None => true,
        });
    }
    heard
}

fn many_threads_say_at_once_what_each_says_alone(kind: Kind) {
    let (mut session, threads) = threaded(kind);
    let here = Context { thread: None, frame: 0 };
    for operation in [
        Operation::Stack { thread: None, low: 0, high: None, most: None },
        Operation::Stack { thread: None, low: 0, high: Some(0), most: None },
        Operation::Stack { thread: None, low: 1, high: Some(1), most: None },
        Operation::StackDepth(None),
        Operation::Arguments(here),
        Operation::Locals(here),
        Operation::Registers(here, vec!["rip".to_owned(), "rsp".to_owned()]),
    ] {
        let heard = at_once(&mut session, &threads, &operation);
        assert_eq!(heard.len(), threads.len());
        for (thread, said) in heard {
            let alone = session.ask(0, operation.of_thread(thread).unwrap());
            assert_eq!(said, alone, "thread {thread}: {operation:?}");
        }
    }
}

fn threads_that_are_not_there_say_so_among_others(kind: Kind) {
    let (mut session, threads) = threaded(kind);
    let operation = Operation::Stack { thread: None, low: 0, high: Some(0), most: None };
    let some = [ThreadId(777), threads[0], ThreadId(778)];
    let heard = at_once(&mut session, &some, &operation);
    assert!(matches!(&heard[0].1, Answer::Failed(failure) if failure.message.contains("777")), "{heard:?}");
    assert!(matches!(&heard[1].1, Answer::Stack(frames) if frames.len() == 1), "{heard:?}");
    assert!(matches!(&heard[2].1, Answer::Failed(failure) if failure.message.contains("778")), "{heard:?}");
    let more: Vec<ThreadId> = (1000..1000 + 2 * Operation::MOST_THREADS as u32).map(ThreadId).collect();
    let many = Operation::EachThread { threads: more.clone(), operation: Box::new(operation.clone()) };
    let Answer::EachThread(said) = session.ask(0, many) else { panic!() };
    let count: usize = said.iter().map(|said| said.threads.len()).sum();
    assert!((1..=Operation::MOST_THREADS).contains(&count), "{count}");
}

fn only_what_looks_at_a_thread_is_asked_of_many(kind: Kind) {
    let (mut session, threads) = threaded(kind);
    let inner = Operation::EachThread { threads: threads.clone(), operation: Box::new(Operation::StackDepth(None)) };
    for operation in [Operation::Go, Operation::Terminate, inner] {
        let many = Operation::EachThread { threads: threads.clone(), operation: Box::new(operation) };
        assert_eq!(session.fails(0, many).code, ErrorCode::NOT_IMPLEMENTED);
    }
}

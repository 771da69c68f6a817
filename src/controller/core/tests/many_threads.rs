//! A command for many threads asks them together.

use super::*;
use model::{ThreadInfo, ThreadsAnswer};

fn threads(ids: std::ops::RangeInclusive<u32>) -> Answer {
    let thread =
        |id| ThreadInfo { id: ThreadId(id), current: id == 1, name: "app".to_owned(), frame: None, user: None };
    Answer::Threads(ids.map(thread).collect())
}

fn stack(line: u32) -> Answer {
    Answer::Stack(vec![stop(line).frame])
}

fn said(threads: &[u32], answer: Answer) -> ThreadsAnswer {
    ThreadsAnswer { threads: threads.iter().copied().map(ThreadId).collect(), answer }
}

impl Head {
    /// Returns the only request to send, which asks these threads for the innermost frame.
    #[track_caller]
    fn asked_many(&mut self) -> (TransactionId, String, Vec<u32>) {
        let (tid, ranks, operation) = self.asked();
        let Operation::EachThread { threads, operation } = operation else { panic!("{operation:?}") };
        assert_eq!(*operation, Operation::Stack { thread: None, low: 0, high: Some(1), most: None });
        (tid, ranks, threads.iter().map(|thread| thread.0).collect())
    }

    /// Starts with four ranks that have this many threads, and a command for all threads.
    fn applying(line: &str, count: u32) -> Self {
        let mut head = Self::stopped(true);
        head.execute(line);
        let (tid, _, operation) = head.asked();
        assert_eq!(operation, Operation::Threads);
        head.answer(tid, "0-3", "", threads(1..=count));
        head
    }
}

#[test]
fn the_stacks_of_all_threads_are_asked_for_in_one_request() {
    let mut head = Head::applying("thread apply all where 1", 400);
    let (tid, ranks, asked) = head.asked_many();
    assert_eq!((ranks.as_str(), asked), ("0-3", (1..=400).rev().collect::<Vec<_>>()));
    let (even, odd): (Vec<u32>, Vec<u32>) = (1..=400).partition(|thread| thread % 2 == 0);
    head.answer(tid, "0,2", "", Answer::EachThread(vec![said(&even, stack(2)), said(&odd, stack(1))]));
    head.answer(tid, "1,3", "", Answer::EachThread(vec![said(&even, stack(2)), said(&odd, stack(3))]));
    assert!(head.sent().is_empty(), "all is known");
    let told = head.told();
    assert_eq!(told[..3], ["[0-3] thread 400 \"app\":", "[0-3] #0  kernel () at ring.c:2", "done [0-3]"]);
    assert_eq!(told[3], "[0-3] thread 399 \"app\":");
    assert_eq!(told[4..7], ["[0,2] #0  kernel () at ring.c:1", "[1,3] #0  kernel () at ring.c:3", "done [0-3]"]);
    assert_eq!(told.len(), 200 * 3 + 200 * 4 + 1);
}

#[test]
fn more_threads_than_answer_at_once_are_asked_for_in_portions() {
    let most = Operation::MOST_THREADS as u32;
    let mut head = Head::applying("thread apply all -ascending where 1", most + 9);
    let (tid, _, asked) = head.asked_many();
    assert_eq!(asked, (1..=most).collect::<Vec<_>>());
    // The ranks had time for some of the threads only.
    head.answer(tid, "0-3", "", Answer::EachThread(vec![said(&asked[..100], stack(1))]));
    let (tid, _, asked) = head.asked_many();
    assert_eq!(asked, (101..=most + 9).collect::<Vec<_>>());
    head.answer(tid, "0-3", "", Answer::EachThread(vec![said(&asked, stack(1))]));
    assert!(head.sent().is_empty());
    assert_eq!(head.told().len() as u32, 3 * (most + 9) + 1);
}

#[test]
fn what_cannot_be_said_of_many_threads_is_asked_of_one_after_another() {
    let mut head = Head::applying("thread apply all where 1", 3);
    let (tid, ..) = head.asked_many();
    head.answer(tid, "0-3", "", Answer::EachThread(Vec::new()));
    for thread in [3, 2, 1] {
        let (tid, _, operation) = head.asked();
        assert_eq!(operation, Operation::Stack { thread: Some(ThreadId(thread)), low: 0, high: Some(1), most: None });
        head.answer(tid, "0-3", "", stack(thread));
    }
    assert!(head.sent().is_empty());
    assert_eq!(head.told().len(), 10);
}

#[test]
fn what_was_found_out_ahead_is_forgotten_when_ranks_move() {
    let mut head = Head::applying("thread apply all where 1", 3);
    let (tid, _, asked) = head.asked_many();
    assert_eq!(asked, [3, 2, 1]);
    head.answer(tid, "0-2", "", Answer::EachThread(vec![said(&[3, 2, 1], stack(1))]));
    head.event("1", Event::Stopped(stop(14)));
    head.answer(tid, "3", "", Answer::EachThread(vec![said(&[3, 2, 1], stack(1))]));
    let (tid, ranks, asked) = head.asked_many();
    assert_eq!((ranks.as_str(), asked.as_slice()), ("0-2", &[2, 1][..]));
    head.answer(tid, "0-2", "", Answer::EachThread(vec![said(&[2, 1], stack(2))]));
    assert!(head.sent().is_empty());
    let told = head.told();
    let of_two = ["[0-3] thread 2 \"app\":", "[0-2] #0  kernel () at ring.c:2", "[3] #0  kernel () at ring.c:1"];
    let at = told.iter().position(|line| line == of_two[0]).unwrap();
    assert_eq!(told[at..at + 3], of_two);
}

#[test]
fn a_late_rank_answers_for_the_thread_that_it_was_asked_for() {
    let mut head = Head::applying("thread apply 1-2 where 1", 2);
    let (tid, ..) = head.asked_many();
    let both = |line| Answer::EachThread(vec![said(&[1], stack(line)), said(&[2], stack(line + 1))]);
    head.answer(tid, "0-2", "3", both(1));
    head.told();
    let (second, ranks, operation) = head.asked();
    assert_eq!((ranks.as_str(), operation.without_thread().unwrap().0), ("3", ThreadId(2)));
    head.answer(tid, "3", "", both(5));
    assert_eq!(head.told()[1], "[3] #0  kernel () at ring.c:5");
    head.answer(second, "3", "", stack(6));
    assert_eq!(head.told()[..2], ["[0-2] #0  kernel () at ring.c:2", "[3] #0  kernel () at ring.c:6"]);
}

//! Groups of threads in sets: `0-3.{2,5}`.

use super::*;
use crate::report::json_lines;
use model::{ThreadInfo, ThreadsAnswer};

fn threads(ids: &[u32]) -> Answer {
    let thread =
        |&id| ThreadInfo { id: ThreadId(id), current: id == 1, name: "app".to_owned(), frame: None, user: None };
    Answer::Threads(ids.iter().map(thread).collect())
}

fn said(threads: &[u32], answer: Answer) -> ThreadsAnswer {
    ThreadsAnswer { threads: threads.iter().copied().map(ThreadId).collect(), answer }
}

fn stack(line: u32) -> Answer {
    Answer::Stack(vec![stop(line).frame])
}

fn no_symbol() -> Answer {
    let message = "No symbol \"y\" in current context.".to_owned();
    Answer::Failed(Failure { code: ErrorCode::UNKNOWN_VARIABLE, message, position: Some(0) })
}

impl Head {
    /// Answers the question for the threads, which comes first.
    #[track_caller]
    fn has_threads(&mut self, ranks: &str, ids: &[u32]) {
        let (tid, of, operation) = self.asked();
        assert_eq!((of.as_str(), operation), (ranks, Operation::Threads));
        self.answer(tid, ranks, "", threads(ids));
    }

    /// Answers for each of the threads asked, with the user's frames found first.
    #[track_caller]
    fn each(&mut self, ranks: &str, answer: impl Fn(u32) -> Answer) {
        for _ in 0..40 {
            let mut requests = self.sent();
            if requests.is_empty() {
                return;
            }
            for request in requests.drain(..) {
                let Request::Ranks { tid, operation, .. } = request else { panic!("{request:?}") };
                let is_search = |operation: &Operation| matches!(operation, Operation::Stack { high: Some(high), .. } if *high > 40);
                let of = |operation: &Operation, thread: u32| match operation {
                    operation if is_search(operation) => stack(1),
                    _ => answer(thread),
                };
                let answer = match &operation {
                    Operation::EachThread { threads, operation } => {
                        let each = threads.iter().map(|thread| said(&[thread.0], of(operation, thread.0)));
                        Answer::EachThread(each.collect())
                    }
                    other => {
                        let thread = other.without_thread().map(|(thread, _)| thread);
                        let in_frame = || other.clone().context_mut().and_then(|context| context.thread);
                        of(other, thread.or_else(in_frame).expect("it names a thread").0)
                    }
                };
                self.answer(tid, ranks, "", answer);
            }
        }
        panic!("the requests do not end");
    }
}

#[test]
fn threads_that_say_the_same_are_named_together() {
    let mut head = Head::stopped(true);
    head.execute("[0-3.{2-3,5}] where 1");
    head.has_threads("0-3", &[1, 2, 3, 4, 5]);
    head.each("0-3", |thread| stack(if thread == 3 { 7 } else { 9 }));
    assert_eq!(
        head.told(),
        ["[0-3.{2,5}] #0  kernel () at ring.c:9", "[0-3.3] #0  kernel () at ring.c:7", "done [0-3]"]
    );
}

#[test]
fn all_threads_of_the_focus_are_asked_and_json_names_them() {
    let mut head = Head::stopped(true);
    head.execute("focus 1-2.*");
    head.has_threads("1-2", &[1, 2]);
    assert_eq!(head.told(), ["[1-2] focus 1-2.*, threads all", "done [1-2]"]);
    assert_eq!(head.controller.state().thread, Some(ThreadId(1)), "the screen shows the first");
    head.execute("print x");
    head.has_threads("1-2", &[1, 2]);
    head.each("1-2", |_| Answer::Data(datum(4)));
    let lines: Vec<String> = head.controller.take_reports().iter().flat_map(json_lines).collect();
    assert!(lines[0].starts_with(r#"{"type":"value","ranks":"1-2","expression":"x","value":"4""#), "{lines:?}");
    assert!(lines[0].ends_with(r#","threads":"1-2"}"#), "{lines:?}");
    head.execute("status");
    assert!(head.sent().is_empty(), "it is about processes");
}

#[test]
fn an_error_is_shown_in_the_line_that_was_typed() {
    let mut head = Head::stopped(true);
    head.execute("[0.{2,5}] print y");
    head.has_threads("0", &[1, 2, 5]);
    head.each("0", |_| no_symbol());
    let told = head.told();
    assert_eq!(
        told,
        [
            "[0.{2,5}] error: No symbol \"y\" in current context.",
            "  [0.{2,5}] print y",
            "                  ^",
            "done [0] failed"
        ]
    );
}

#[test]
fn threads_that_some_ranks_lack_are_named() {
    let mut head = Head::stopped(true);
    head.execute("[0-3.{2,5-9}] where 1");
    let (tid, ..) = head.asked();
    head.answer(tid, "0-1", "", threads(&[1, 2]));
    head.answer(tid, "2-3", "", threads(&[1, 2, 5]));
    head.each("0-3", |_| stack(9));
    let told = head.told();
    assert_eq!(told[..2], ["[0-1] missing: no thread 5-9", "[2-3] missing: no thread 6-9"]);
    let mut head = Head::stopped(true);
    head.execute("focus 0-3.{8,9}");
    head.has_threads("0-3", &[1, 2]);
    assert_eq!(head.told(), ["[0-3] error: no thread 8-9; \"threads\" lists them", "done [0-3] failed"]);
    assert_eq!(head.controller.state().focus.text, "all");
}

#[test]
fn steps_of_a_group_are_taken_in_turn() {
    // In a script, and on the screen.
    [true, false].into_iter().for_each(steps_are_taken_in_turn);
}

fn steps_are_taken_in_turn(is_script: bool) {
    let mut head = Head::stopped(is_script);
    head.execute("[0-3.{2,5}] next");
    head.has_threads("0-3", &[1, 2, 5]);
    for thread in [2, 5] {
        let (tid, _, operation) = head.asked();
        // The frames of the user come first.
        match operation {
            Operation::EachThread { threads, .. } => {
                let each = threads.iter().map(|thread| said(&[thread.0], stack(1)));
                head.answer(tid, "0-3", "", Answer::EachThread(each.collect()));
            }
            Operation::Stack { .. } => head.answer(tid, "0-3", "", stack(1)),
            other => panic!("{other:?}"),
        }
        let (tid, ranks, operation) = head.asked();
        let Operation::Step { context, .. } = operation else { panic!("{operation:?}") };
        assert_eq!((ranks.as_str(), context.thread), ("0-3", Some(ThreadId(thread))));
        head.answer(tid, "0-3", "", Answer::Ok);
        assert!(head.sent().is_empty(), "the next thread waits until the ranks stop");
        head.event("0-3", Event::Running);
        head.event("0-3", Event::Stopped(stop(20)));
    }
}

#[test]
fn what_takes_one_thread_says_what_to_type() {
    for (line, advice) in [
        ("[0-3.{2,5}] jump 30", "jump takes one thread of each rank, such as [0-3.2] jump 30"),
        ("[0-1.*] signal SIGUSR1", "signal takes one thread of each rank, such as [0-1.1] signal SIGUSR1"),
        ("[2.{3-4}] watch x", "watch takes one thread of each rank, such as [2.3] watch x"),
    ] {
        let mut head = Head::stopped(true);
        head.execute(line);
        assert!(head.sent().is_empty());
        assert_eq!(head.told(), [format!("error: {advice}"), "done [] failed".to_owned()], "{line}");
    }
    let mut head = Head::stopped(true);
    head.execute("[0-3.{2,5}] go");
    assert_eq!(head.asked().2, Operation::Go, "all threads of the processes continue");
    let mut head = Head::stopped(true);
    head.execute("set scheduler-locking on");
    head.sent();
    head.told();
    head.execute("[0-3.{2,5}] go");
    assert!(head.told()[0].contains("go takes one thread of each rank, such as [0-3.2] go"));
}

#[test]
fn a_thread_that_is_selected_takes_the_place_of_the_group() {
    let mut head = Head::stopped(true);
    head.execute("focus 0-3.{2,5}");
    head.has_threads("0-3", &[1, 2, 5]);
    head.execute("thread 5");
    head.has_threads("0-3", &[1, 2, 5]);
    let focus = &head.controller.state().focus;
    assert_eq!((focus.text.as_str(), focus.thread, &focus.group), ("0-3", Some(ThreadId(5)), &None));
}

#[test]
fn a_command_about_the_chosen_thread_is_about_each_of_a_group() {
    let mut head = Head::stopped(true);
    for command in ["thread name zz", "thread"] {
        head.execute(&format!("[0.{{2,3}}] {command}"));
        head.has_threads("0", &[1, 2, 3]);
        for _ in 0..2 {
            head.has_threads("0", &[1, 2, 3]);
        }
    }
    let told = head.told().join("\n");
    assert!(told.contains("zz") && !told.contains("app"), "{told}");
    let names = &head.controller.state().thread_names;
    let of = |id| ThreadInfo { id: ThreadId(id), current: id == 1, name: "app".into(), frame: None, user: None };
    let named = names.named(ProcessSet::one(Rank(0)), vec![of(1), of(2), of(3)]);
    let named: Vec<&str> = named[0].1.iter().map(|thread| &*thread.name).collect();
    assert_eq!(named, ["app", "zz", "zz"]);
}

#[test]
fn why_explains_each_thread_of_a_group() {
    let mut head = Head::stopped(true);
    head.execute("[0.{2,3}] why");
    head.has_threads("0", &[1, 2, 3]);
    let (_, _, operation) = head.asked();
    assert!(matches!(operation, Operation::Stack { thread: Some(ThreadId(2)), .. }), "{operation:?}");
}

#[test]
fn a_display_of_a_group_is_refused_unless_it_keeps_its_threads() {
    let mut head = Head::stopped(true);
    head.execute("[0.{2,3}] display x");
    let told = head.told();
    assert!(told[0].ends_with("display takes one thread of each rank, such as [0.2] display x"), "{told:?}");
    assert_eq!(head.controller.state().displays.iter().count(), 0);
    head.execute("[0.{2,3}] display -here x");
    head.has_threads("0", &[1, 2, 3]);
    head.each("0", |_| Answer::Data(datum(4)));
    assert_eq!(head.controller.state().displays.iter().count(), 2);
}

#[test]
fn naming_the_threads_of_a_group_is_acknowledged_once_on_the_screen() {
    let mut head = Head::stopped(false);
    head.execute("[0.{2,3}] thread name zz");
    for _ in 0..3 {
        head.has_threads("0", &[1, 2, 3]);
    }
    let told = head.told();
    assert_eq!(told[..1], ["[0.{2-3}] is named zz"], "{told:?}");
    assert_eq!(told.iter().filter(|line| line.contains("named")).count(), 1, "{told:?}");
}

#[test]
fn the_list_of_threads_on_the_screen_has_a_new_name_at_once() {
    let mut head = Head::stopped(false);
    let views = Views { threads: true, ..Views::default() };
    head.controller.look(Gaze { views, ..Gaze::default() });
    head.has_threads("0", &[1, 2]);
    head.execute("[0.2] thread name zz");
    head.has_threads("0", &[1, 2]);
    // The list on the screen.
    head.has_threads("0", &[1, 2]);
    let shown = head.controller.state().inspection.threads.value().unwrap();
    let names: Vec<&str> = shown.iter().map(|thread| &*thread.name).collect();
    assert_eq!(names, ["app", "zz"]);
}

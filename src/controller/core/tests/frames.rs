//! Selection of frames in the stack of each rank.

use super::*;
use model::{Context, UserFrame};

/// Builds a stack of `leaf`, possibly with further frames, below `kernel` and `main`.
fn stack(inner: &[&str]) -> Vec<Frame> {
    let functions = inner.iter().copied().chain(["kernel", "main"]);
    let frame = |(level, function): (usize, &str)| Frame {
        level: level as u32,
        function: Some(function.into()),
        ..stop(10 + level as u32).frame
    };
    functions.enumerate().map(frame).collect()
}

impl Head {
    /// Returns the next requests: their ranks and frames.
    #[track_caller]
    fn frames_asked(&mut self) -> Vec<(String, u32)> {
        let level = |request: Request| match request {
            Request::Ranks { ranks, mut operation, .. } => {
                (ranks.to_string(), operation.context_mut().map_or(u32::MAX, |context| context.frame))
            }
            Request::Session { .. } => panic!("the ranks are asked"),
        };
        let mut asked: Vec<_> = self.sent().into_iter().map(level).collect();
        asked.sort();
        asked
    }

    /// Runs `frame function kernel`: in ranks 0 and 1 it is frame 1, in rank 2 frame 2; rank 3 is not in it.
    fn in_kernel(batch: bool) -> Self {
        let mut head = Self::stopped(batch);
        head.execute("frame function kernel");
        let (tid, ..) = head.asked();
        head.answer(tid, "0-1", "", Answer::Stack(stack(&["leaf"])));
        head.answer(tid, "2", "", Answer::Stack(stack(&["leaf", "deep"])));
        let other = Frame { function: Some("idle".into()), ..stop(1).frame };
        head.answer(tid, "3", "", Answer::Stack(vec![other]));
        head
    }
}

fn parts(of: &[(&str, u32)]) -> Vec<(String, u32)> {
    of.iter().map(|(ranks, level)| ((*ranks).to_owned(), *level)).collect()
}

#[test]
fn a_function_is_looked_at_where_it_is_in_the_stack_of_each_rank() {
    let mut head = Head::in_kernel(true);
    let told = head.told();
    assert!(told[0].starts_with("[0-1] #1  kernel") && told[1].starts_with("[2] #2  kernel"), "{told:?}");
    assert_eq!(told[2..], ["[3] missing: no frame of kernel on the stack: keeps its frame", "done [0-3]"]);
    for line in
        ["print n", "info locals", "set var n = 3", "compare n", "ptype n", "x/x &n", "info registers", "info frame"]
    {
        head.execute(line);
        assert_eq!(head.frames_asked(), parts(&[("0-1", 1), ("2", 2), ("3", 0)]), "{line}");
    }
    head.execute("[1-2] watch n");
    assert_eq!(head.frames_asked(), parts(&[("1", 1), ("2", 2)]));
    for line in ["stepi", "nexti 3"] {
        let mut head = Head::in_kernel(true);
        head.execute(line);
        assert_eq!(head.frames_asked(), parts(&[("0-3", 0)]), "{line}");
    }
    for line in ["step", "next 2", "until", "finish", "until 30", "advance 30", "return"] {
        let mut head = Head::in_kernel(true);
        head.execute(line);
        assert_eq!(head.frames_asked(), parts(&[("0-1", 1), ("2", 2), ("3", 0)]), "{line}");
        // Running ranks have no stack: the selection in it is forgotten.
        head.event("0-3", Event::Running);
        head.event("0-3", Event::Stopped(stop(20)));
        head.sent();
        head.execute("print n");
        assert_eq!(head.frames_asked(), parts(&[("0-3", 0)]), "{line}");
    }
}

#[test]
fn values_of_ranks_at_different_frames_are_one_answer() {
    let mut head = Head::in_kernel(true);
    head.told();
    head.execute("print n");
    for request in head.sent() {
        let Request::Ranks { tid, ranks, .. } = request else { panic!("the ranks are asked") };
        head.answer(tid, &ranks.to_string(), "", Answer::Data(datum(7)));
    }
    assert_eq!(head.told(), ["[0-3] n = 7", "done [0-3]"]);
}

#[test]
fn up_and_down_move_each_rank_in_its_own_stack() {
    let mut head = Head::in_kernel(true);
    head.told();
    head.execute("up");
    let mut asked = Vec::new();
    for request in head.sent() {
        let Request::Ranks { tid, ranks, operation: Operation::Stack { low, high: Some(high), .. }, .. } = request
        else {
            panic!("stacks are asked for")
        };
        asked.push((ranks.to_string(), low, high));
        let inner: &[&str] = if ranks.to_string() == "2" { &["leaf", "deep"] } else { &["leaf"] };
        let frames = if ranks.to_string() == "3" { vec![stop(1).frame] } else { stack(inner) };
        let frames = frames.into_iter().filter(|frame| (low..=high).contains(&frame.level)).collect();
        head.answer(tid, &ranks.to_string(), "", Answer::Stack(frames));
    }
    asked.sort();
    assert_eq!(asked, [("0-1".into(), 1, 2), ("2".into(), 2, 3), ("3".into(), 0, 1)]);
    let told = head.told();
    assert!(told[0].starts_with("[0-1] #2  main") && told[1].starts_with("[2] #3  main"), "{told:?}");
    assert_eq!(told[2], "[3] missing: this is the outermost frame");
    head.execute("down 2");
    let mut levels: Vec<_> = head.sent().into_iter().map(|request| format!("{request:?}")).collect();
    levels.sort();
    assert_eq!(levels.len(), 2, "rank 3 is at its innermost frame: {levels:?}");
    assert!(head.told().contains(&"[3] missing: this is the innermost frame".to_owned()));
}

#[test]
fn a_set_in_front_moves_the_named_ranks_alone() {
    let mut head = Head::stopped(true);
    head.execute("[3] frame 2");
    let (tid, ranks, _) = head.asked();
    assert_eq!(ranks, "3");
    head.answer(tid, "3", "", Answer::Stack(stack(&["leaf"]).split_off(2)));
    assert_eq!(head.controller.state().frame(), 0, "that of the lead, rank 0");
    head.execute("print n");
    assert_eq!(head.frames_asked(), parts(&[("0-2", 0), ("3", 2)]));
    head.event("3", Event::Running);
    head.event("3", Event::Stopped(stop(20)));
    head.execute("print n");
    assert_eq!(head.frames_asked(), parts(&[("0-3", 0)]));
}

#[test]
fn what_the_screen_chooses_holds_for_the_focus_by_function() {
    let mut head = Head::stopped(false);
    let views = Views { stack: true, locals: true, ..Views::default() };
    head.controller.look(Gaze { views, ..Gaze::default() });
    for request in head.sent() {
        let Request::Ranks { tid, operation, .. } = request else { continue };
        if matches!(operation, Operation::Stack { .. }) {
            head.answer(tid, "0", "", Answer::Stack(stack(&["leaf"])));
        }
    }
    head.controller.look(Gaze { views, frame: Some(1), ..Gaze::default() });
    assert_eq!(head.controller.state().frame(), 1);
    let mut others = None;
    for request in head.sent() {
        match request {
            Request::Ranks { tid, ranks, operation: Operation::Stack { .. }, .. } => others = Some((tid, ranks)),
            Request::Ranks { ranks, operation: Operation::Locals(context), .. } => {
                assert_eq!((ranks, context), (set("0"), Context { thread: None, frame: 1 }));
            }
            _ => {}
        }
    }
    let (tid, ranks) = others.unwrap();
    assert_eq!(ranks.to_string(), "1-3");
    head.answer(tid, "1", "", Answer::Stack(stack(&["leaf"])));
    head.answer(tid, "2", "", Answer::Stack(stack(&["leaf", "deep"])));
    head.answer(tid, "3", "", Answer::Stack(vec![Frame { function: Some("idle".into()), ..stop(1).frame }]));
    assert_eq!(head.told(), ["[3] not in kernel: keeps its frame"]);
    head.execute("print n");
    assert_eq!(head.frames_asked(), parts(&[("0-1", 1), ("2", 2), ("3", 0)]));
    // Rank 2 becomes the lead: its own frame is shown, which needs no request.
    head.controller.look(Gaze { lead: Rank(2), views, ..Gaze::default() });
    assert_eq!(head.controller.state().frame(), 2);
    head.controller.look(Gaze { views, ..Gaze::default() });
    head.sent();
    // The stacks are known: the next selection needs no request to other ranks.
    head.controller.look(Gaze { views, frame: Some(2), ..Gaze::default() });
    assert!(head.sent().iter().all(|request| !matches!(
        request,
        Request::Ranks { ranks, operation: Operation::Stack { .. }, .. } if *ranks != set("0")
    )));
    head.execute("print n");
    assert_eq!(head.frames_asked(), parts(&[("0-1", 2), ("2", 3), ("3", 0)]));
}

#[test]
fn a_chosen_thread_and_frame_hold_until_the_next_stop() {
    let threads = || {
        let thread =
            |id| model::ThreadInfo { id: ThreadId(id), current: id == 1, name: String::new(), frame: None, user: None };
        Answer::Threads(vec![thread(1), thread(2)])
    };
    for (line, after) in [("thread 2", None), ("focus 0-3.2", Some(ThreadId(2)))] {
        let mut head = Head::stopped(true);
        head.execute(line);
        let (tid, ..) = head.asked();
        head.answer(tid, "0-3", "", threads());
        assert_eq!(head.controller.state().focus.thread, Some(ThreadId(2)));
        head.event("0-3", Event::Running);
        head.event("0-3", Event::Stopped(stop(20)));
        assert_eq!(head.controller.state().focus.thread, after, "{line}");
    }
    let mut head = Head::stopped(true);
    head.execute("up");
    let (tid, ranks, _) = head.asked();
    assert_eq!(ranks, "0-3");
    let frame = |level| Frame { level, ..stop(30).frame };
    head.answer(tid, "0-3", "", Answer::Stack(vec![frame(1)]));
    assert_eq!(head.controller.state().frame(), 1);
    assert!(head.told().iter().any(|line| line.starts_with("[0-3] #1 ")));
    head.execute("up");
    let (tid, ..) = head.asked();
    head.answer(tid, "0,2-3", "", Answer::Stack(vec![frame(1), frame(2)]));
    head.answer(tid, "1", "", Answer::Stack(vec![frame(1)]));
    let told = head.told().join("\n");
    assert!(told.contains("[0,2-3] #2 ") && told.contains("[1] missing: this is the outermost frame"), "{told}");
    head.execute("frame 3");
    let (tid, ..) = head.asked();
    head.answer(tid, "0-3", "", Answer::Stack(Vec::new()));
    assert!(head.told().iter().any(|line| line.contains("no frame 3")));
    head.event("0", Event::Running);
    assert_eq!(head.controller.state().frame(), 0);
}

#[test]
fn what_chooses_ranks_is_computed_in_the_frame_of_each() {
    let mut head = Head::in_kernel(true);
    for line in ["focus {n > 7}", "[{n > 7}] print n"] {
        head.told();
        head.execute(line);
        assert_eq!(head.frames_asked(), parts(&[("0-1", 1), ("2", 2), ("3", 0)]), "{line}");
    }
}

/// A stop in a library, called from this line; the level of its frame is 0 if the stacks of the ranks differ in depth.
fn halted(level: u32, line: u32) -> Event {
    let frame = Frame { level, ..stop(line).frame };
    let user = Some(Box::new(UserFrame { frame, call: Some("MPI_Wait".into()) }));
    Event::Stopped(Stop { reason: StopReason::Interrupted, user, ..stop(1) })
}

/// A stack whose innermost frames are a library's.
fn in_library(mut stack: Vec<Frame>, library: usize) -> Answer {
    for frame in stack.iter_mut().take(library) {
        frame.source = None;
        frame.code.module = Some("/usr/lib/libmpi.so".into());
    }
    Answer::Stack(stack)
}

impl Head {
    /// All ranks are halted in a library: rank 3 two frames deep, the others at different depths.
    fn in_library() -> Self {
        let mut head = Self::stopped(true);
        head.event("0-3", Event::Running);
        head.event("0-2", halted(0, 11));
        head.event("3", halted(2, 14));
        head.told();
        head
    }

    /// Answers the request for the stacks of ranks 0 to 2.
    #[track_caller]
    fn answer_stacks(&mut self) {
        let (tid, ranks, operation) = self.asked();
        assert_eq!(ranks, "0-2", "the level of rank 3 is known: {operation:?}");
        assert!(matches!(operation, Operation::Stack { low: 0, .. }), "{operation:?}");
        self.answer(tid, "0", "", in_library(stack(&["wait"]), 1));
        self.answer(tid, "1", "", in_library(stack(&["poll", "progress", "wait"]), 3));
        self.answer(tid, "2", "", in_library(stack(&["poll"]), 3));
    }
}

#[test]
fn commands_refer_to_the_users_frame_of_ranks_halted_in_a_library() {
    let at_users = parts(&[("0", 1), ("1", 3), ("2", 0), ("3", 2)]);
    let looks = ["print n", "info locals", "x/x &n", "watch n", "[{n > 1}] print n"];
    for line in looks.into_iter().chain(["finish", "next", "step 2", "until"]) {
        let mut head = Head::in_library();
        head.execute(line);
        head.answer_stacks();
        assert_eq!(head.frames_asked(), at_users, "{line}");
        assert!(head.told().is_empty(), "{line}");
    }
    let mut head = Head::in_library();
    head.execute("[3] print n");
    assert_eq!(head.frames_asked(), parts(&[("3", 2)]), "no stack is requested");
    head.execute("frame 0");
    for request in head.sent() {
        let Request::Ranks { tid, ranks, .. } = request else { panic!("the ranks are asked") };
        head.answer(tid, &ranks.to_string(), "", Answer::Stack(vec![stop(1).frame]));
    }
    head.execute("print n");
    assert_eq!(head.frames_asked(), parts(&[("0-3", 0)]), "the innermost frame was selected");
}

/// Other threads than the one that stopped are at no place that the user chose.
#[test]
fn a_thread_that_is_named_has_the_users_frame_of_its_own_stack() {
    let mut head = Head::stopped(true);
    head.told();
    for asks in [true, false] {
        head.execute("[3.7] print n");
        if asks {
            let (tid, ranks, operation) = head.asked();
            assert!(
                ranks == "3" && matches!(operation, Operation::Stack { thread: Some(ThreadId(7)), .. }),
                "{operation:?}"
            );
            head.answer(tid, "3", "", in_library(stack(&["poll", "wait", "work"]), 2));
        }
        assert_eq!(head.frames_asked(), parts(&[("3", 2)]), "the stack is requested once");
        head.told();
    }
    head.execute("print n");
    assert_eq!(head.frames_asked(), parts(&[("0-3", 0)]), "the thread that stopped keeps its frame");
}

#[test]
fn steps_by_instructions_of_ranks_halted_in_a_library_begin_there_without_a_request() {
    for line in ["stepi", "nexti", "go"] {
        let mut head = Head::in_library();
        head.execute(line);
        let (_, ranks, operation) = head.asked();
        assert!(ranks == "0-3" && operation.resumes(), "{line}: {operation:?}");
    }
}

#[test]
fn up_begins_at_the_users_frame() {
    let mut head = Head::in_library();
    head.execute("[0-1] up");
    let (tid, ranks, _) = head.asked();
    assert_eq!(ranks, "0-1");
    let stack = |library: u32| {
        let frame = |level: u32| {
            let module = if level < library { "/usr/lib/libmpi.so" } else { "/bin/ring" };
            let code = CodePlace { module: Some(module.into()), ..stop(level).frame.code };
            let source = stop(level).frame.source.filter(|_| level >= library);
            Frame { level, code, source, ..stop(level).frame }
        };
        (0..library + 2).map(frame).collect()
    };
    head.answer(tid, "0", "", Answer::Stack(stack(1)));
    head.answer(tid, "1", "", Answer::Stack(stack(4)));
    let mut levels: Vec<_> = head
        .sent()
        .into_iter()
        .map(|request| match request {
            Request::Ranks { ranks, operation: Operation::Stack { low, high, .. }, .. } => {
                (ranks.to_string(), low, high.unwrap())
            }
            other => panic!("{other:?}"),
        })
        .collect();
    levels.sort();
    assert_eq!(levels, [("0".into(), 1, 2), ("1".into(), 4, 5)]);
}

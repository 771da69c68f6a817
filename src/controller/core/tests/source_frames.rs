//! The frame that the screen selects first, in any order of the answers.

use super::*;
use model::{ErrorCode, Failure, RankCells, UserFrame};

/// Halted in a library without source; the caller has none either, and the caller's caller is in the program.
fn halted() -> (Stop, Vec<Frame>) {
    let frame = |level: u32, function: &str, file: Option<&str>| Frame {
        level,
        function: Some(function.into()),
        source: file.map(|file| SourcePlace { file: file.into(), line: 10 + level }),
        ..stop(1).frame
    };
    let frames = vec![
        frame(0, "sched_yield", Some("/libc/syscall-template.S")),
        frame(1, "wait", None),
        frame(2, "exchange", Some("/src/ring.c")),
        frame(3, "main", Some("/src/ring.c")),
    ];
    (Stop { reason: StopReason::Interrupted, frame: frames[0].clone(), ..stop(1) }, frames)
}

impl Head {
    /// Halts ranks while the screen shows source, stack and variables.
    fn shown(reason: StopReason) -> Self {
        Self::shown_at(Stop { reason, ..halted().0 })
    }

    fn shown_at(stop: Stop) -> Self {
        let mut head = Self::stopped(false);
        let views = Views { stack: true, locals: true, source: true, ..Views::default() };
        head.controller.look(Gaze { views, ..Gaze::default() });
        head.answer_all(0);
        head.controller.core.state.inspection.sources.clear();
        head.controller.core.views.asked.clear();
        head.event("0-3", Event::Running);
        head.sent();
        head.event("0-3", Event::Stopped(stop));
        head
    }

    /// Answers all requests, in an order that depends on the seed, until there are none.
    fn answer_all(&mut self, seed: usize) -> Vec<String> {
        let (mut open, mut seed, mut asked) = (Vec::new(), seed, Vec::new());
        loop {
            open.extend(self.sent());
            let Some(index) = (!open.is_empty()).then(|| seed % open.len()) else { return asked };
            seed /= 3;
            let Request::Ranks { tid, ranks, operation, .. } = open.remove(index) else { continue };
            let answer = match &operation {
                Operation::Stack { .. } => Answer::Stack(halted().1),
                Operation::Source(file) if file.starts_with("/libc") => {
                    Answer::Failed(Failure::new(ErrorCode::NO_SOURCE, "No such file."))
                }
                Operation::Source(file) => Answer::Source {
                    file: file.as_str().into(),
                    text: "line\n".repeat(40).into(),
                    origin: Default::default(),
                },
                Operation::Locals(context) => {
                    asked.push(format!("locals of {ranks} at {}", context.frame));
                    Answer::Variables(Vec::new())
                }
                other => panic!("{other:?}"),
            };
            self.answer(tid, &ranks.to_string(), "", answer);
        }
    }

    fn levels(&self) -> Vec<(u32, String)> {
        let parts = self.controller.state().frames.parts(&set("0-3"), None).into_iter();
        parts.map(|(level, ranks)| (level, ranks.to_string())).collect()
    }
}

#[test]
fn source_stack_and_variables_are_of_one_frame_in_whatever_order_answers_come() {
    for seed in 0..729 {
        let mut head = Head::shown(StopReason::Interrupted);
        let asked = head.answer_all(seed);
        let state = head.controller.state();
        let found = state.nearest_source().unwrap();
        assert_eq!((found.level, state.frame()), (2, 2), "{seed}");
        assert_eq!(asked.last().map(String::as_str), Some("locals of 0 at 2"), "{seed}");
        assert_eq!(head.levels(), [(2, "0-3".to_owned())], "{seed}: what is printed is looked up where the source is");
        // Ranks that continue start again.
        head.event("0-3", Event::Running);
        head.sent();
        head.event("0-3", Event::Stopped(stop(12)));
        assert_eq!(head.levels(), [(0, "0-3".to_owned())], "{seed}");
    }
}

#[test]
fn sources_are_read_again_when_the_ranks_know_where_to_look() {
    let of_source = |request: &Request| matches!(request, Request::Ranks { operation: Operation::Source(_), .. });
    for line in ["directory /new", "set substitute-path /src /new", "set directories /new"] {
        let mut head = Head::shown(StopReason::Interrupted);
        head.answer_all(0);
        head.execute(line);
        let (tid, ranks, operation) = head.asked();
        let Operation::Configure(settings) = operation else { panic!("{operation:?}") };
        let rewritten = settings.sources.rewritten("/src/ring.c");
        assert!(settings.sources.directories()[0] == "/new" || rewritten.as_deref() == Some("/new/ring.c"), "{line}");
        head.answer(tid, &ranks, "", Answer::Ok);
        assert!(head.controller.state().inspection.sources.values().all(|lookup| lookup.value().is_none()), "{line}");
        assert!(head.sent().iter().any(of_source), "{line}");
        // The usual directories again; the rule is there no more.
        for line in ["directory", "unset substitute-path"] {
            head.execute(line);
            let Operation::Configure(settings) = head.asked().2 else { panic!("{line}") };
            assert!(line != "directory" || settings.sources.directories()[0] == "$cdir");
            assert!(line == "directory" || settings.sources.substitutions().is_empty());
        }
    }
    let mut head = Head::shown(StopReason::Interrupted);
    head.answer_all(0);
    head.execute("set patience 4");
    assert!(!head.sent().iter().any(of_source));
}

#[test]
fn the_colours_are_evaluated_in_the_frames_that_are_shown() {
    let mut head = Head::shown(StopReason::Interrupted);
    head.answer_all(0);
    head.controller.core.state.colour = Some("n".into());
    let gaze = head.controller.state().gaze.clone();
    head.controller.look(Gaze { colours: Some(RankCells::default()), ..gaze });
    let (_, ranks, operation) = head.asked();
    let Operation::Print { context, expression, .. } = operation else { panic!("{operation:?}") };
    assert_eq!((ranks.as_str(), context.frame, expression.as_str()), ("0-3", 2, "n"));
}

#[test]
fn the_users_frame_of_an_attached_rank_is_selected() {
    let (stop, frames) = halted();
    let user = UserFrame { frame: frames[2].clone(), call: Some("wait".into()) };
    let mut head = Head::shown_at(Stop { reason: StopReason::Start, user: Some(Box::new(user)), ..stop });
    head.answer_all(0);
    assert_eq!(head.controller.state().frame(), 2);
}

#[test]
fn a_breakpoint_in_a_library_leaves_the_innermost_frame() {
    for reason in [StopReason::Breakpoint(model::BreakpointId(1)), StopReason::Step] {
        let mut head = Head::shown(reason);
        head.answer_all(0);
        assert_eq!(head.levels(), [(0, "0-3".to_owned())]);
    }
}

#[test]
fn the_frame_that_the_user_chose_stays_until_the_rank_goes_on() {
    let mut head = Head::shown(StopReason::Interrupted);
    head.answer_all(0);
    for level in [0, 3] {
        let gaze = head.controller.state().gaze.clone();
        head.controller.look(Gaze { frame: Some(level), ..gaze });
        head.answer_all(0);
        assert_eq!(head.levels(), [(level, "0-3".to_owned())]);
        for lead in [1, 0] {
            let gaze = head.controller.state().gaze.clone();
            head.controller.look(Gaze { lead: Rank(lead), ..gaze });
            head.answer_all(0);
            assert_eq!(head.controller.state().frame(), level, "rank {lead}");
        }
    }
}

#[test]
fn the_stack_of_another_rank_or_of_a_stop_that_is_over_is_not_shown() {
    let mut head = Head::shown(StopReason::Interrupted);
    let is_stack = |request: &Request| matches!(request, Request::Ranks { operation: Operation::Stack { .. }, .. });
    let asked = head.sent();
    let Some(Request::Ranks { tid, .. }) = asked.into_iter().find(is_stack) else { panic!("no stack is asked for") };
    let gaze = head.controller.state().gaze.clone();
    head.controller.look(Gaze { lead: Rank(1), ..gaze });
    head.answer(tid, "0", "", Answer::Stack(halted().1));
    assert!(!matches!(head.controller.state().inspection.stack, Lookup::Known(_)));
    head.answer_all(0);
    // An unanswered request to rank 0 delays the same request to rank 1 briefly.
    head.until(head.controller.next_deadline().unwrap());
    head.answer_all(0);
    assert_eq!((head.controller.state().lead, head.controller.state().frame()), (Rank(1), 2));
}

//! The lines of the command page, word for word.

mod comparisons;
mod looks;
mod watchpoints;

use super::*;
use crate::state::FoldedStack;
use crate::why::{Edge, Place, Since, Source, Text, Verdict, Why};
use model::aif::FormatOptions;
use model::{
    BreakpointId, BreakpointRequest, Cause, CauseKind, CodePlace, LocationSpec, ProcessState, Returned, SignalName,
    Site, SourcePlace, StopReason, Tally,
};

fn set(text: &str) -> ProcessSet {
    ProcessSet::parse(text).unwrap()
}

fn place() -> SourcePlace {
    SourcePlace { file: "/path/ring.c".into(), line: 12 }
}

fn frame() -> Frame {
    let module = Some("/path/ring".into());
    Frame {
        level: 0,
        function: Some("kernel".into()),
        source: Some(place()),
        code: CodePlace { module, offset: 0x1136, address: Some(VirtualAddress(0x0040_1136)) },
        inlined: false,
        guessed: false,
        thread: None,
    }
}

fn stop(reason: StopReason) -> Stop {
    Stop { reason, thread: ThreadId(1), frame: frame(), note: None, cause: None, user: None }
}

#[test]
fn a_stop_for_a_signal_says_its_cause() {
    let cause = |kind, text: &str, source| Some(Box::new(Cause { kind, text: text.into(), source }));
    let stopped = |cause| {
        let reason = StopReason::Signal(SignalName("SIGABRT".into()));
        Content::Stopped(set("1-3"), Stop { cause, ..stop(reason) })
    };
    check(
        stopped(cause(CauseKind::Assert, "n > 0", Some(SourcePlace { file: "/path/check.c".into(), line: 20 }))),
        &[concat!(
            r#"{"type":"stopped","ranks":"1-3","reason":"signal","signal":"SIGABRT","#,
            r#""cause":{"kind":"assert","text":"n > 0","file":"/path/check.c","line":20},"#,
            r#""thread":1,"function":"kernel","file":"/path/ring.c","line":12,"address":"0x401136"}"#
        )],
        &[r#"[1-3] stopped: SIGABRT (assertion "n > 0" failed, check.c:20), kernel at ring.c:12"#],
    );
    check(
        stopped(cause(CauseKind::Abort, "free(): \u{1b}[2J\ninvalid pointer\n", None)),
        &[concat!(
            r#"{"type":"stopped","ranks":"1-3","reason":"signal","signal":"SIGABRT","#,
            r#""cause":{"kind":"abort","text":"free(): \u001b[2J\ninvalid pointer\n"},"#,
            r#""thread":1,"function":"kernel","file":"/path/ring.c","line":12,"address":"0x401136"}"#
        )],
        &["[1-3] stopped: SIGABRT (free(): \\u{1b}[2J \u{2026}), kernel at ring.c:12"],
    );
}

#[test]
fn a_stop_for_a_reported_error_says_its_cause() {
    let text = "MPI_Abort(MPI_COMM_WORLD, 42)".to_owned();
    let cause = Some(Box::new(Cause { kind: CauseKind::MpiAbort, text, source: None }));
    check(
        Content::Stopped(set("1-3"), Stop { cause, ..stop(StopReason::Error) }),
        &[concat!(
            r#"{"type":"stopped","ranks":"1-3","reason":"error","#,
            r#""cause":{"kind":"mpi_abort","text":"MPI_Abort(MPI_COMM_WORLD, 42)"},"#,
            r#""thread":1,"function":"kernel","file":"/path/ring.c","line":12,"address":"0x401136"}"#
        )],
        &["[1-3] stopped: error (MPI_Abort(MPI_COMM_WORLD, 42)), kernel at ring.c:12"],
    );
    check(
        Content::Stopped(set("1"), stop(StopReason::Error)),
        &[concat!(
            r#"{"type":"stopped","ranks":"1","reason":"error","#,
            r#""thread":1,"function":"kernel","file":"/path/ring.c","line":12,"address":"0x401136"}"#
        )],
        &["[1] stopped: error, kernel at ring.c:12"],
    );
}

fn of_command(content: Content) -> Report {
    Report { origin: Some(Origin::typed(CommandId(1), "print y")), content, limits: FormatOptions::default() }
}

#[track_caller]
fn check(content: Content, json: &[&str], text: &[&str]) {
    let report = of_command(content);
    assert_eq!(json_lines(&report), json);
    assert_eq!(text_lines(&report), text);
}

#[test]
fn what_happens_to_ranks() {
    let hosts = vec![("node1".into(), set("0-3"))];
    check(
        Content::Session(SessionInfo { id: "abc".into(), size: 4, hosts }),
        &[r#"{"type":"session","ranks":"0-3","session":"abc","hosts":{"node1":"0-3"}}"#],
        &["[0-3] session abc: 4 ranks on node1"],
    );
    let hosts = vec![("node1".into(), set("0-2")), ("node2".into(), set("3"))];
    check(
        Content::Session(SessionInfo { id: "abc".into(), size: 4, hosts }),
        &[r#"{"type":"session","ranks":"0-3","session":"abc","hosts":{"node1":"0-2","node2":"3"}}"#],
        &["[0-3] session abc: 4 ranks on node1 [0-2], node2 [3]"],
    );
    check(
        Content::Stopped(set("0-3"), stop(StopReason::Breakpoint(BreakpointId(1)))),
        &[
            r#"{"type":"stopped","ranks":"0-3","reason":"breakpoint","breakpoint":1,"thread":1,"function":"kernel","file":"/path/ring.c","line":12,"address":"0x401136"}"#,
        ],
        &["[0-3] stopped: breakpoint 1, kernel at ring.c:12"],
    );
    check(
        Content::Stopped(set("0-3"), stop(StopReason::Attached)),
        &[
            r#"{"type":"stopped","ranks":"0-3","reason":"start","thread":1,"function":"kernel","file":"/path/ring.c","line":12,"address":"0x401136"}"#,
        ],
        &["[0-3] stopped: attached, kernel at ring.c:12"],
    );
    let mut segfault = stop(StopReason::Signal(SignalName("SIGSEGV".into())));
    segfault.frame = segfault.frame.without_address();
    segfault.thread = ThreadId(3);
    check(
        Content::Stopped(set("1"), segfault),
        &[
            r#"{"type":"stopped","ranks":"1","reason":"signal","signal":"SIGSEGV","thread":3,"function":"kernel","file":"/path/ring.c","line":12}"#,
        ],
        &["[1] stopped: SIGSEGV (Segmentation fault), thread 3, kernel at ring.c:12"],
    );
    let value = Datum { descriptor: "is4".into(), data: vec![0, 0, 0, 5], type_name: "int".into() };
    check(
        Content::Stopped(set("0-3"), stop(StopReason::Finished(Some(Returned { value, number: Some(7) })))),
        &[
            r#"{"type":"stopped","ranks":"0-3","reason":"finished","returned":"5","returned_type":"int","history_number":7,"thread":1,"function":"kernel","file":"/path/ring.c","line":12,"address":"0x401136"}"#,
        ],
        &["[0-3] stopped: finished, kernel at ring.c:12", "[0-3] Value returned is $7 = 5"],
    );
    check(Content::Running(set("0-3")), &[r#"{"type":"running","ranks":"0-3"}"#], &["[0-3] running"]);
    check(
        Content::Exited(set("0-2"), 0),
        &[r#"{"type":"exited","ranks":"0-2","code":0}"#],
        &["[0-2] exited with code 0"],
    );
    check(
        Content::Killed(set("3"), SignalName("SIGKILL".into()).into()),
        &[r#"{"type":"killed","ranks":"3","signal":"SIGKILL"}"#],
        &["[3] killed by SIGKILL"],
    );
    let cause = Cause { kind: CauseKind::OutOfMemory, text: "out of memory: of 2".into(), source: None };
    let termination = Termination { signal: SignalName("SIGKILL".into()), cause: Some(Box::new(cause)) };
    check(
        Content::Killed(set("3"), termination),
        &[
            r#"{"type":"killed","ranks":"3","signal":"SIGKILL","cause":{"kind":"out_of_memory","text":"out of memory: of 2"}}"#,
        ],
        &["[3] killed by SIGKILL (out of memory: of 2)"],
    );
    check(
        Content::Lost { ranks: set("8-15"), host: "node2".into(), message: "gone".into() },
        &[r#"{"type":"lost","ranks":"8-15","host":"node2","message":"gone"}"#],
        &["[8-15] lost on node2: gone"],
    );
    check(
        Content::Output(set("0"), Stream::Stdout, "it 0\n".into()),
        &[r#"{"type":"output","ranks":"0","stream":"stdout","text":"it 0\n"}"#],
        &["[0] | it 0"],
    );
}

#[test]
fn breakpoints_and_stacks() {
    let site = Site {
        module: Some("/path/ring".into()),
        offset: 0x1136,
        address: Some(VirtualAddress(0x0040_1136)),
        function: Some("kernel".into()),
        source: Some(place()),
    };
    let request = BreakpointRequest::at(BreakpointId(1), LocationSpec::Function("kernel".into()));
    let breakpoint = Breakpoint {
        sites: vec![(set("0-3"), site)],
        hits: Tally::of(set("0-3"), 1),
        ..Breakpoint::asked(request, set("0-3"))
    };
    let named = LocationSpec::FileLine { file: "./ring.c".into(), line: 12 };
    let at_line = Breakpoint {
        request: BreakpointRequest::at(BreakpointId(2), named),
        hits: Tally::default(),
        ..breakpoint.clone()
    };
    assert_eq!(text_lines(&of_command(Content::Breakpoint(at_line))), ["[0-3] breakpoint 2: ./ring.c:12"]);
    let pending = Breakpoint { sites: Vec::new(), hits: Tally::default(), ..breakpoint.clone() };
    check(
        Content::Breakpoint(breakpoint),
        &[
            r#"{"type":"breakpoint","id":1,"location":"kernel","ranks":"0-3","sites":[{"address":"0x401136","function":"kernel","file":"/path/ring.c","line":12,"module":"/path/ring","offset":"0x1136"}],"enabled":true,"hits":4,"hits_by_rank":[{"ranks":"0-3","number":1}]}"#,
        ],
        &["[0-3] breakpoint 1: kernel at ring.c:12, 4 hits (1 each)"],
    );
    check(
        Content::Breakpoint(pending),
        &[r#"{"type":"breakpoint","id":1,"location":"kernel","ranks":"0-3","sites":[],"enabled":true,"hits":0}"#],
        &["[0-3] breakpoint 1: kernel, no function \"kernel\": pending until a library defines it"],
    );
    let mut unnamed = frame();
    unnamed.level = 1;
    (unnamed.function, unnamed.source, unnamed.code.address) = (None, None, None);
    check(
        Content::Stacks(vec![RankStack {
            ranks: set("0-3"),
            stack: FoldedStack::open(vec![frame(), unnamed]),
            user: None,
            arguments: StackArguments::new(),
        }]),
        &[
            r#"{"type":"stack","ranks":"0-3","frames":[{"level":0,"function":"kernel","file":"/path/ring.c","line":12,"module":"/path/ring","offset":"0x1136","address":"0x401136","inlined":false},{"level":1,"module":"/path/ring","offset":"0x1136","inlined":false}]}"#,
        ],
        &["[0-3] #0  kernel at ring.c:12", "[0-3] #1  ?? from ring"],
    );
    check(
        Content::Stacks(vec![RankStack {
            ranks: set("0-3"),
            stack: FoldedStack::open(vec![model::Frame { guessed: true, ..frame() }]),
            user: None,
            arguments: StackArguments::new(),
        }]),
        &[
            r#"{"type":"stack","ranks":"0-3","frames":[{"level":0,"function":"kernel","file":"/path/ring.c","line":12,"module":"/path/ring","offset":"0x1136","address":"0x401136","inlined":false,"guessed":true}]}"#,
        ],
        &["[0-3] #0  kernel at ring.c:12 (guessed)"],
    );
    let mut tree = StackTree::default();
    tree.add(&set("0-2"), &[frame()]);
    tree.add(&set("3"), &[Frame { source: Some(SourcePlace { line: 14, ..place() }), ..frame() }]);
    tree.finish();
    check(
        Content::Tree { tree, all: false },
        &[
            r#"{"type":"tree","ranks":"0-3","root":{"function":"kernel","lines":[{"line":12,"ranks":"0-2"},{"line":14,"ranks":"3"}],"ranks":"0-3","children":[]}}"#,
        ],
        &["[0-3] kernel at lines 12 [0-2], 14 [3]"],
    );
    let state = ProcessState::Stopped(Box::new(stop(StopReason::Step)));
    check(
        Content::Status(vec![StatusGroup::new(set("0-2"), &state)]),
        &[
            r#"{"type":"status","groups":[{"ranks":"0-2","state":"stopped","reason":"step","thread":1,"function":"kernel","file":"/path/ring.c","line":12}]}"#,
        ],
        &["[0-2] stopped: step, kernel at ring.c:12"],
    );
    let called = |function: &str, level| {
        let module = Some("/lib/libmpi.so.40".into());
        let code = CodePlace { module, offset: 0x40, address: None };
        let inside = Frame { function: Some(function.into()), source: None, code, ..frame() };
        let caller = Frame { level, function: Some("rebalance".into()), ..frame() };
        let user = Some(Box::new(UserFrame { frame: caller, call: Some("MPI_Sendrecv".into()) }));
        Stop { frame: inside, user, ..stop(StopReason::Interrupted) }
    };
    check(
        Content::Stopped(set("10"), called("opal_progress", 8)),
        &[
            r#"{"type":"stopped","ranks":"10","reason":"interrupted","thread":1,"function":"opal_progress","user":{"level":8,"function":"rebalance","file":"/path/ring.c","line":12,"call":"MPI_Sendrecv"}}"#,
        ],
        &["[10] stopped: interrupted, in MPI_Sendrecv at ring.c:12"],
    );
    let mut state = crate::State { ranks: crate::state::RankTable::new(2), ..crate::State::default() };
    for (rank, stop) in [("0", called("opal_progress", 8)), ("1", called("poll", 9))] {
        state.ranks.change(&set(rank), &ProcessState::Stopped(Box::new(stop)));
    }
    check(
        Content::Status(state.status_groups(&set("0-1"))),
        &[
            r#"{"type":"status","groups":[{"ranks":"0-1","state":"stopped","reason":"interrupted","thread":1,"user":{"function":"rebalance","file":"/path/ring.c","line":12,"call":"MPI_Sendrecv"}}]}"#,
        ],
        &["[0-1] stopped: interrupted, in MPI_Sendrecv at ring.c:12"],
    );
    let in_second = ProcessState::Stopped(Box::new(Stop { thread: ThreadId(2), ..stop(StopReason::Step) }));
    let one_thread = StatusGroup::new(set("0"), &in_second);
    let several = StatusGroup { ranks: set("1-2"), thread: None, ..one_thread.clone() };
    check(
        Content::Status(vec![one_thread, several]),
        &[
            r#"{"type":"status","groups":[{"ranks":"0","state":"stopped","reason":"step","thread":2,"function":"kernel","file":"/path/ring.c","line":12},{"ranks":"1-2","state":"stopped","reason":"step","function":"kernel","file":"/path/ring.c","line":12}]}"#,
        ],
        &["[0] stopped: step, thread 2, kernel at ring.c:12", "[1-2] stopped: step, kernel at ring.c:12"],
    );
}

#[test]
fn values_and_variables() {
    let datum = Datum { descriptor: "f8".into(), data: 0.5f64.to_be_bytes().to_vec(), type_name: "double".into() };
    let (expression, text) = ("c.t".to_owned(), "0.5".to_owned());
    check(
        Content::Value {
            ranks: set("0-3"),
            expression: expression.clone(),
            text: text.clone(),
            datum: datum.clone(),
            display: None,
        },
        &[r#"{"type":"value","ranks":"0-3","expression":"c.t","value":"0.5","value_type":"double","aif":"f8"}"#],
        &["[0-3] c.t = 0.5"],
    );
    check(
        Content::Value { ranks: set("0-3"), expression, text, datum: datum.clone(), display: Some(2) },
        &[
            r#"{"type":"value","ranks":"0-3","expression":"c.t","value":"0.5","value_type":"double","aif":"f8","display":2}"#,
        ],
        &["[0-3] 2: c.t = 0.5"],
    );
    let list = |n: &str| {
        let variable =
            |name: &str, text: &str| PrintedVariable { name: name.into(), text: text.into(), type_name: "int".into() };
        vec![variable("n", n), variable("i", "7")]
    };
    check(
        Content::Variables(Scope::Locals, vec![(set("0-1"), list("3")), (set("2"), list("4"))]),
        &[
            r#"{"type":"variables","ranks":"0-1","scope":"locals","variables":[{"name":"n","value":"3","value_type":"int"},{"name":"i","value":"7","value_type":"int"}]}"#,
            r#"{"type":"variables","ranks":"2","scope":"locals","variables":[{"name":"n","value":"4","value_type":"int"},{"name":"i","value":"7","value_type":"int"}]}"#,
        ],
        &["[0-1] n = 3", "[2] n = 4", "[0-2] i = 7"],
    );
    let comparison = Comparison::new(vec![(set("0-1"), "0.5".into(), datum)]);
    check(
        Content::Comparison("x".into(), comparison),
        &[
            r#"{"type":"comparison","ranks":"0-1","expression":"x","count":2,"distinct":1,"min":0.5,"max":0.5,"mean":0.5,"deviation":0,"nan":0,"infinite":0,"values":[{"value":"0.5","ranks":"0-1"}],"histogram":[2]}"#,
        ],
        &["[0-1] x: 2 values, 1 distinct", "[0-1] min 0.5, max 0.5, mean 0.5, deviation 0", "[0-1] = 0.5"],
    );
}

#[test]
fn how_commands_end() {
    let message = "no symbol \"y\" in the current scope".to_owned();
    check(
        Content::Error { ranks: set("0-3"), message, position: Some(6) },
        &[
            r#"{"type":"error","ranks":"0-3","command":"print y","message":"no symbol \"y\" in the current scope","position":6}"#,
        ],
        &["[0-3] error: no symbol \"y\" in the current scope", "  print y", "        ^"],
    );
    check(
        Content::Missing(set("5"), "no reply within 5 s".into()),
        &[r#"{"type":"missing","ranks":"5","command":"print y","message":"no reply within 5 s"}"#],
        &["[5] missing: no reply within 5 s"],
    );
    check(
        Content::Done { elapsed: Duration::from_micros(1800), answered: set("0-3"), failed: false },
        &[r#"{"type":"done","command":"print y","elapsed_ms":1.8,"answered":"0-3"}"#],
        &[],
    );
}

#[test]
fn host_names_and_texts_are_written_as_json_strings() {
    let hosts = vec![("a\"b\\".into(), set("0"))];
    let report = of_command(Content::Session(SessionInfo { id: "\u{1}".into(), size: 1, hosts }));
    let object: serde_json::Value = serde_json::from_str(&json_lines(&report)[0]).unwrap();
    assert_eq!(object["hosts"]["a\"b\\"], "0");
}

#[test]
fn frames_of_libraries_are_one_line_of_text_and_all_in_json() {
    let called = |level, function: &str| {
        let code = CodePlace { module: Some("/lib/libmpi.so.40".into()), offset: 0x40, address: None };
        Frame { level, function: Some(function.into()), source: None, code, ..frame() }
    };
    let frames = vec![called(0, "poll"), called(1, "PMPI_Wait"), Frame { level: 2, ..frame() }];
    check(
        Content::Stacks(vec![RankStack {
            ranks: set("0"),
            stack: FoldedStack::new(frames.clone(), &model::MyCode::default()),
            user: None,
            arguments: StackArguments::new(),
        }]),
        &[
            r#"{"type":"stack","ranks":"0","frames":[{"level":0,"function":"poll","module":"/lib/libmpi.so.40","offset":"0x40","inlined":false},{"level":1,"function":"PMPI_Wait","module":"/lib/libmpi.so.40","offset":"0x40","inlined":false},{"level":2,"function":"kernel","file":"/path/ring.c","line":12,"module":"/path/ring","offset":"0x1136","address":"0x401136","inlined":false}]}"#,
        ],
        &["[0] #1  MPI_Wait from libmpi.so.40 … 2 frames", "[0] #2  kernel at ring.c:12"],
    );
    let mut tree = StackTree::default();
    tree.add(&set("0"), &frames);
    tree.add(&set("1"), &frames[1..]);
    tree.finish();
    let json = r#"{"type":"tree","ranks":"0-1","root":{"function":"kernel","file":"/path/ring.c","line":12,"ranks":"0-1","children":[{"function":"PMPI_Wait","library":true,"ranks":"0-1","children":[{"function":"poll","library":true,"ranks":"0","children":[]}]}]}}"#;
    let lines = ["[0-1] kernel at ring.c:12", "[0-1] MPI_Wait … 1-2 frames"];
    check(Content::Tree { tree: tree.clone(), all: false }, &[json], &lines);
    let lines = ["[0-1] kernel at ring.c:12", "[0-1] PMPI_Wait", "[0] poll"];
    check(Content::Tree { tree, all: true }, &[json], &lines);
}

#[test]
fn who_waits_for_whom() {
    let in_allreduce = Place {
        call: Some("MPI_Allreduce".into()),
        function: Some("main".into()),
        source: Some(SourcePlace { file: "/path/deadlock.c".into(), line: 118 }),
        thread: None,
    };
    let edge = Edge {
        from: set("0-2"),
        to: set("3"),
        place: in_allreduce,
        communicator: Some("MPI_COMM_WORLD".to_owned()),
        source: Source::Text,
        text: Text::Read,
        any: false,
    };
    let text = vec!["ranks 0-2 wait.".to_owned(), "look at: focus 3".to_owned()];
    let (verdict, guilty) = (Verdict::Computing, set("3"));
    let since = Since::default();
    let edges = vec![edge];
    let once = Why { ranks: set("0-3"), verdict, guilty, text, edges, samples: 1, since };
    let since = Since { moved: set("3"), unmoved: set("0-2"), unobserved: ProcessSet::new() };
    let twice = Content::Why(Why { text: Vec::new(), edges: Vec::new(), samples: 2, since, ..once.clone() });
    let since = r#""samples":2,"since":{"moved":"3","unmoved":"0-2"}"#;
    let expected =
        format!(r#"{{"type":"why","ranks":"0-3","verdict":"computing","guilty":"3","text":[],"edges":[],{since}}}"#);
    check(twice, &[&expected], &[]);
    check(
        Content::Why(once),
        &[
            r#"{"type":"why","ranks":"0-3","verdict":"computing","guilty":"3","text":["ranks 0-2 wait.","look at: focus 3"],"edges":[{"from":"0-2","to":"3","call":"MPI_Allreduce","function":"main","file":"/path/deadlock.c","line":118,"communicator":"MPI_COMM_WORLD","source":"text"}],"samples":1}"#,
        ],
        &["why: ranks 0-2 wait.", "     look at: focus 3"],
    );
}

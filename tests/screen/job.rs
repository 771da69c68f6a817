//! A job as the controller would know it, written down: screens of every state without an engine.

use rankscope::controller::state::{
    Focus, Inspection, Lookup, Phase, RankTable, SessionInfo, ShownVariable, SourceText, State,
};
use rankscope::controller::{StackTree, state::MessageLog};
use rankscope::model::{
    Breakpoint, BreakpointId, BreakpointRequest, CodePlace, Datum, Frame, LocationSpec, ProcessSet, ProcessState, Rank,
    SignalName, Site, SourcePlace, Stop, StopReason, Stream, ThreadId, ThreadInfo, VariableValue, VirtualAddress,
    aif::from_hex,
};

pub const FILE: &str = "/home/ada/heat/heat.c";

pub const TEXT: &str = include_str!("heat.c.txt");

pub fn set(text: &str) -> ProcessSet {
    ProcessSet::parse(text).unwrap()
}

pub fn frame(level: u32, function: &str, line: u32) -> Frame {
    Frame {
        level,
        function: Some(function.into()),
        source: Some(SourcePlace { file: FILE.into(), line }),
        code: CodePlace {
            module: Some("/home/ada/heat/heat".into()),
            offset: 0x1100 + u64::from(line) * 8,
            address: Some(VirtualAddress(0x5555_5555_5100 + u64::from(line) * 8)),
        },
        inlined: false,
        thread: None,
    }
}

pub fn library_frame(level: u32, function: &str, module: &str) -> Frame {
    Frame {
        level,
        function: Some(function.into()),
        source: None,
        code: CodePlace { module: Some(module.into()), offset: 0x2_9d90, address: None },
        inlined: false,
        thread: None,
    }
}

pub fn stopped(reason: StopReason, frame: Frame) -> ProcessState {
    ProcessState::Stopped(Box::new(Stop { reason, thread: ThreadId(1), frame, note: None }))
}

fn datum(descriptor: &str, hex: &str, type_name: &str) -> Datum {
    Datum { descriptor: descriptor.into(), data: from_hex(hex).unwrap(), type_name: type_name.into() }
}

fn variable(name: &str, descriptor: &str, hex: &str, type_name: &str, before: Option<&str>) -> ShownVariable {
    ShownVariable {
        name: name.into(),
        value: VariableValue::Known(datum(descriptor, hex, type_name)),
        changed: before.is_some(),
        previous: Some(datum(descriptor, before.unwrap_or(hex), type_name)),
    }
}

pub fn breakpoint(id: u32, location: LocationSpec, ranks: &ProcessSet, line: Option<(&str, u32)>) -> Breakpoint {
    let sites = line.map(|(function, line)| {
        let site = Site {
            module: Some("/home/ada/heat/heat".into()),
            offset: 0x1100,
            address: None,
            function: Some(function.into()),
            source: Some(SourcePlace { file: FILE.into(), line }),
        };
        (ranks.clone(), site)
    });
    Breakpoint {
        request: BreakpointRequest {
            id: BreakpointId(id),
            location,
            temporary: false,
            condition: None,
            ignore: 0,
            thread: None,
            enabled: true,
        },
        ranks: ranks.clone(),
        sites: sites.into_iter().collect(),
        hits: 0,
    }
}

/// A job whose ranks are all starting.
pub fn launching(size: u32) -> State {
    State {
        phase: Phase::Live,
        session: Some(SessionInfo { id: "7f3a".into(), size, hosts: vec![("node1".into(), ProcessSet::all(size))] }),
        program: "mpirun -n 8 ./heat 512".into(),
        ranks: {
            let mut table = RankTable::new(size);
            table.set_host(&ProcessSet::all(size), "node1");
            table
        },
        focus: Focus { set: ProcessSet::all(size), text: "all".into(), thread: None },
        messages: MessageLog::default(),
        revision: 1,
        ..State::default()
    }
}

/// The job at a breakpoint: most ranks there, some elsewhere, the lead looked at closely.
pub fn at_breakpoint(size: u32) -> State {
    let mut state = launching(size);
    let all = ProcessSet::all(size);
    let at = stopped(StopReason::Breakpoint(BreakpointId(1)), frame(0, "relax", 21));
    state.ranks.change(&all, &at);
    let mut relax = breakpoint(1, LocationSpec::Function("relax".into()), &all, Some(("relax", 21)));
    relax.hits = u64::from(size);
    state.breakpoints.insert(BreakpointId(1), relax);
    inspect(&mut state);
    for rank in 0..size {
        state.ranks.set_pid(Rank(rank), 4100 + rank);
    }
    state.output.push(&set("0"), Stream::Stdout, "heat: 512 x 512 on 8 ranks\n");
    state.output.push(&all, Stream::Stdout, "step 0 begins\n");
    state.output.push(&set("0"), Stream::Stdout, "step 0 residual 0.998341\n");
    state.output.push(&set("3"), Stream::Stderr, "warning: halo of 3 is late\n");
    state.output.push(&all, Stream::Stdout, "step 1 begins\n");
    state
}

/// Ranks that went different ways.
pub fn diverged(size: u32) -> State {
    let mut state = at_breakpoint(size);
    let part = |residue: u32, of: u32| (0..size).filter(|rank| rank % of == residue).map(Rank).collect::<ProcessSet>();
    state.ranks.change(&part(1, 5), &stopped(StopReason::Step, frame(0, "relax", 24)));
    state.ranks.change(&part(3, 7), &ProcessState::Running);
    let crash = stopped(StopReason::Signal(SignalName("SIGSEGV".into())), frame(0, "exchange", 36));
    state.ranks.change(&part(5, 23), &crash);
    state.ranks.change(&part(2, 29), &ProcessState::Exited(0));
    state.ranks.change(&part(11, 31), &ProcessState::Killed(SignalName("SIGKILL".into())));
    if size > 40 {
        state.ranks.change(&ProcessSet::range(size - 8, size), &ProcessState::Lost("the link to node9 is gone".into()));
        state.held = ProcessSet::range(8, 12).intersection(state.ranks.stopped());
    }
    state
}

/// The lead's stack and variables, and the merged tree.
pub fn inspect(state: &mut State) {
    let stack = vec![
        frame(0, "relax", 21),
        frame(1, "iterate", 47),
        frame(2, "main", 66),
        library_frame(3, "__libc_start_call_main", "/lib/x86_64-linux-gnu/libc.so.6"),
    ];
    let mut tree = StackTree::default();
    let (all, size) = (ProcessSet::all(state.size()), state.size());
    let waiting: ProcessSet = (0..size).filter(|rank| rank % 5 == 1).map(Rank).collect();
    let waited = vec![
        library_frame(0, "poll", "/lib/x86_64-linux-gnu/libc.so.6"),
        library_frame(1, "MPIDI_CH3I_Progress", "/usr/lib/libmpich.so.12"),
        library_frame(2, "MPI_Sendrecv", "/usr/lib/libmpich.so.12"),
        frame(3, "exchange", 36),
        frame(4, "iterate", 46),
        frame(5, "main", 66),
    ];
    let norm = vec![frame(0, "residual", 29), frame(1, "iterate", 49), frame(2, "main", 66)];
    let summing: ProcessSet = (0..size).filter(|rank| rank % 5 == 3).map(Rank).collect();
    tree.add(&all.difference(&waiting).difference(&summing), &stack[..3]);
    tree.add(&waiting, &waited);
    tree.add(&summing, &norm);
    tree.sort();
    let source = SourceText::new(FILE.into(), TEXT.into());
    state.inspection = Inspection {
        stack: Lookup::Known(stack),
        tree: Lookup::Known(tree),
        arguments: Lookup::Known(vec![
            variable(
                "grid",
                "^a8{grid|rows=is4,columns=is4,cell=^a8f8,halo=[r0,2is4]is4;;;}",
                "0500007fffffffe340",
                "struct grid *",
                None,
            ),
            variable("step", "is4", "00000001", "int", Some("00000000")),
        ]),
        locals: Lookup::Known(vec![
            variable(
                "here",
                "{grid|rows=is4,columns=is4,cell=^a8f8,halo=[r0,2is4]is4;;;}",
                "0000004200000200050000555555559ac0ffffffff00000001",
                "struct grid",
                None,
            ),
            variable("change", "f8", "3fe0000000000000", "double", Some("3ff0000000000000")),
            variable("row", "is4", "00000001", "int", None),
            variable("column", "is4", "00000001", "int", Some("00000040")),
            ShownVariable {
                name: "scratch".into(),
                value: VariableValue::Unknown { why: "optimized out".into(), type_name: "double *".into() },
                changed: false,
                previous: None,
            },
        ]),
        threads: Lookup::Known(vec![
            ThreadInfo { id: ThreadId(1), current: true, name: "heat".into(), frame: Some(frame(0, "relax", 21)) },
            ThreadInfo {
                id: ThreadId(2),
                current: false,
                name: "progress".into(),
                frame: Some(library_frame(0, "epoll_wait", "/lib/x86_64-linux-gnu/libc.so.6")),
            },
            ThreadInfo { id: ThreadId(3), current: false, name: "writer".into(), frame: None },
        ]),
        sources: [(FILE.into(), Lookup::Known(source))].into(),
        ..Inspection::default()
    };
}

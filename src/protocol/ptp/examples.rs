//! Byte literals of every command and event, by the rules of sections 1–3 of the wire; those that the page shows are
//! verbatim. For the tests of this layer and of the translation.

use super::event::OldEvent;
use super::*;
use model::ProcessSet;

/// The bytes, the transaction in them, and their meaning.
pub(crate) type Example<T> = (&'static [u8], u32, T);

fn ranks() -> BaseSet {
    BaseSet::new(ProcessSet::all(4), 4)
}

pub(crate) fn commands() -> Vec<Example<BaseCommand>> {
    use RankCommand as Rank;
    let of = |command| BaseCommand::Ranks(ranks(), command);
    let start = |words: &[&str]| BaseCommand::StartSession {
        program: "ring".into(),
        directory: "/home/ada".into(),
        working_directory: "/home/ada".into(),
        arguments: words.iter().map(|&word| word.into()).collect(),
    };
    vec![
        (b"00000017 0000:00000005:00000000", 5, BaseCommand::Quit),
        (b"0000004b 0001:00000001:00000003 00000004:ring 00000009:/home/ada 00000009:/home/ada", 1, start(&[])),
        (b"0000006e 0001:00000009:00000006 00000004:ring 00000009:/home/ada 00000009:/home/ada 00000002:-n 00000000: 00000003:a b", 9, start(&["-n", "", "a b"])),
        (b"00000087 0002:00000002:00000009 00000004:4:0f 00000001:1 00000001:1 00000001:0 00000006:ring.c 00000002:17 00000005:n > 3 00000001:2 00000001:0", 2, of(Rank::SetLineBreakpoint { id: 1, temporary: true, hardware: false, file: "ring.c".into(), line: 17, condition: "n > 3".into(), ignore_count: 2, thread: 0 })),
        (b"0000007e 0003:00000002:00000009 00000004:4:0f 00000001:1 00000001:0 00000001:0 00000000: 00000004:work 00000000: 00000001:0 00000001:0", 2, of(Rank::SetFunctionBreakpoint { id: 1, temporary: false, hardware: false, file: String::new(), function: "work".into(), condition: String::new(), ignore_count: 0, thread: 0 })),
        (b"00000030 0004:00000003:00000002 00000004:4:0f 00000001:1", 3, of(Rank::DeleteBreakpoint { id: 1 })),
        (b"00000031 0005:00000003:00000002 00000004:4:0f 00000002:12", 3, of(Rank::EnableBreakpoint { id: 12 })),
        (b"00000030 0006:00000003:00000002 00000004:4:0f 00000001:1", 3, of(Rank::DisableBreakpoint { id: 1 })),
        (b"00000040 0007:00000003:00000003 00000004:4:0f 00000001:1 00000006:n == 2", 3, of(Rank::ConditionBreakpoint { id: 1, expression: "n == 2".into() })),
        (b"0000003c 0008:00000003:00000003 00000004:4:0f 00000001:1 00000002:10", 3, of(Rank::BreakpointAfter { id: 1, ignore_count: 10 })),
        (b"00000068 0009:00000003:00000007 00000004:4:0f 00000001:2 00000003:p.x 00000001:0 00000001:1 00000000: 00000001:0", 3, of(Rank::SetWatchpoint { id: 2, expression: "p.x".into(), access: false, read: true, condition: String::new(), ignore_count: 0 })),
        (b"00000025 000a:00000003:00000001 00000004:4:0f", 3, of(Rank::Go)),
        (b"0000003b 000b:00000004:00000003 00000004:4:0f 00000001:3 00000001:1", 4, of(Rank::Step { count: 3, kind: 1 })),
        (b"00000025 000c:00000004:00000001 00000004:4:0f", 4, of(Rank::Terminate)),
        (b"00000025 000d:00000004:00000001 00000004:4:0f", 4, of(Rank::Interrupt)),
        (b"0000003b 000e:00000004:00000003 00000004:4:0f 00000001:0 00000001:0", 4, of(Rank::ListStackframes { low: 0, high: 0 })),
        (b"00000030 000f:00000004:00000002 00000004:4:0f 00000001:2", 4, of(Rank::SetCurrentStackframe { level: 2 })),
        (b"00000030 0010:00000010:00000002 00000004:4:0f 00000001:p", 16, of(Rank::EvaluateExpression { expression: "p".into() })),
        (b"00000032 0011:00000004:00000002 00000004:4:0f 00000003:p.x", 4, of(Rank::GetType { expression: "p.x".into() })),
        (b"00000025 0012:00000004:00000001 00000004:4:0f", 4, of(Rank::ListLocalVariables)),
        (b"0000003b 0013:00000004:00000003 00000004:4:0f 00000001:0 00000001:1", 4, of(Rank::ListArguments { low: 0, high: 1 })),
        (b"00000025 0014:00000004:00000001 00000004:4:0f", 4, of(Rank::ListGlobalVariables)),
        (b"00000025 0015:00000004:00000001 00000004:4:0f", 4, of(Rank::ListInfoThreads)),
        (b"00000030 0016:00000004:00000002 00000004:4:0f 00000001:2", 4, of(Rank::SetThreadSelect { thread: 2 })),
        (b"00000025 0017:00000004:00000001 00000004:4:0f", 4, of(Rank::StackInfoDepth)),
        (b"00000074 0018:00000004:00000008 00000004:4:0f 00000002:-8 00000002:&p 00000001:x 00000001:4 00000001:2 00000001:4 00000001:.", 4, of(Rank::DataReadMemory { offset: -8, address: "&p".into(), format: "x".into(), word_size: 4, rows: 2, columns: 4, as_char: ".".into() })),
        (b"00000064 0019:00000004:00000006 00000004:4:0f 00000001:0 00000008:0x404040 00000001:d 00000001:4 00000002:-1", 4, of(Rank::DataWriteMemory { offset: 0, address: "0x404040".into(), format: "d".into(), word_size: 4, value: "-1".into() })),
        (b"0000002f 001a:00000004:00000002 00000004:4:0f 00000000:", 4, of(Rank::ListSignals { name: String::new() })),
        (b"00000035 001b:00000004:00000002 00000004:4:0f 00000006:SIGINT", 4, of(Rank::SignalInfo { argument: "SIGINT".into() })),
        (b"0000004a 001c:00000004:00000002 00000004:4:0f 0000001b:SIGUSR1 nostop noprint pass", 4, of(Rank::Cli { text: "SIGUSR1 nostop noprint pass".into() })),
        (b"00000030 001d:00000004:00000002 00000004:4:0f 00000001:n", 4, of(Rank::DataEvaluateExpression { expression: "n".into() })),
        (b"00000057 001e:00000004:00000005 00000004:4:0f 00000004:list 00000004:var1 00000001:1 00000001:0", 4, of(Rank::EvaluatePartialExpression { expression: "list".into(), key: "var1".into(), list_children: true, express: false })),
        (b"00000033 001f:00000004:00000002 00000004:4:0f 00000004:var1", 4, of(Rank::DeletePartialExpression { key: "var1".into() })),
    ]
}

fn location() -> BaseLocation {
    let address = "0x0000000000001197".into();
    BaseLocation { file: "ring.c".into(), function: "work".into(), address, line: 17 }
}

fn frame(level: i32) -> BaseFrame {
    BaseFrame { level, location: Some(location()) }
}

fn signal() -> BaseSignal {
    let description = "Segmentation fault".into();
    BaseSignal { name: "SIGSEGV".into(), stop: true, print: true, pass: false, description }
}

fn breakpoint(location: Option<BaseLocation>) -> BaseBreakpoint {
    let kind = "breakpoint".into();
    BaseBreakpoint { id: 1, ignore: 0, special: false, deleted: false, kind, location, hits: 0 }
}

pub(crate) fn events() -> Vec<Example<BaseEvent>> {
    use RankEvent as Rank;
    let of = |event| BaseEvent::Ranks(ranks(), event);
    let suspend = |reason, changed: &[&str]| {
        let changed = changed.iter().map(|&name| name.into()).collect();
        BaseEvent::Ranks(ranks(), Rank::Suspend { reason, thread: 1, depth: 2, changed })
    };
    vec![
        (b"00000017 0000:00000005:00000000", 5, BaseEvent::ProxyOk),
        (b"0000006e 0001:00000005:00000004 00000001:3 00000012:messageLevel=ERROR 0000000d:messageCode=3 0000000f:messageText=a=b", 5, BaseEvent::ProxyMessage { level: "ERROR".into(), code: 3, text: "a=b".into() }),
        (b"00000055 0005:00000005:00000003 00000001:2 0000000b:errorCode=5 00000014:errorMsg=no back end", 5, BaseEvent::ProxyError { code: 5, message: "no back end".into() }),
        (b"00000017 0006:00000005:00000000", 5, BaseEvent::ProxyShutdown),
        (b"0000003c 0066:00000003:00000003 00000004:4:0f 00000001:0 00000002:-1", 3, of(Rank::Exit { reason: Ending::Exit(-1) })),
        (b"0000007e 0066:00000003:00000007 00000004:4:0f 00000001:1 00000007:SIGSEGV 00000001:1 00000001:1 00000001:0 00000012:Segmentation fault", 3, of(Rank::Exit { reason: Ending::Signal(Some(signal())) })),
        (b"0000003b 0066:00000003:00000003 00000004:4:0f 00000001:1 00000001:*", 3, of(Rank::Exit { reason: Ending::Signal(None) })),
        (b"000000c1 0068:00000002:0000000c 00000004:4:0f 00000001:1 00000001:1 00000001:0 00000001:0 00000001:0 0000000a:breakpoint 00000006:ring.c 00000004:work 00000012:0x0000000000001197 00000002:17 00000001:0", 2, of(Rank::BreakpointSet { id: 1, breakpoint: Some(breakpoint(Some(location()))) })),
        (b"00000086 0068:00000002:00000009 00000004:4:0f 00000001:1 00000001:1 00000001:0 00000001:0 00000001:0 0000000a:breakpoint 00000001:* 00000001:0", 2, of(Rank::BreakpointSet { id: 1, breakpoint: Some(breakpoint(None)) })),
        (b"0000003b 0068:00000002:00000003 00000004:4:0f 00000001:1 00000001:*", 2, of(Rank::BreakpointSet { id: 1, breakpoint: None })),
        (b"00000097 0069:00000004:00000009 00000004:4:0f 00000001:2 00000001:0 00000006:ring.c 00000004:work 00000012:0x0000000000001197 00000002:17 00000001:1 00000001:*", 4, of(Rank::Stackframe { frames: vec![frame(0), BaseFrame { level: 1, location: None }] })),
        (b"0000008e 006a:00000010:00000005 00000004:4:0f 0000001b:{point|x=is4,y=f8,tag=c;;;} 0000001a:0000000B400400000000000071 0000000c:struct point 00000000:", 16, of(Rank::Data { descriptor: "{point|x=is4,y=f8,tag=c;;;}".into(), data: "0000000B400400000000000071".into(), type_name: "struct point".into(), key: String::new() })),
        (b"0000003d 006b:00000004:00000002 00000004:4:0f 0000000e:struct point *", 4, of(Rank::Type { text: "struct point *".into() })),
        (b"00000046 006c:00000004:00000004 00000004:4:0f 00000001:2 00000001:n 00000001:p", 4, of(Rank::Vars { names: vec!["n".into(), "p".into()] })),
        (b"00000030 006d:00000004:00000002 00000004:4:0f 00000001:0", 4, of(Rank::Args { names: vec![] })),
        (b"00000034 006e:00000004:00000002 00000004:4:0f 00000005:it 0\n", 4, of(Rank::Output { text: "it 0\n".into() })),
        (b"00000025 006f:00000001:00000001 00000004:4:0f", 1, of(Rank::Ok)),
        (b"00000058 0070:0000001c:00000003 00000004:4:01 00000002:39 0000001d:Unknown variable: \"nosuchvar\"", 28, BaseEvent::Ranks(BaseSet::new(ProcessSet::all(1), 4), Rank::Error { code: 39, message: "Unknown variable: \"nosuchvar\"".into() })),
        (b"0000005c 0071:00000003:00000006 00000004:4:0f 00000001:0 00000001:1 00000001:1 00000001:2 00000001:0", 3, suspend(Suspension::Breakpoint(1), &[])),
        (b"000000fb 0071:00000003:00000010 00000004:4:0f 00000001:1 00000007:SIGSEGV 00000001:1 00000001:1 00000001:0 00000012:Segmentation fault 00000001:0 00000006:ring.c 00000004:work 00000012:0x0000000000001197 00000002:17 00000001:1 00000001:2 00000001:1 00000001:n", 3, suspend(Suspension::Signal(Some(signal()), Some(frame(0))), &["n"])),
        (b"000000a2 0071:00000003:0000000a 00000004:4:0f 00000001:2 00000001:0 00000006:ring.c 00000004:work 00000012:0x0000000000001197 00000002:17 00000001:1 00000001:2 00000001:0", 3, suspend(Suspension::Step(Some(frame(0))), &[])),
        (b"0000005c 0071:00000003:00000006 00000004:4:0f 00000001:3 00000001:* 00000001:1 00000001:2 00000001:0", 3, suspend(Suspension::Interrupt(None), &[])),
        (b"00000051 0072:00000004:00000005 00000004:4:0f 00000001:1 00000001:2 00000001:1 00000001:2", 4, of(Rank::InfoThreads { current: 1, ids: vec!["1".into(), "2".into()] })),
        (b"00000081 0073:00000004:00000007 00000004:4:0f 00000001:2 00000001:0 00000006:ring.c 00000004:work 00000012:0x0000000000001197 00000002:17", 4, of(Rank::SetThreadSelect { thread: 2, frame: Some(frame(0)) })),
        (b"00000030 0074:00000004:00000002 00000004:4:0f 00000001:7", 4, of(Rank::StackInfoDepth { depth: 7 })),
        (b"000000cc 0075:00000004:0000000e 00000004:4:0f 00000004:0x10 00000004:0x18 00000003:0x8 00000004:0x20 00000003:0x0 00000001:8 00000002:16 00000001:1 00000004:0x10 00000004:ab.. 00000001:2 00000003:0x1 00000003:0x2", 4, of(Rank::MemoryInfo { address: "0x10".into(), next_row: "0x18".into(), previous_row: "0x8".into(), next_page: "0x20".into(), previous_page: "0x0".into(), bytes: 8, total: 16, rows: vec![MemoryRow { address: "0x10".into(), ascii: "ab..".into(), words: vec!["0x1".into(), "0x2".into()] }] })),
        (b"0000007e 0077:00000004:00000007 00000004:4:0f 00000001:1 00000007:SIGSEGV 00000001:1 00000001:1 00000001:0 00000012:Segmentation fault", 4, of(Rank::Signals { signals: vec![signal()] })),
    ]
}

/// The events of PTP 2.x.
pub(crate) fn old_events() -> Vec<Example<BaseEvent>> {
    let old = |event| BaseEvent::Old(ranks(), event);
    vec![
        (b"00000031 006e:00000000:00000002 00000004:4:0f 00000002:64", 0, old(OldEvent::Init { servers: 64 })),
        (
            b"00000030 0078:00000004:00000002 00000004:4:0f 00000001:3",
            4,
            old(OldEvent::DataExpressionValue { text: "3".into() }),
        ),
        (
            b"0000005f 0079:00000004:00000005 00000004:4:0f 00000003:is4 00000008:00000003 00000003:int 00000004:var1",
            4,
            old(OldEvent::PartialAif {
                descriptor: "is4".into(),
                data: "00000003".into(),
                type_name: "int".into(),
                key: "var1".into(),
            }),
        ),
    ]
}

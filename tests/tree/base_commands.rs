//! Every base dialect command for ranks, on a real program (wire, section 2), except those that run and stop ranks,
//! which are in `base_dialect.rs`.

use crate::support::base_client::{Bench, packet};
use crate::support::build::build;

/// All four ranks, and the first.
const ALL: &str = "4:0f";
const FIRST: &str = "4:01";

/// A client that numbers its commands.
struct Client {
    bench: Bench,
    tid: u32,
}

impl Client {
    /// Sends a command for the ranks in its first argument; each reply must be this event with these words, until all
    /// of them have replied, in however many parts. Returns the last part.
    #[track_caller]
    fn asks(&mut self, id: u16, arguments: &[&str], event: u16, words: &[&str]) -> String {
        self.tid += 1;
        self.bench.say(id, self.tid, arguments);
        let bits = |set: &str| u8::from_str_radix(set.strip_prefix("4:").unwrap(), 16).unwrap();
        let mut left = bits(arguments[0]);
        loop {
            let answer = self.bench.hear();
            assert!(answer.contains(&format!(" {event:04x}:{:08x}:", self.tid)), "command {id}: {answer}");
            assert!(words.iter().all(|word| answer.contains(word)), "command {id}: {answer}");
            let ranks = bits(answer.split(" 00000004:").nth(1).unwrap().get(..4).unwrap());
            assert!(ranks != 0 && ranks & !left == 0, "command {id}: {answer}");
            left &= !ranks;
            if left == 0 {
                return answer;
            }
        }
    }

    #[track_caller]
    fn is_ok(&mut self, id: u16, arguments: &[&str]) {
        self.asks(id, arguments, 111, &[]);
    }
}

/// A client of ranks stopped in main.
fn client(engine: &str) -> Client {
    let program = build("cc", "point.c", &["-g", "-O0"]);
    let mut bench = Bench::on(&program, engine, &[]);
    bench.start();
    Client { bench, tid: 1 }
}

#[test]
fn every_command_is_answered() {
    let mut client = client("native");
    client.asks(3, &[ALL, "1", "0", "0", "", "work", "", "0", "0"], 104, &[":work"]);
    client.is_ok(7, &[ALL, "1", "n > 2"]);
    client.is_ok(8, &[ALL, "1", "0"]);
    client.is_ok(6, &[ALL, "1"]);
    client.is_ok(5, &[ALL, "1"]);
    client.tid += 1;
    client.bench.say(10, client.tid, &[ALL]);
    let (stops, _) = client.bench.hear_run(client.tid, 113, 0x0f, true);
    assert!(stops.iter().all(|stop| stop.contains(" 00000001:0 00000001:1 ")), "{stops:?}");

    client.asks(14, &[ALL, "0", "0"], 105, &[" 00000001:2 ", ":work", ":main", "/point.c"]);
    client.asks(17, &[ALL, "p"], 107, &[":struct point"]);
    let arguments = client.asks(19, &[FIRST, "0", "0"], 109, &[]);
    assert_eq!(arguments, packet(109, client.tid, &[FIRST, "1", "n"]));
    client.asks(20, &[FIRST], 108, &[":rank", ":size", " 00000001:p"]);
    let threads = client.asks(21, &[FIRST], 114, &[]);
    assert_eq!(threads, packet(114, client.tid, &[FIRST, "1", "0"]), "the current one, and no others");
    client.asks(22, &[FIRST, "1"], 115, &[":work"]);
    client.asks(9, &[FIRST, "2", "p.x", "0", "0", "", "0"], 104, &[" 00000001:2 "]);
    client.is_ok(4, &[FIRST, "2"]);

    client.asks(24, &[ALL, "0", "&p.x", "x", "4", "1", "1", ""], 117, &["0x0000000b"]);
    client.is_ok(25, &[FIRST, "0", "&p.x", "d", "4", "12"]);
    client.asks(16, &[FIRST, "p.x"], 106, &[":is4 ", ":0000000C "]);
    client.asks(16, &["4:0e", "p.x"], 106, &[":0000000B "]);
    client.asks(29, &[FIRST, "p.x + 1"], 106, &[":0000000D "]);

    client.asks(26, &[ALL, ""], 119, &[":SIGINT", ":SIGUSR1"]);
    let before = client.asks(26, &[ALL, "SIGUSR1"], 119, &[":SIGUSR1 00000001:1 00000001:1 00000001:1 "]);
    assert!(!before.contains("SIGINT"), "{before}");
    client.is_ok(28, &[ALL, "SIGUSR1 nostop noprint pass"]);
    client.asks(27, &[ALL, "SIGUSR1"], 119, &[":SIGUSR1 00000001:0 00000001:0 00000001:1 "]);

    // Without its members first, then the members by the key.
    let whole = client.asks(30, &[FIRST, "p", "", "0", "0"], 106, &["point|"]);
    let key = whole.rsplit(':').next().unwrap().to_owned();
    assert!(!key.is_empty(), "{whole}");
    client.asks(30, &[FIRST, "p", &key, "1", "0"], 106, &["x=is4"]);
    client.is_ok(31, &[FIRST, &key]);
    client.is_ok(4, &[ALL, "1"]);
    // Deleted by now.
    client.asks(4, &[ALL, "1"], 112, &[" 00000002:13 "]);
    client.asks(30, &[FIRST, "", &key, "1", "0"], 112, &[]);

    client.bench.say(0, 99, &[]);
    client.bench.end();
}

/// The original client's decoders step over the tags 0 and 1 of pointers, and over nothing else; they require all
/// fields of a location.
fn says_what_the_original_client_can_read(engine: &str) {
    let mut client = client(engine);
    // The address, followed by the target.
    let whole = client.asks(16, &[FIRST, "&p"], 106, &[":^a8{point|x=is4,y=f8,tag=c;;;} "]);
    let data = whole.split(" 0000002c:01").nth(1).unwrap_or_else(|| panic!("{whole}"));
    assert_eq!(&data[16..42], "0000000B400400000000000071", "{whole}");
    let shown = client.asks(30, &[FIRST, "&p", "", "0", "0"], 106, &[":^a8{point|;;;} ", ":01"]);
    let key = shown.rsplit(':').next().unwrap().to_owned();
    client.asks(30, &[FIRST, "&p", &key, "1", "0"], 106, &[":^a8{point|x=is4,y=f8,tag=c;;;} ", ":01"]);
    // Pointers without a readable target come without one.
    client.asks(16, &[FIRST, "(int *) 8"], 106, &[":^a8v0 ", ":010000000000000008 "]);
    client.asks(16, &[FIRST, "(int *) 0"], 106, &[":00 "]);
    client.asks(16, &[FIRST, "(void *) 8"], 106, &[":^a8v0 ", ":010000000000000008 "]);

    let nowhere = " 00000000: 00000000: 00000000: 00000001:0 00000001:0";
    for (id, arguments, kind) in [
        (3, vec![FIRST, "7", "0", "0", "", "comes_later", "", "0", "0"], ":breakpoint"),
        (9, vec![FIRST, "8", "p.x", "0", "0", "", "0"], "watchpoint"),
    ] {
        let set = client.asks(id, &arguments, 104, &[kind]);
        assert!(set.ends_with(nowhere), "{set}");
    }
    // The program's variables, without those of its libraries.
    client.tid += 1;
    client.bench.say(20, client.tid, &[FIRST]);
    assert_eq!(client.bench.hear(), packet(108, client.tid, &[FIRST, "3", "p", "rank", "size"]));

    // An invalid command gets an error reply, and everything else continues.
    for (arguments, code) in [(&["4:0x"][..], "36"), (&[FIRST, "one"], "3"), (&[FIRST, "1", "2"], "3"), (&[], "36")] {
        client.tid += 1;
        client.bench.say(22, client.tid, arguments);
        let answer = client.bench.hear();
        assert!(answer.contains(&format!(" 0070:{:08x}:", client.tid)), "{arguments:?}: {answer}");
        assert!(answer.contains(&format!(" {:08x}:{code} ", code.len())), "{arguments:?}: {answer}");
    }
    client.asks(23, &[ALL], 116, &[]);
    client.bench.say(0, 99, &[]);
    client.bench.end();
}

#[test]
fn what_is_said_can_be_read_by_the_original_client() {
    says_what_the_original_client_can_read("native");
}

#[test]
fn over_gdb_as_well() {
    says_what_the_original_client_can_read("gdb");
}

/// The data of an `int` in a Data event.
fn number(data: &str) -> String {
    data.split(":is4 ").nth(1).unwrap_or_else(|| panic!("{data}")).split(' ').next().unwrap().to_owned()
}

fn tells_what_has_changed_at_hardware_breakpoints(engine: &str) {
    let mut client = client(engine);
    client.asks(3, &[ALL, "1", "0", "1", "", "work", "", "0", "0"], 104, &[":hw breakpoint ", ":work "]);
    client.tid += 1;
    client.bench.say(10, client.tid, &[ALL]);
    let (stops, _) = client.bench.hear_run(client.tid, 113, 0x0f, true);
    assert!(stops.iter().all(|stop| stop.contains(" 00000001:0 00000001:1 ")), "{stops:?}");
    let whole = client.asks(30, &[FIRST, "sum", "", "0", "0"], 106, &[":is4 "]);
    let key = whole.rsplit(':').next().unwrap().to_owned();
    let (mut before, mut changes) = (number(&whole), Vec::new());
    for _ in 0..6 {
        client.tid += 1;
        client.bench.say(11, client.tid, &[FIRST, "1", "1"]);
        let (stops, _) = client.bench.hear_run(client.tid, 113, 0x01, true);
        let now = number(&client.asks(16, &[FIRST, "sum"], 106, &[]));
        let named = stops[0].ends_with(&format!(" 00000001:1 {:08x}:{key}", key.len()));
        assert!(named || stops[0].ends_with(" 00000001:0"), "{stops:?}");
        assert_eq!(named, now != before, "{stops:?}");
        changes.push(named);
        before = now;
    }
    assert!(changes.contains(&true) && changes.contains(&false), "{changes:?}");
    client.bench.say(0, 99, &[]);
    client.bench.end();
}

#[test]
fn stops_name_the_partial_expressions_that_changed() {
    tells_what_has_changed_at_hardware_breakpoints("native");
}

#[test]
fn stops_name_the_partial_expressions_that_changed_over_gdb() {
    tells_what_has_changed_at_hardware_breakpoints("gdb");
}

#[test]
fn a_command_line_reaches_gdb_and_is_refused_without_one() {
    let mut over_gdb = client("gdb");
    over_gdb.tid += 1;
    over_gdb.bench.say(28, over_gdb.tid, &[FIRST, "print 6 * 7"]);
    let text = over_gdb.bench.hear();
    assert!(text.contains(&format!(" 006e:{:08x}:", over_gdb.tid)) && text.contains(" = 42"), "{text}");
    assert_eq!(over_gdb.bench.hear(), packet(111, over_gdb.tid, &[FIRST]));
    over_gdb.asks(28, &[FIRST, "frobnicate"], 112, &["Undefined command"]);
    over_gdb.is_ok(28, &[ALL, "handle SIGUSR1 nostop"]);
    let mut native = client("native");
    native.asks(28, &[FIRST, "print 6 * 7"], 112, &[" 00000001:1 ", "no command language"]);
    native.is_ok(28, &[ALL, "SIGUSR1 nostop noprint pass"]);
    for client in [over_gdb, native] {
        let mut bench = client.bench;
        bench.say(0, 99, &[]);
        bench.end();
    }
}

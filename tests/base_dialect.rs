//! A client of the base dialect drives the real master, byte by byte, over simulated ranks.

mod support;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use support::process::Guard;
use support::wait::{LIMIT, wait_for};

/// A master in a runtime directory of its own, and the client's end of the link.
struct Bench {
    link: TcpStream,
    master: Guard,
    runtime: tempfile::TempDir,
}

impl Bench {
    /// A master for four ranks.
    fn new(options: &[&str]) -> Self {
        let runtime = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope-sdm"));
        command.args(["--master", "--port", "0", "--ranks", "4", "--engine", "fake"]).args(options);
        command.env("XDG_RUNTIME_DIR", runtime.path()).stdout(Stdio::piped()).stdin(Stdio::null());
        let mut master = Guard::spawn(&mut command);
        let mut line = String::new();
        BufReader::new(master.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.rsplit(' ').next().unwrap().trim();
        let link = TcpStream::connect(address).unwrap();
        link.set_read_timeout(Some(LIMIT)).unwrap();
        Self { link, master, runtime }
    }

    fn say(&mut self, id: u16, tid: u32, arguments: &[&str]) {
        let text = packet(id, tid, arguments);
        self.link.write_all(text.as_bytes()).unwrap();
    }

    /// The next packet as it comes.
    fn hear(&mut self) -> String {
        let mut length = [0; 8];
        self.link.read_exact(&mut length).unwrap();
        let length = String::from_utf8(length.to_vec()).unwrap();
        let mut rest = vec![0; usize::from_str_radix(&length, 16).unwrap()];
        self.link.read_exact(&mut rest).unwrap();
        length + &String::from_utf8(rest).unwrap()
    }

    /// Packets of an event until they speak for these four ranks, in however many parts; other packets are kept apart.
    fn hear_all(&mut self, id: u16, tid: u32, ranks: u8) -> (Vec<String>, Vec<String>) {
        let head = format!(" {id:04x}:{tid:08x}:");
        let (mut heard, mut others, mut covered) = (Vec::new(), Vec::new(), 0);
        while covered != ranks {
            let text = self.hear();
            if !text.contains(&head) {
                others.push(text);
                continue;
            }
            let set = text.split(" 00000004:4:").nth(1).and_then(|rest| rest.get(..2));
            let part = u8::from_str_radix(set.unwrap(), 16).unwrap();
            assert_eq!(covered & part, 0, "twice: {text}");
            covered |= part;
            heard.push(text);
        }
        (heard, others)
    }

    fn start(&mut self) {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");
        self.say(1, 1, &["point.c", directory, directory]);
        assert_eq!(self.hear(), "00000025 006f:00000001:00000001 00000004:4:0f");
    }

    /// The link is closed, the master ends, nothing is left of the session.
    fn end(mut self) {
        let mut rest = Vec::new();
        self.link.read_to_end(&mut rest).unwrap();
        assert_eq!(String::from_utf8_lossy(&rest), "");
        assert!(self.master.wait().success());
        let sessions = self.runtime.path().join("rankscope");
        let left = || std::fs::read_dir(&sessions).unwrap().flatten().map(|entry| entry.path()).collect::<Vec<_>>();
        wait_for("the session directory to go", || left().is_empty().then_some(()));
    }
}

/// A packet by the rules of the wire, section 1.
fn packet(id: u16, tid: u32, arguments: &[&str]) -> String {
    let mut body = format!(" {id:04x}:{tid:08x}:{:08x}", arguments.len());
    for argument in arguments {
        body += &format!(" {:08x}:{argument}", argument.len());
    }
    format!("{:08x}{body}", body.len())
}

#[test]
fn the_session_of_the_page() {
    let mut bench = Bench::new(&[]);
    bench.start();
    bench
        .link
        .write_all(
            b"0000007e 0003:00000002:00000009 00000004:4:0f 00000001:1 00000001:0 00000001:0 00000000: 00000004:work \
              00000000: 00000001:0 00000001:0",
        )
        .unwrap();
    let set = bench.hear();
    assert!(
        set.contains(" 0068:00000002:0000000c 00000004:4:0f 00000001:1 00000001:1 00000001:0 00000001:0 "),
        "{set}"
    );
    assert!(set.contains("00000004:work") && set.contains(" 00000002:15 00000001:0"), "{set}");

    bench.link.write_all(b"00000025 000a:00000003:00000001 00000004:4:0f").unwrap();
    assert_eq!(bench.hear(), "00000025 006f:00000003:00000001 00000004:4:0f");
    // One server reports the stop of all its ranks at once.
    assert_eq!(
        bench.hear(),
        "0000005c 0071:00000003:00000006 00000004:4:0f 00000001:0 00000001:1 00000001:1 00000001:2 00000001:0"
    );

    bench.link.write_all(b"00000030 0010:00000010:00000002 00000004:4:0f 00000001:p").unwrap();
    assert_eq!(
        bench.hear(),
        "0000008e 006a:00000010:00000005 00000004:4:0f 0000001b:{point|x=is4,y=f8,tag=c;;;} \
         0000001a:0000000B400400000000000071 0000000c:struct point 00000000:"
    );
    bench.say(16, 28, &["4:01", "nosuchvar"]);
    let error = bench.hear();
    assert!(error.contains(" 0070:0000001c:00000003 00000004:4:01 00000002:39 "), "{error}");
    assert!(error.contains("nosuchvar"), "{error}");
    bench.link.write_all(b"00000017 0000:00000005:00000000").unwrap();
    bench.end();
}

#[test]
fn stepping_looking_and_running_to_the_end() {
    let mut bench = Bench::new(&["--ranks-per-server", "2"]);
    bench.say(10, 1, &["4:0f"]);
    assert!(bench.hear().contains(" 00000004:4:0f 00000001:8 "), "a Go before StartSession is no Error 8");
    bench.start();
    // A temporary breakpoint: OK, and a hit is a Suspend with reason 3 and a frame.
    bench.say(2, 2, &["4:0f", "7", "1", "0", "point.c", "17", "", "0", "0"]);
    assert_eq!(bench.hear(), packet(111, 2, &["4:0f"]));
    bench.say(10, 3, &["4:0f"]);
    assert_eq!(bench.hear(), packet(111, 3, &["4:0f"]));
    let (stops, others) = bench.hear_all(113, 3, 0x0f);
    assert!(
        stops.iter().all(|stop| stop.contains(" 00000001:3 00000001:0 ")) && others.is_empty(),
        "{stops:?} {others:?}"
    );
    // One rank steps.
    bench.say(11, 4, &["4:02", "1", "1"]);
    assert_eq!(bench.hear(), packet(111, 4, &["4:02"]));
    let step = bench.hear();
    assert!(step.contains(" 0071:00000004:") && step.contains("00000004:4:02 00000001:2 00000001:0 "), "{step}");
    bench.say(18, 5, &["4:01"]);
    assert_eq!(bench.hear(), packet(108, 5, &["4:01", "2", "i", "sum"]));
    bench.say(23, 6, &["4:0f"]);
    assert_eq!(bench.hear(), packet(116, 6, &["4:0f", "2"]));
    bench.say(15, 7, &["4:0f", "1"]);
    assert_eq!(bench.hear(), packet(111, 7, &["4:0f"]));
    bench.say(18, 8, &["4:01"]);
    assert!(bench.hear().contains("00000005:total"), "the frame of main has no total");
    // Nobody is meant: an error, not silence.
    bench.say(10, 9, &["4:00"]);
    assert!(bench.hear().contains(" 0070:00000009:00000003 00000004:4:00 00000002:36 "));
    bench.say(99, 10, &[]);
    assert!(bench.hear().contains(" 0070:0000000a:00000003 00000004:4:0f 00000001:1 "));
    bench.say(10, 11, &["4:0f"]);
    let (ends, others) = bench.hear_all(102, 11, 0x0f);
    assert!(ends.iter().all(|end| end.ends_with(" 00000001:0 00000001:0")), "{ends:?}");
    assert_eq!(others[0], packet(111, 11, &["4:0f"]));
    let output = others[1..].iter().all(|text| text.contains(" 006e:0000000b:") && text.ends_with("total 33\n"));
    assert!(output && others.len() > 1, "{others:?}");
    bench.say(0, 12, &[]);
    bench.end();
}

#[test]
fn garbage_is_answered_and_ends_everything() {
    let mut bench = Bench::new(&[]);
    bench.start();
    bench.link.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    let said = bench.hear();
    assert!(said.contains(" 0001:00000000:") && said.contains("messageLevel=FATAL"), "{said}");
    bench.end();
}

#[test]
fn a_client_that_vanishes_leaves_nothing() {
    let mut bench = Bench::new(&[]);
    bench.start();
    bench.link.shutdown(std::net::Shutdown::Write).unwrap();
    bench.end();
}

#[test]
fn beyond_the_loopback_interface_only_when_told() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope-sdm"));
    command.args(["--master", "--port", "0", "--listen", "0.0.0.0", "--engine", "fake"]);
    let output = command.output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && words.contains("add --plain"), "{words}");
}

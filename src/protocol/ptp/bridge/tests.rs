use super::*;
use crate::{Connection, LaunchPlan, SessionCommand, SessionEvent};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use tokio::task::JoinHandle;

/// A client's raw bytes, a master's requests and replies, and the bridge between them.
struct Bench {
    client: DuplexStream,
    asked: Receiver<Request>,
    reply: Sender<Reply>,
    bridge: JoinHandle<Result<(), BridgeError>>,
}

impl Bench {
    fn new() -> Self {
        let (client, near) = duplex(1 << 16);
        let (front, master) = duplex(1 << 16);
        let near = Connection::over(near, "client");
        let bridge = tokio::spawn(serve_base_client(near, Connection::over(front, "master"), 2));
        let (reply, asked) = Connection::over(master, "front end").split();
        Self { client, asked, reply, bridge }
    }

    async fn say(&mut self, text: &str) {
        self.client.write_all(text.as_bytes()).await.unwrap();
    }

    async fn hear(&mut self, text: &str) {
        let mut bytes = vec![0; text.len()];
        self.client.read_exact(&mut bytes).await.unwrap();
        assert_eq!(String::from_utf8_lossy(&bytes), text);
    }

    /// Returns the next packet for the client, without its length.
    async fn packet(&mut self) -> String {
        let mut length = [0; 8];
        self.client.read_exact(&mut length).await.unwrap();
        let length = usize::from_str_radix(std::str::from_utf8(&length).unwrap(), 16).unwrap();
        let mut bytes = vec![0; length];
        self.client.read_exact(&mut bytes).await.unwrap();
        String::from_utf8(bytes).unwrap()
    }

    /// Returns all that the client gets until its link ends.
    async fn rest(&mut self) -> String {
        let mut bytes = Vec::new();
        self.client.read_to_end(&mut bytes).await.unwrap();
        String::from_utf8(bytes).unwrap()
    }

    async fn asked_to_quit(&mut self) {
        let request = self.asked.receive().await.unwrap();
        let quit = SessionCommand::Quit { kill: true };
        assert!(matches!(request, Some(Request::Session { command, .. }) if command == quit));
    }

    /// Ends the master's link and returns the bridge's result.
    async fn end(self) -> Result<(), BridgeError> {
        drop((self.reply, self.asked));
        self.bridge.await.unwrap()
    }
}

#[tokio::test]
async fn bytes_of_a_client_reach_the_master_and_come_back() {
    let mut bench = Bench::new();
    bench.say("00000041 0001:00000001:00000003 00000004:ring 00000004:/bin 0000").await;
    bench.say("0004:/tmp").await;
    let Some(Request::Session { tid, command: SessionCommand::Launch(LaunchPlan::Local { ranks: 2, spec }) }) =
        bench.asked.receive().await.unwrap()
    else {
        panic!("no launch");
    };
    assert_eq!(spec.program, "/bin/ring");
    let failed = SessionEvent::Failed("no /bin/ring".into());
    bench.reply.send(&Reply::Session { tid, event: failed }).unwrap();
    bench.hear("00000046 0070:00000001:00000003 00000004:2:03 00000001:4 0000000c:no /bin/ring").await;
    bench.say("00000017 0063:00000002:00000000").await;
    bench
        .hear(
            "00000066 0070:00000002:00000003 00000004:2:03 00000001:1 0000002c:message 99 (transaction 2) is not known \
             here",
        )
        .await;
    bench.say("00000017 0000:00000003:00000000").await;
    bench.asked_to_quit().await;
    assert_eq!(bench.rest().await, "");
    bench.end().await.unwrap();
}

#[tokio::test]
async fn garbage_is_answered_and_ends_the_session() {
    let mut bench = Bench::new();
    bench.say("0000zzzz").await;
    bench.asked_to_quit().await;
    let said = bench.rest().await;
    assert!(said.contains(" 0001:00000000:00000004 00000001:3 "), "{said}");
    assert!(said.contains("messageLevel=FATAL") && said.contains("packet length"), "{said}");
    assert!(matches!(bench.end().await, Err(BridgeError::Client { .. })));
}

#[tokio::test]
async fn arguments_that_mean_nothing_are_answered_and_the_session_goes_on() {
    let mut bench = Bench::new();
    // No set; a set and one argument more; a number that is none, for one rank; text that is no text.
    let said = [
        ("00000025 000a:00000003:00000001 00000004:0-3x", "2:03", 36, "Go: argument 0 (process set)"),
        ("00000030 000a:00000003:00000002 00000004:2:03 00000001:x", "2:03", 3, "Go: 1 arguments too many"),
        ("00000030 0016:00000003:00000002 00000004:2:02 00000001:x", "2:02", 3, "SetThreadSelect: argument 1 (thread)"),
        ("00000017 000a:00000003:00000000", "2:03", 36, "Go: argument 0 (process set) is missing"),
    ];
    for (command, ranks, code, words) in said {
        bench.say(command).await;
        let answer = bench.packet().await;
        let head = format!(" 0070:00000003:00000003 00000004:{ranks} {:08x}:{code} ", code.to_string().len());
        assert!(answer.starts_with(&head) && answer.contains(words), "{command}: {answer}");
    }
    bench.say("00000017 0000:00000003:00000000").await;
    bench.asked_to_quit().await;
    assert_eq!(bench.rest().await, "");
    bench.end().await.unwrap();
}

#[tokio::test]
async fn a_client_that_vanishes_ends_the_session() {
    let bench = Bench::new();
    let Bench { client, mut asked, reply, bridge } = bench;
    drop(client);
    let quit = asked.receive().await.unwrap();
    assert!(matches!(quit, Some(Request::Session { command: SessionCommand::Quit { kill: true }, .. })));
    drop((asked, reply));
    bridge.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_master_that_ends_is_told() {
    let mut bench = Bench::new();
    bench.say("00000041 0001:00000001:00000003 00000004:ring 00000004:/bin 00000004:/tmp").await;
    assert!(bench.asked.receive().await.unwrap().is_some());
    let Bench { mut client, asked, reply, bridge } = bench;
    drop((asked, reply));
    let mut said = String::new();
    client.read_to_string(&mut said).await.unwrap();
    assert_eq!(said, "00000017 0006:00000000:00000000");
    bridge.await.unwrap().unwrap();
}

use super::*;
use crate::links::secure::{Side, handshake};
use crate::{Reply, Request, Role, SessionEvent, SessionKey, WaitPolicy};
use model::{Answer, ErrorCode, Operation, ProcessSet, TransactionId};
use tokio::io::{AsyncReadExt, duplex};

fn request(tid: u32, operation: Operation) -> Request {
    Request::Ranks { tid: TransactionId(tid), ranks: ProcessSet::all(4), wait: WaitPolicy::All, operation }
}

fn pair() -> (Connection, Connection) {
    let (one, two) = duplex(64 << 10);
    (Connection::over(one, "master"), Connection::over(two, "front end"))
}

#[tokio::test]
async fn messages_cross_and_the_end_is_orderly() {
    let (one, two) = pair();
    let (down, mut up) = one.split::<Request, Reply>();
    let (answer, mut asked) = two.split::<Reply, Request>();
    down.send(&request(1, Operation::Go)).unwrap();
    assert_eq!(asked.receive().await.unwrap(), Some(request(1, Operation::Go)));
    let text: Arc<str> = "x".repeat(5_000_000).into();
    let long = Reply::Answer {
        tid: TransactionId(1),
        ranks: ProcessSet::all(4),
        missing: ProcessSet::new(),
        late: true,
        answer: Answer::Source { file: "ring.c".into(), text, origin: Default::default() },
    };
    answer.send(&long).unwrap();
    assert_eq!(up.receive().await.unwrap(), Some(long));
    answer.flushed().await.unwrap();
    drop(answer);
    assert_eq!(up.receive().await.unwrap(), None);
    let other = down.clone();
    drop(down);
    other.send(&request(2, Operation::Threads)).unwrap();
    drop(other);
    assert_eq!(asked.receive().await.unwrap(), Some(request(2, Operation::Threads)));
    assert_eq!(asked.receive().await.unwrap(), None);
}

/// An idle sender writes empty records; the receiver still gets the messages between them.
#[tokio::test]
async fn a_sealed_link_beats_when_nothing_is_said() {
    let (mut one, mut two) = duplex(64 << 10);
    let key = SessionKey::from_bytes([7; 32]);
    let (ours, theirs) = tokio::join!(async { handshake(&mut one, &key, Side::Dialer).await.unwrap() }, async {
        handshake(&mut two, &key, Side::Listener).await.unwrap()
    });
    let (reader, writer) = tokio::io::split(one);
    let beat = Duration::from_millis(1);
    let watched = Connection::build(Box::new(reader), Box::new(writer), Some((ours, beat)), "server 3");
    let (down, _up) = watched.split::<Request, Reply>();
    let (mut opener, mut wire, mut plain) = (theirs.opener, BytesMut::new(), BytesMut::new());
    let mut empty = 0;
    while empty < 3 {
        two.read_buf(&mut wire).await.unwrap();
        while opener.open(&mut wire, &mut plain).unwrap() {
            empty += 1;
        }
    }
    assert!(plain.is_empty(), "{plain:?}");
    down.send(&request(1, Operation::Go)).unwrap();
    let decoder = LinkDecoder { opener: Some(opener), plain, packets: PacketCodec::default() };
    let packet = FramedRead::new(two, decoder).next().await.unwrap().unwrap();
    assert_eq!(Request::from_packet(&packet).unwrap(), request(1, Operation::Go));
}

#[tokio::test]
async fn a_cut_link_is_an_error() {
    let (one, two) = duplex(1024);
    let (_sender, mut receiver) = Connection::over(one, "server 3").split::<Request, Reply>();
    let mut two = two;
    two.write_all(b"00000017 0000:000").await.unwrap();
    drop(two);
    assert!(matches!(receiver.receive().await, Err(ProtocolError::Cut { have: 17 })));
}

#[tokio::test]
async fn an_interrupt_overtakes_what_the_peer_has_not_taken() {
    let (one, mut two) = duplex(256);
    let (down, _up) = Connection::over(one, "master").split::<Request, Reply>();
    let long = "x".repeat(PORTION);
    for tid in 0..20 {
        down.send(&request(tid, Operation::Engine(long.clone()))).unwrap();
    }
    // The writer has begun with the first packet when a byte of it arrives.
    two.read_exact(&mut [0; 1]).await.unwrap();
    down.send(&request(99, Operation::Interrupt)).unwrap();
    down.send(&request(100, Operation::Go)).unwrap();
    down.send(&request(101, Operation::Interrupt)).unwrap();
    drop(down);
    let mut rest = vec![b'0'];
    two.read_to_end(&mut rest).await.unwrap();
    let (mut codec, mut rest) = (PacketCodec::default(), BytesMut::from(&rest[..]));
    let mut order = Vec::new();
    while let Some(packet) = codec.decode(&mut rest).unwrap() {
        order.push(packet.tid.0);
    }
    assert_eq!(order[..3], [0, 99, 1]);
    assert_eq!(order[20..], [19, 100, 101]);
}

#[tokio::test]
async fn what_is_not_known_is_refused_and_the_link_goes_on() {
    let (mut one, two) = pair();
    let (answer, mut asked) = two.split::<Reply, Request>();
    one.send_packet(&Packet::new(9999, TransactionId(7))).await.unwrap();
    one.send_packet(&request(8, Operation::Go).to_packet()).await.unwrap();
    assert_eq!(asked.receive().await.unwrap(), Some(request(8, Operation::Go)));
    let (down, mut up) = one.split::<Request, Reply>();
    let Some(Reply::Session { tid, event: SessionEvent::Failed(words) }) = up.receive().await.unwrap() else {
        panic!("no refusal");
    };
    assert!(tid == TransactionId(7) && words.contains("message 9999 (transaction 7) is not known"), "{words}");
    drop((down, answer));
}

#[tokio::test]
async fn what_cannot_be_read_is_refused_and_ends_the_link() {
    let (mut one, two) = pair();
    let (_answer, mut asked) = two.split::<Reply, Request>();
    one.send_packet(&Packet::new(521, TransactionId(7)).with_text("{")).await.unwrap();
    let fault = asked.receive().await.unwrap_err();
    assert!(matches!(fault, ProtocolError::Field { message: "SessionCommand", field: "command", .. }), "{fault}");
    let refusal = Refusal::from_packet(&one.receive_packet().await.unwrap().unwrap()).unwrap().unwrap();
    assert_eq!((refusal.tid, refusal.code), (TransactionId(7), ErrorCode::BAD_MESSAGE));
}

#[tokio::test]
async fn greeting_tells_who_is_there_or_why_not() {
    let (mut one, mut two) = pair();
    let (mine, theirs) = (Hello::new(Role::FrontEnd), Hello::new(Role::Master));
    let (a, b) = tokio::join!(one.greet(&mine), two.greet(&theirs));
    a.unwrap();
    b.unwrap();
    assert_eq!(one.hello(), Some(&theirs));
    assert_eq!(two.hello(), Some(&mine));

    let (mut one, mut two) = pair();
    let newer = Hello { version: crate::WIRE_VERSION + 1, ..Hello::new(Role::Master) };
    let (a, _) = tokio::join!(one.greet(&mine), two.greet(&newer));
    assert!(matches!(a, Err(GreetError::Hello(HelloError::Version { theirs: 3, .. }))));

    let (mut one, mut two) = pair();
    two.send_packet(&Packet::new(1, TransactionId(1))).await.unwrap();
    assert!(matches!(one.greet(&mine).await, Err(GreetError::Hello(HelloError::Absent(1)))));

    let (mut one, mut two) = pair();
    two.send_packet(&Packet::new(512, TransactionId(1)).with(vec![0; 5000])).await.unwrap();
    assert!(matches!(one.greet(&mine).await, Err(GreetError::Protocol(ProtocolError::TooLong { limit: 4096, .. }))));

    let (mut one, two) = pair();
    drop(two);
    assert!(one.greet(&mine).await.is_err());
}

#[tokio::test]
async fn a_closed_link_is_told_to_senders() {
    let (one, two) = pair();
    let (down, _up) = one.split::<Request, Reply>();
    drop(two);
    down.send(&request(1, Operation::Go)).unwrap();
    let closed = down.flushed().await.unwrap_err();
    assert!(matches!(closed, SendError::Closed { peer, .. } if peer == "master"));
    assert!(down.send(&request(2, Operation::Go)).is_err());
}

mod random {
    use super::*;
    use crate::SessionKey;
    use crate::links::secure::{Side, handshake};
    use proptest::prelude::*;

    /// Runs one case on a runtime of its own.
    fn run<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn random_bytes_end_a_link_with_an_error(bytes in proptest::collection::vec(any::<u8>(), 1..200)) {
            let outcome = run(async {
                let (one, mut two) = duplex(1 << 12);
                let (_sender, mut receiver) = Connection::over(one, "server 3").split::<Request, Reply>();
                two.write_all(&bytes).await.unwrap();
                drop(two);
                receiver.receive().await
            });
            prop_assert!(outcome.is_err());
        }

        #[test]
        fn random_bytes_are_no_handshake_and_no_records(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let key = SessionKey::from_bytes([7; 32]);
            let (stranger, record) = run(async {
                let (mut one, mut two) = duplex(1 << 12);
                two.write_all(&bytes).await.unwrap();
                two.shutdown().await.unwrap();
                let stranger = handshake(&mut one, &key, Side::Listener).await.is_err();
                let (mut one, mut two) = duplex(1 << 12);
                let (dialer, listener) =
                    tokio::join!(handshake(&mut one, &key, Side::Dialer), handshake(&mut two, &key, Side::Listener));
                dialer.unwrap();
                let mut opener = listener.unwrap().opener;
                let (mut records, mut plain) = (BytesMut::from(&bytes[..]), BytesMut::new());
                (stranger, opener.open(&mut records, &mut plain))
            });
            prop_assert!(stranger);
            prop_assert!(matches!(record, Ok(false) | Err(ProtocolError::Record)));
        }
    }
}

use super::*;
use crate::{Reply, Request, Role, WaitPolicy};
use model::{Operation, ProcessSet, TransactionId};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

fn key(byte: u8) -> SessionKey {
    SessionKey::from_bytes([byte; 32])
}

fn long_request() -> Request {
    let operation = Operation::Engine("x".repeat(300_000));
    Request::Ranks { tid: TransactionId(1), ranks: ProcessSet::all(4), wait: WaitPolicy::All, operation }
}

async fn carries_messages(one: Connection, two: Connection) {
    let (down, _up) = one.split::<Request, Reply>();
    let (_answer, mut asked) = two.split::<Reply, Request>();
    down.send(&long_request()).unwrap();
    assert_eq!(asked.receive().await.unwrap(), Some(long_request()));
    drop(down);
    assert_eq!(asked.receive().await.unwrap(), None);
}

#[tokio::test]
async fn tcp_with_the_same_key() {
    let listener = Listener::tcp("127.0.0.1:0").await.unwrap();
    let address = format!("127.0.0.1:{}", listener.port().unwrap());
    let (key, master, server) = (key(1), Hello::new(Role::Master), Hello::new(Role::Server));
    let (one, two) = tokio::join!(dial_tcp(&address, &key, &server), async {
        listener.accept().await.unwrap().establish(Some(&key), &master).await
    });
    let (one, two) = (one.unwrap(), two.unwrap());
    assert_eq!(one.hello().unwrap().role, Role::Master);
    assert_eq!(two.hello().unwrap().role, Role::Server);
    carries_messages(one, two).await;
}

#[tokio::test]
async fn tcp_with_another_key_is_refused_on_both_sides() {
    let listener = Listener::tcp("127.0.0.1:0").await.unwrap();
    let address = format!("127.0.0.1:{}", listener.port().unwrap());
    let (ours, theirs, hello) = (key(1), key(2), Hello::new(Role::Master));
    let (one, two) = tokio::join!(dial_tcp(&address, &theirs, &hello), async {
        listener.accept().await.unwrap().establish(Some(&ours), &hello).await
    });
    let words = one.unwrap_err().to_string();
    assert!(words.starts_with(&address) && words.contains("its session key is probably a different one"), "{words}");
    let words = two.unwrap_err().to_string();
    assert!(words.contains("does not have the key of this session"), "{words}");
}

#[tokio::test]
async fn tcp_without_a_key_or_from_a_stranger_is_refused() {
    let listener = Listener::tcp("127.0.0.1:0").await.unwrap();
    let address = format!("127.0.0.1:{}", listener.port().unwrap());
    let hello = Hello::new(Role::Master);
    let mut stranger = TcpStream::connect(&address).await.unwrap();
    stranger.write_all(b"0000004b 0001:00000001:00000003 00000004:ring").await.unwrap();
    let refused = listener.accept().await.unwrap().establish(Some(&key(1)), &hello).await.unwrap_err();
    assert!(matches!(refused, LinkError::Handshake { source: HandshakeError::Stranger, .. }));
    // The link closes without a message: a peer that does not know the key gets none.
    assert_eq!(stranger.read(&mut [0; 16]).await.unwrap_or(0), 0);
    let _keyless = TcpStream::connect(&address).await.unwrap();
    let refused = listener.accept().await.unwrap().establish(None, &hello).await.unwrap_err();
    assert!(matches!(refused, LinkError::Handshake { source: HandshakeError::NoKey, .. }));
}

#[tokio::test]
async fn a_silent_peer_is_given_up() {
    let listener = Listener::tcp("127.0.0.1:0").await.unwrap();
    let _silent = TcpStream::connect(("127.0.0.1", listener.port().unwrap())).await.unwrap();
    let arrival = listener.accept().await.unwrap();
    let limit = Duration::from_millis(20);
    let refused = arrival.establish_in(limit, Some(&key(1)), &Hello::new(Role::Master)).await.unwrap_err();
    assert!(matches!(refused, LinkError::Silent { .. }), "{refused}");
}

#[tokio::test]
async fn unix_sockets_need_no_key_and_leave_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("front.sock");
    let (front, master) = (Hello::new(Role::FrontEnd), Hello::new(Role::Master));
    let listener = Listener::unix(&path).await.unwrap();
    assert!(matches!(Listener::unix(&path).await, Err(LinkError::InUse { .. })));
    // The attempt above is the first to arrive, and has left.
    assert!(listener.accept().await.unwrap().establish(None, &front).await.is_err());
    let (one, two) = tokio::join!(dial_unix(&path, &master), async {
        listener.accept().await.unwrap().establish(None, &front).await
    });
    carries_messages(one.unwrap(), two.unwrap()).await;
    drop(listener);
    assert!(!path.exists());
    let refused = dial_unix(&path, &master).await.unwrap_err().to_string();
    assert!(refused.contains("front.sock") && refused.starts_with("cannot connect to"), "{refused}");
}

#[tokio::test]
async fn the_socket_of_a_dead_listener_is_replaced_and_other_files_are_not() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("server-0.sock");
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    assert!(path.exists());
    drop(Listener::unix(&path).await.unwrap());
    std::fs::write(&path, "mine").unwrap();
    assert!(matches!(Listener::unix(&path).await, Err(LinkError::Listen { .. })));
    assert_eq!(std::fs::read(&path).unwrap(), b"mine");
}

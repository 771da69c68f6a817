//! The encrypted channel under a link that leaves the host: Noise `NNpsk0` with the key of the session.

use crate::{ProtocolError, SessionKey};
use bytes::{Buf, BufMut, BytesMut};
use snow::{Builder, HandshakeState, StatelessTransportState};
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

const PATTERN: &str = "Noise_NNpsk0_25519_ChaChaPoly_BLAKE2s";
/// Bound into the handshake, so that both sides use the key for the same purpose.
const PROLOGUE: &[u8] = b"rankscope wire 1";
/// The length of each of the two handshake messages: a public key and a tag (Noise specification, sections 5.3 and
/// 7.5).
const HANDSHAKE: usize = 48;
const TAG: usize = 16;
/// The plain bytes of the longest record (Noise specification, section 3).
const RECORD: usize = 65535 - TAG;

/// The reasons why there is no channel.
#[derive(Debug, thiserror::Error)]
pub enum HandshakeError {
    /// The peer is no rankscope, or sent no handshake.
    #[error("the peer does not speak rankscope's protocol")]
    Stranger,
    /// The peer's first message was not made with our key.
    #[error("the peer does not have the key of this session")]
    WrongKey,
    /// The peer closed the link before its reply.
    #[error("the peer closed the link during the handshake: its session key is probably a different one")]
    Closed,
    /// This process has no key: it listens for its own user only.
    #[error("no session key: a TCP link needs one")]
    NoKey,
    /// The transport failed.
    #[error("the link failed during the handshake: {0}")]
    Io(#[from] std::io::Error),
    /// The Noise machinery failed.
    #[error("the handshake failed: {0}")]
    Noise(#[from] snow::Error),
}

/// The side of the handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Dialer,
    Listener,
}

pub(crate) struct Channel {
    pub(crate) sealer: Sealer,
    pub(crate) opener: Opener,
}

/// Proves the key both ways. Until it returns, the peer can make this process hold 50 bytes.
pub(crate) async fn handshake(
    stream: &mut (impl AsyncRead + AsyncWrite + Unpin),
    key: &SessionKey,
    side: Side,
) -> Result<Channel, HandshakeError> {
    let pattern = PATTERN.parse().map_err(HandshakeError::Noise)?;
    let builder = Builder::new(pattern).psk(0, key.bytes())?.prologue(PROLOGUE)?;
    let state = match side {
        Side::Dialer => {
            let mut state = builder.build_initiator()?;
            say(stream, &mut state).await?;
            hear(stream, &mut state).await?;
            state
        }
        Side::Listener => {
            let mut state = builder.build_responder()?;
            hear(stream, &mut state).await?;
            say(stream, &mut state).await?;
            state
        }
    };
    let state = Arc::new(state.into_stateless_transport_mode()?);
    Ok(Channel { sealer: Sealer { state: Arc::clone(&state), nonce: 0 }, opener: Opener { state, nonce: 0 } })
}

async fn say(stream: &mut (impl AsyncWrite + Unpin), state: &mut HandshakeState) -> Result<(), HandshakeError> {
    let mut message = [0; 2 + HANDSHAKE];
    let (length, body) = message.split_at_mut(2);
    length.copy_from_slice(&(HANDSHAKE as u16).to_be_bytes());
    state.write_message(&[], body)?;
    stream.write_all(&message).await?;
    stream.flush().await?;
    Ok(())
}

async fn hear(stream: &mut (impl AsyncRead + Unpin), state: &mut HandshakeState) -> Result<(), HandshakeError> {
    let ended = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof | std::io::ErrorKind::ConnectionReset => HandshakeError::Closed,
        _ => HandshakeError::Io(error),
    };
    let mut length = [0; 2];
    stream.read_exact(&mut length).await.map_err(ended)?;
    if usize::from(u16::from_be_bytes(length)) != HANDSHAKE {
        return Err(HandshakeError::Stranger);
    }
    let mut message = [0; HANDSHAKE];
    stream.read_exact(&mut message).await.map_err(ended)?;
    state.read_message(&message, &mut []).map_err(|_| HandshakeError::WrongKey)?;
    Ok(())
}

/// Encrypts plain bytes into records.
pub(crate) struct Sealer {
    state: Arc<StatelessTransportState>,
    nonce: u64,
}

impl Sealer {
    /// Appends the records for all of `plain`.
    pub(crate) fn seal(&mut self, plain: &[u8], into: &mut BytesMut) -> Result<(), ProtocolError> {
        plain.chunks(RECORD).try_for_each(|part| self.record(part, into))
    }

    /// Appends an empty record.
    pub(crate) fn beat(&mut self, into: &mut BytesMut) -> Result<(), ProtocolError> {
        self.record(&[], into)
    }

    fn record(&mut self, part: &[u8], into: &mut BytesMut) -> Result<(), ProtocolError> {
        let length = part.len() + TAG;
        into.reserve(2 + length);
        into.put_u16(length as u16);
        let start = into.len();
        into.resize(start + length, 0);
        let body = into.get_mut(start..).unwrap_or_default();
        self.state.write_message(self.nonce, part, body).map_err(|_| ProtocolError::Record)?;
        self.nonce += 1;
        Ok(())
    }
}

/// Decrypts records into plain bytes.
pub(crate) struct Opener {
    state: Arc<StatelessTransportState>,
    nonce: u64,
}

impl Opener {
    /// Takes one whole record off `source` and appends its plain bytes; `false` if none is complete yet.
    pub(crate) fn open(&mut self, source: &mut BytesMut, into: &mut BytesMut) -> Result<bool, ProtocolError> {
        let Some(length) = source.first_chunk::<2>().map(|bytes| usize::from(u16::from_be_bytes(*bytes))) else {
            return Ok(false);
        };
        if length < TAG {
            return Err(ProtocolError::Record);
        }
        let Some(body) = source.get(2..2 + length) else { return Ok(false) };
        let start = into.len();
        into.resize(start + length - TAG, 0);
        let plain = into.get_mut(start..).unwrap_or_default();
        self.state.read_message(self.nonce, body, plain).map_err(|_| ProtocolError::Record)?;
        self.nonce += 1;
        source.advance(2 + length);
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{DuplexStream, duplex};

    fn key(byte: u8) -> SessionKey {
        SessionKey::from_bytes([byte; 32])
    }

    async fn meet(a: &SessionKey, b: &SessionKey) -> [Result<Channel, HandshakeError>; 2] {
        let (mut one, mut two) = duplex(1024);
        let dialer = async move { handshake(&mut one, a, Side::Dialer).await };
        let listener = async move { handshake(&mut two, b, Side::Listener).await };
        let (x, y) = tokio::join!(dialer, listener);
        [x, y]
    }

    #[tokio::test]
    async fn what_one_side_seals_the_other_opens() {
        let [Ok(mut one), Ok(mut two)] = meet(&key(1), &key(1)).await else { panic!("no channel") };
        for size in [0usize, 1, RECORD, RECORD + 1, 300_000] {
            let plain: Vec<u8> = (0..size).map(|i| i as u8).collect();
            let (mut records, mut opened) = (BytesMut::new(), BytesMut::new());
            one.sealer.seal(&plain, &mut records).unwrap();
            while two.opener.open(&mut records, &mut opened).unwrap() {}
            assert_eq!(opened, plain);
            assert!(records.is_empty());
        }
    }

    #[tokio::test]
    async fn a_changed_repeated_or_short_record_is_an_error() {
        let [Ok(mut one), Ok(mut two)] = meet(&key(1), &key(1)).await else { panic!("no channel") };
        let mut record = BytesMut::new();
        one.sealer.seal(b"kill", &mut record).unwrap();
        let mut into = BytesMut::new();
        let mut changed = record.clone();
        changed[5] ^= 1;
        assert!(matches!(two.opener.open(&mut changed, &mut into), Err(ProtocolError::Record)));
        assert!(two.opener.open(&mut BytesMut::from(&b"\0\x03abc"[..]), &mut into).is_err());
        into.clear();
        assert!(two.opener.open(&mut record.clone(), &mut into).unwrap());
        assert!(two.opener.open(&mut record, &mut into).is_err());
    }

    #[tokio::test]
    async fn another_key_is_told_on_both_sides() {
        let [dialer, listener] = meet(&key(1), &key(2)).await;
        assert!(matches!(dialer, Err(HandshakeError::Closed)));
        assert!(matches!(listener, Err(HandshakeError::WrongKey)));
    }

    #[tokio::test]
    async fn a_stranger_is_told() {
        let (mut one, mut two): (DuplexStream, DuplexStream) = duplex(1024);
        one.write_all(b"0000004b 0001:00000001:00000003").await.unwrap();
        let fault = handshake(&mut two, &key(1), Side::Listener).await.err().unwrap();
        assert!(matches!(fault, HandshakeError::Stranger));
    }
}

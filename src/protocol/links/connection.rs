//! A link as two typed halves, which different tasks may own.

use super::hello::{HELLO_LIMIT, Hello, HelloError};
use super::secure::{Channel, Opener, Sealer};
use super::send_queue::{SendQueue, Work};
use crate::{LARGEST_PACKET, Message, Packet, PacketCodec, Priority, ProtocolError, Refusal};
use bytes::BytesMut;
use futures::StreamExt;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;
use tokio_util::codec::{Decoder, FramedRead};

type Reader = Box<dyn AsyncRead + Send + Unpin>;
type Writer = Box<dyn AsyncWrite + Send + Unpin>;

/// Bytes written in one go: a queued interrupt waits for no more than these.
const PORTION: usize = 64 << 10;

/// The reasons why a message was not sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The link can no longer be written to.
    #[error("the link to {peer} is closed: {why}")]
    Closed {
        /// The name of the other end.
        peer: String,
        /// The cause, such as the system's message.
        why: String,
    },
    /// The message does not fit into a packet.
    #[error("message to {peer} is too long: {length} bytes, the limit is {LARGEST_PACKET}")]
    TooLong {
        /// The name of the other end.
        peer: String,
        /// The size on the wire, in bytes.
        length: usize,
    },
}

/// A stream of packets both ways, encrypted or not.
pub struct Connection {
    reader: FramedRead<Reader, LinkDecoder>,
    writer: LinkWriter,
    peer: Arc<str>,
    hello: Option<Hello>,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Connection({}, {:?})", self.peer, self.hello)
    }
}

impl Connection {
    /// Builds a plain link from the two halves of a stream; `peer` names the other end in messages.
    pub fn new(
        reader: impl AsyncRead + Send + Unpin + 'static,
        writer: impl AsyncWrite + Send + Unpin + 'static,
        peer: &str,
    ) -> Self {
        Self::build(Box::new(reader), Box::new(writer), None, peer)
    }

    /// Builds a plain link over a stream, such as one end of [`tokio::io::duplex`].
    pub fn over(stream: impl AsyncRead + AsyncWrite + Send + 'static, peer: &str) -> Self {
        let (reader, writer) = tokio::io::split(stream);
        Self::build(Box::new(reader), Box::new(writer), None, peer)
    }

    /// Builds a link, sealed if there is a channel; an idle sealed link writes an empty record at that interval.
    pub(crate) fn build(reader: Reader, writer: Writer, channel: Option<(Channel, Duration)>, peer: &str) -> Self {
        let (sealer, opener) = channel.map(|(channel, beat)| ((channel.sealer, beat), channel.opener)).unzip();
        let decoder = LinkDecoder { opener, plain: BytesMut::new(), packets: PacketCodec::default() };
        let writer = LinkWriter { writer, sealer, plain: BytesMut::new(), wire: BytesMut::new() };
        Self { reader: FramedRead::new(reader, decoder), writer, peer: peer.into(), hello: None }
    }

    /// Returns the name of the other end.
    pub fn peer(&self) -> &str {
        &self.peer
    }

    /// Returns the peer's HELLO; `None` before [`Self::greet`].
    pub fn hello(&self) -> Option<&Hello> {
        self.hello.as_ref()
    }

    /// Sends HELLO and checks the peer's, which must be of our version. Until then packets are limited in length.
    pub async fn greet(&mut self, own: &Hello) -> Result<(), GreetError> {
        self.reader.decoder_mut().packets = PacketCodec::with_limit(HELLO_LIMIT);
        self.send_packet(&own.to_packet()).await?;
        let packet = self.receive_packet().await?.ok_or(HelloError::Closed)?;
        let hello = match Hello::from_packet(&packet) {
            Err(ProtocolError::UnknownId { id, .. }) => return Err(HelloError::Absent(id).into()),
            other => other?,
        };
        hello.check()?;
        self.reader.decoder_mut().packets = PacketCodec::with_limit(LARGEST_PACKET);
        self.hello = Some(hello);
        Ok(())
    }

    /// Writes one packet at once; for packets before [`Self::split`].
    pub async fn send_packet(&mut self, packet: &Packet) -> Result<(), ProtocolError> {
        self.writer.write(std::slice::from_ref(packet)).await
    }

    /// Reads one packet; `None` if the peer has closed the link in order.
    pub async fn receive_packet(&mut self) -> Result<Option<Packet>, ProtocolError> {
        self.reader.next().await.transpose()
    }

    /// Splits the link into its halves. A task of the runtime writes the queued messages; it ends, and closes the link
    /// in this direction, when the last [`Sender`] is gone and everything is written.
    pub fn split<Out: Message, In: Message>(self) -> (Sender<Out>, Receiver<In>) {
        let queue = Arc::new(SendQueue::default());
        queue.enter();
        tokio::spawn(write(Arc::clone(&queue), self.writer));
        let sender = Sender { queue: Arc::clone(&queue), peer: Arc::clone(&self.peer), kind: PhantomData };
        (sender, Receiver { reader: self.reader, queue, peer: self.peer, length: 0, kind: PhantomData })
    }
}

/// The reasons why a peer was not accepted.
#[derive(Debug, thiserror::Error)]
pub enum GreetError {
    /// The peer has another version or role.
    #[error(transparent)]
    Hello(#[from] HelloError),
    /// The HELLO could not be read or written.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
}

async fn write(queue: Arc<SendQueue>, mut writer: LinkWriter) {
    loop {
        let beat = writer.sealer.as_ref().map_or(Duration::MAX, |(_, beat)| *beat);
        let outcome = match timeout(beat, queue.take(PORTION)).await {
            Ok(Work::Packets(packets)) => tokio::select! {
                outcome = writer.write(&packets) => outcome,
                () = queue.until_given_up() => return,
            },
            Err(_) => tokio::select! {
                outcome = writer.beat() => outcome,
                () = queue.until_given_up() => return,
            },
            Ok(Work::End) => {
                // The peer may have closed the link already.
                let _ = writer.writer.shutdown().await;
                // A receiver that lives on can no longer refuse packets.
                queue.fail("the sending side has closed");
                return;
            }
        };
        if let Err(fault) = outcome {
            queue.fail(&fault.to_string());
            return;
        }
    }
}

struct LinkWriter {
    writer: Writer,
    sealer: Option<(Sealer, Duration)>,
    plain: BytesMut,
    wire: BytesMut,
}

impl LinkWriter {
    async fn write(&mut self, packets: &[Packet]) -> Result<(), ProtocolError> {
        self.plain.clear();
        for packet in packets {
            packet.write(&mut self.plain)?;
        }
        let bytes = match &mut self.sealer {
            None => &self.plain,
            Some((sealer, _)) => {
                self.wire.clear();
                sealer.seal(&self.plain, &mut self.wire)?;
                &self.wire
            }
        };
        self.writer.write_all(bytes).await?;
        self.writer.flush().await?;
        // One long packet must not keep its size for as long as the link lives.
        for buffer in [&mut self.plain, &mut self.wire] {
            if buffer.capacity() > 4 * PORTION {
                *buffer = BytesMut::new();
            }
        }
        Ok(())
    }

    /// Writes an empty record.
    async fn beat(&mut self) -> Result<(), ProtocolError> {
        if let Some((sealer, _)) = &mut self.sealer {
            self.wire.clear();
            sealer.beat(&mut self.wire)?;
            self.writer.write_all(&self.wire).await?;
            self.writer.flush().await?;
        }
        Ok(())
    }
}

struct LinkDecoder {
    opener: Option<Opener>,
    plain: BytesMut,
    packets: PacketCodec,
}

impl Decoder for LinkDecoder {
    type Item = Packet;
    type Error = ProtocolError;

    fn decode(&mut self, source: &mut BytesMut) -> Result<Option<Packet>, ProtocolError> {
        let Some(opener) = &mut self.opener else { return self.packets.decode(source) };
        loop {
            if let Some(packet) = self.packets.decode(&mut self.plain)? {
                return Ok(Some(packet));
            }
            if !opener.open(source, &mut self.plain)? {
                return Ok(None);
            }
        }
    }

    fn decode_eof(&mut self, source: &mut BytesMut) -> Result<Option<Packet>, ProtocolError> {
        if self.opener.is_none() {
            return self.packets.decode_eof(source);
        }
        match self.decode(source)? {
            None if !source.is_empty() || !self.plain.is_empty() => {
                Err(ProtocolError::Cut { have: self.plain.len() + source.len() })
            }
            packet => Ok(packet),
        }
    }
}

/// The writing half of a link.
pub struct Sender<M> {
    queue: Arc<SendQueue>,
    peer: Arc<str>,
    kind: PhantomData<fn(M)>,
}

impl<M: Message> Sender<M> {
    /// Queues a message without waiting. An interrupt overtakes queued data (see [`Priority`]). A message too long for
    /// the wire is replaced by one that says so.
    pub fn send(&self, message: &M) -> Result<(), SendError> {
        let mut packet = message.to_packet();
        let length = packet.length();
        if length > LARGEST_PACKET {
            let fault = ProtocolError::TooLong { length, limit: LARGEST_PACKET };
            tracing::error!(peer = %self.peer, id = packet.id, "message not sent: {fault}");
            match message.instead(&fault) {
                Some(other) => packet = other.to_packet(),
                None => return Err(SendError::TooLong { peer: self.peer.to_string(), length }),
            }
        }
        self.queue.push(message.priority(), packet).map_err(|why| self.closed(why))
    }

    /// Waits until at most `bytes` are queued; for sources that can pause, such as output.
    pub async fn room(&self, bytes: usize) -> Result<(), SendError> {
        self.queue.drained_to(bytes.max(1)).await.map_err(|why| self.closed(why))
    }

    /// Returns the number of bytes that wait to be written.
    pub fn waiting(&self) -> usize {
        self.queue.bytes()
    }

    /// Drops the queued messages and ends the link, because the other side does not read.
    pub fn give_up(&self, why: &str) {
        self.queue.give_up(why);
    }

    /// Waits until all queued messages are written, as long as the other side reads something within each `patience`.
    pub async fn flushed_while_read(&self, patience: Duration) -> Result<(), SendError> {
        self.queue.drained_while_read(patience).await.map_err(|why| self.closed(why))
    }

    /// Waits until all queued messages are written.
    pub async fn flushed(&self) -> Result<(), SendError> {
        self.queue.drained_to(0).await.map_err(|why| self.closed(why))
    }

    /// Returns the name of the other end.
    pub fn peer(&self) -> &str {
        &self.peer
    }

    fn closed(&self, why: String) -> SendError {
        SendError::Closed { peer: self.peer.to_string(), why }
    }
}

impl<M> Clone for Sender<M> {
    fn clone(&self) -> Self {
        self.queue.enter();
        Self { queue: Arc::clone(&self.queue), peer: Arc::clone(&self.peer), kind: PhantomData }
    }
}

impl<M> Drop for Sender<M> {
    fn drop(&mut self) {
        self.queue.leave();
    }
}

impl<M> fmt::Debug for Sender<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sender({})", self.peer)
    }
}

/// The reading half of a link.
pub struct Receiver<M> {
    reader: FramedRead<Reader, LinkDecoder>,
    queue: Arc<SendQueue>,
    peer: Arc<str>,
    length: usize,
    kind: PhantomData<fn() -> M>,
}

impl<M: Message> Receiver<M> {
    /// Returns the next message; `None` if the peer has closed the link in order, an error if it was cut or cannot be
    /// read on. An unknown message is refused (Error 1) and skipped; an unreadable one is refused (Error 3) and ends
    /// the link. Cancel safe: no message is lost.
    pub async fn receive(&mut self) -> Result<Option<M>, ProtocolError> {
        loop {
            let Some(packet) = self.reader.next().await.transpose()? else { return Ok(None) };
            self.length = packet.length();
            let fault = match M::from_packet(&packet) {
                Ok(message) => return Ok(Some(message)),
                Err(fault) => fault,
            };
            if let (ProtocolError::UnknownId { .. }, Some(refusal)) = (&fault, Refusal::from_packet(&packet)) {
                let refusal = refusal?;
                tracing::warn!(peer = %self.peer, "refused by the peer: {}", refusal.message);
                match M::from_refusal(&refusal) {
                    Some(message) => return Ok(Some(message)),
                    None => continue,
                }
            }
            tracing::warn!(peer = %self.peer, "refused: {fault}");
            // A link that cannot be written to ends by its reading side.
            let _ = self.queue.push(Priority::Ordinary, Refusal::of(&packet, &fault).to_packet());
            if !matches!(fault, ProtocolError::UnknownId { .. }) {
                return Err(fault);
            }
        }
    }

    /// Returns a handle on the queue of replies to this peer.
    pub fn answers(&self) -> Answers {
        Answers(Arc::clone(&self.queue))
    }

    /// Returns the bytes of the latest message on the wire.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// Returns the name of the other end.
    pub fn peer(&self) -> &str {
        &self.peer
    }
}

impl<M> fmt::Debug for Receiver<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Receiver({})", self.peer)
    }
}

/// The replies queued for a peer that sends requests.
pub struct Answers(Arc<SendQueue>);

impl Answers {
    /// Waits until at most `bytes` are queued, so that a peer that reads no replies gets no further requests served.
    /// Returns `false` if the peer was given up; a link that broke otherwise is read to its end.
    pub async fn read_to(&self, bytes: usize) -> bool {
        let _ = self.0.drained_to(bytes).await;
        !self.0.is_given_up()
    }
}

/// Raw packets, for the base dialect.
impl Message for Packet {
    fn to_packet(&self) -> Packet {
        self.clone()
    }

    fn from_packet(packet: &Packet) -> Result<Self, ProtocolError> {
        Ok(packet.clone())
    }
}

#[cfg(test)]
mod tests;

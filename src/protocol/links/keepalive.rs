//! Detects hosts that were cut off. The kernel of a host answers for processes that are slow or stopped, however much
//! is queued for them: only a host from which nothing arrives is lost.
//!
//! Both kernels probe the other end (tcp(7), `SO_KEEPALIVE`). A kernel does not probe while data waits to be read by
//! the peer, and a stopped process reads nothing; but the other kernel, which has nothing to send, goes on probing. So
//! every second a segment arrives from a live host, with or without data, and counting segments is enough.
//! `TCP_USER_TIMEOUT` would not do: it ends links to hosts that answer and have no room.

use nix::libc;
use nix::sys::socket::{Shutdown, getsockopt, setsockopt, shutdown, sockopt};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedReadHalf;
use tokio::time::{Interval, MissedTickBehavior, interval};

/// The intervals at which a link is checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keepalive {
    /// An idle sender writes an empty record this often, and an idle receiver's kernel probes.
    pub beat: Duration,
    /// Without any segment for this long the link ends.
    pub silence: Duration,
}

/// Between the nodes of a job: a lost host loses its ranks, and nothing waits for them.
pub(crate) const IN_JOB: Keepalive = Keepalive { beat: Duration::from_secs(1), silence: Duration::from_millis(3500) };
/// To a front end on another host, whose connection may be bad.
pub(crate) const OF_FRONT_END: Keepalive =
    Keepalive { beat: Duration::from_secs(15), silence: Duration::from_secs(60) };

/// Checks without a new segment after which the link ends.
const LOOKS: u32 = 7;

impl Keepalive {
    /// Sends small packets at once and lets the kernel probe an idle link.
    pub fn tune(&self, stream: &TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        let beat = self.beat.as_secs() as u32;
        setsockopt(stream, sockopt::KeepAlive, &true)?;
        setsockopt(stream, sockopt::TcpKeepIdle, &beat)?;
        setsockopt(stream, sockopt::TcpKeepInterval, &beat)?;
        setsockopt(stream, sockopt::TcpKeepCount, &(self.silence.as_secs() as u32 / beat.max(1)))?;
        Ok(())
    }

    fn look(&self) -> Duration {
        self.silence / LOOKS
    }

    /// Wraps the reading half of a link so that it ends when nothing arrives any more. Called within a runtime.
    pub fn watch(self, reader: OwnedReadHalf) -> Watched {
        let mut looks = interval(self.look());
        // A process that was stopped itself could not notice what arrived.
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Watched { reader, keepalive: self, looks, heard: None, without_news: 0 }
    }
}

/// The bytes of `TCP_INFO` up to and including the number of received segments.
const KNOWN: usize = 144;
/// The offset of that number (linux/tcp.h, `tcpi_segs_in`).
const SEGMENTS: usize = 140;

/// The state of a TCP link in the kernel (tcp(7), `TCP_INFO`).
#[derive(Clone, Copy, Debug)]
struct State;
nix::getsockopt_impl!(State, libc::IPPROTO_TCP, libc::TCP_INFO, [u8; KNOWN], sockopt::GetStruct<[u8; KNOWN]>);

/// Returns the number of segments received on a link, those without data included.
fn segments(stream: &TcpStream) -> io::Result<u32> {
    let known = getsockopt(stream, State)?;
    Ok(known[SEGMENTS..].first_chunk().map_or(0, |bytes| u32::from_ne_bytes(*bytes)))
}

pub(crate) struct Watched {
    reader: OwnedReadHalf,
    keepalive: Keepalive,
    looks: Interval,
    heard: Option<u32>,
    without_news: u32,
}

impl Watched {
    /// Fails if nothing has arrived for too long.
    fn look(&mut self) -> io::Result<()> {
        let stream: &TcpStream = self.reader.as_ref();
        let heard = segments(stream).ok();
        // On a system without the count, the kernel's probes and reads must do.
        if heard.is_none() || heard != self.heard {
            self.heard = heard;
            self.without_news = 0;
            return Ok(());
        }
        self.without_news += 1;
        if self.without_news < LOOKS {
            return Ok(());
        }
        // Queued data must not be sent when the host is back: nobody reads it then. The link may be broken already.
        let _ = setsockopt(stream, sockopt::Linger, &libc::linger { l_onoff: 1, l_linger: 0 });
        let _ = shutdown(std::os::fd::AsRawFd::as_raw_fd(stream), Shutdown::Both);
        let words = format!("its host has not replied for {:?}", self.keepalive.silence);
        Err(io::Error::new(io::ErrorKind::TimedOut, words))
    }
}

impl AsyncRead for Watched {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.reader).poll_read(cx, into);
        if read.is_ready() {
            self.without_news = 0;
            return read;
        }
        loop {
            ready!(self.looks.poll_tick(cx));
            self.look()?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;
    use tokio::time::timeout;

    #[test]
    fn ranks_of_a_host_that_is_cut_off_are_lost_within_five_seconds() {
        // At worst a segment came right after a check.
        let longest = IN_JOB.silence + 2 * IN_JOB.look();
        assert!(longest < Duration::from_secs(5), "{longest:?}");
        assert!(OF_FRONT_END.silence > IN_JOB.silence);
        // A live host is heard several times meanwhile.
        for keepalive in [IN_JOB, OF_FRONT_END] {
            assert!(keepalive.beat * 3 < keepalive.silence, "{keepalive:?}");
        }
    }

    async fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (one, two) = tokio::join!(TcpStream::connect(address), listener.accept());
        (one.unwrap(), two.unwrap().0)
    }

    #[tokio::test]
    async fn who_does_not_read_is_waited_for_though_more_waits_than_buffers_hold() {
        const MUCH: usize = 16 << 20;
        let (ours, mut theirs) = pair().await;
        IN_JOB.tune(&ours).unwrap();
        IN_JOB.tune(&theirs).unwrap();
        let (reader, mut writer) = ours.into_split();
        let mut watched = IN_JOB.watch(reader);
        let writing = tokio::spawn(async move { writer.write_all(&vec![1; MUCH]).await });
        // There is nothing to read: the read ends with the link, or after far more than the time in which a host is
        // lost.
        let begun = Instant::now();
        let ended = timeout(IN_JOB.silence * 2, watched.read_u8()).await;
        assert!(ended.is_err() && !writing.is_finished(), "{ended:?} after {:?}", begun.elapsed());
        let mut all = vec![0; MUCH];
        theirs.read_exact(&mut all).await.unwrap();
        writing.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn a_host_that_says_nothing_is_given_up_and_the_writer_with_it() {
        let (ours, theirs) = pair().await;
        // Neither side probes, as if nothing came through.
        let quick = Keepalive { beat: Duration::from_secs(60), silence: Duration::from_millis(140) };
        let (reader, mut writer) = ours.into_split();
        let mut watched = quick.watch(reader);
        let writing = tokio::spawn(async move { writer.write_all(&vec![1; 64 << 20]).await });
        let ended = watched.read_u8().await.unwrap_err();
        assert_eq!(ended.kind(), io::ErrorKind::TimedOut);
        assert!(writing.await.unwrap().is_err());
        drop(theirs);
    }
}

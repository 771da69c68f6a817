//! After what time a host that was cut off is lost. Its kernel answers for processes that are slow or stopped, however much waits
//! for them: only a host that says nothing at all is lost.
//!
//! Both ends have their kernels ask whether the other is there (tcp(7), `SO_KEEPALIVE`). That asks nothing while something waits to
//! be taken, and a process that is stopped takes nothing; but then the other kernel, for which nothing waits, goes on asking.
//! So from a host that is there a segment comes every second, with or without data, and it is enough to count them.
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

/// How a link is watched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keepalive {
    /// Who has written nothing for so long writes an empty record, and who has heard nothing asks.
    pub beat: Duration,
    /// Who has heard nothing at all for so long gives the other up.
    pub silence: Duration,
}

/// Between the nodes of a job: ranks of a lost host are lost, and nobody waits for them.
pub(crate) const IN_JOB: Keepalive = Keepalive { beat: Duration::from_secs(1), silence: Duration::from_millis(3500) };
/// To a front end on another host, whose line may be bad.
pub(crate) const OF_FRONT_END: Keepalive =
    Keepalive { beat: Duration::from_secs(15), silence: Duration::from_secs(60) };

/// Looks without news after which the other is given up.
const LOOKS: u32 = 7;

impl Keepalive {
    /// Small packets leave at once, and silence is noticed.
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

    /// The reading half of a link, which ends when nothing comes any more. Called within a runtime.
    pub fn watch(self, reader: OwnedReadHalf) -> Watched {
        let mut looks = interval(self.look());
        // A process that was stopped itself has not heard the silence of others.
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Watched { reader, keepalive: self, looks, heard: None, without_news: 0 }
    }
}

/// What the kernel knows of a link, up to the number of segments that have come.
const KNOWN: usize = 144;
/// Where that number is (linux/tcp.h, `tcpi_segs_in`).
const SEGMENTS: usize = 140;

/// What the kernel knows of a link (tcp(7), `TCP_INFO`).
#[derive(Clone, Copy, Debug)]
struct State;
nix::getsockopt_impl!(State, libc::IPPROTO_TCP, libc::TCP_INFO, [u8; KNOWN], sockopt::GetStruct<[u8; KNOWN]>);

/// Segments that have come by a link, those without data included.
fn segments(stream: &TcpStream) -> io::Result<u32> {
    let known = getsockopt(stream, State)?;
    Ok(known[SEGMENTS..].first_chunk().map_or(0, |bytes| u32::from_ne_bytes(*bytes)))
}

/// The reading half of a link that is watched.
pub(crate) struct Watched {
    reader: OwnedReadHalf,
    keepalive: Keepalive,
    looks: Interval,
    heard: Option<u32>,
    without_news: u32,
}

impl Watched {
    /// An error when nothing has come for too long.
    fn look(&mut self) -> io::Result<()> {
        let stream: &TcpStream = self.reader.as_ref();
        let heard = segments(stream).ok();
        // A system that does not count has the kernels' own questions, and what is read.
        if heard.is_none() || heard != self.heard {
            self.heard = heard;
            self.without_news = 0;
            return Ok(());
        }
        self.without_news += 1;
        if self.without_news < LOOKS {
            return Ok(());
        }
        // What waits is not sent when the host is back: by then nobody is at this end. The link may be broken already.
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
        // At worst something came right after a look.
        let longest = IN_JOB.silence + 2 * IN_JOB.look();
        assert!(longest < Duration::from_secs(5), "{longest:?}");
        assert!(OF_FRONT_END.silence > IN_JOB.silence);
        // One that is there is heard several times meanwhile.
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
        // Nothing is to be read here: it ends with the link, or when the time has long passed in which a host is lost.
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
        // Neither side asks, as if nothing came through.
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

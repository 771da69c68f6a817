//! After what time a host that was cut off is lost. Its kernel answers for processes that are slow or stopped: only a host that
//! says nothing at all is lost.

use nix::sys::socket::{setsockopt, sockopt};
use std::io;
use std::time::Duration;
use tokio::net::TcpStream;

/// How a link is watched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vigilance {
    /// Who has written nothing for so long writes an empty record: there is always something to be acknowledged.
    pub beat: Duration,
    /// What was written is sent again for so long, from the first time on (tcp(7), `TCP_USER_TIMEOUT`).
    pub silence: Duration,
}

/// Between the nodes of a job: ranks of a lost host are lost, and nobody waits for them.
pub(super) const IN_JOB: Vigilance = Vigilance { beat: Duration::from_secs(1), silence: Duration::from_secs(3) };
/// To a front end on another host, whose line may be bad.
pub(super) const OF_FRONT_END: Vigilance =
    Vigilance { beat: Duration::from_secs(15), silence: Duration::from_secs(60) };

impl Vigilance {
    /// Small packets leave at once, and silence is noticed.
    pub fn tune(&self, stream: &TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        let beat = self.beat.as_secs() as u32;
        setsockopt(stream, sockopt::KeepAlive, &true)?;
        setsockopt(stream, sockopt::TcpKeepIdle, &beat)?;
        setsockopt(stream, sockopt::TcpKeepInterval, &beat)?;
        setsockopt(stream, sockopt::TcpUserTimeout, &(self.silence.as_millis() as u32))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::net::TcpListener;

    /// What the kernel waits before it sends something again for the first time: the probe for a lost tail and the first
    /// time-out, of 200 ms each (`TCP_RTO_MIN`) where answers usually come at once.
    const UNTIL_SENT_AGAIN: Duration = Duration::from_millis(400);

    #[test]
    fn ranks_of_a_host_that_is_cut_off_are_lost_within_five_seconds() {
        // At worst the last record had just been acknowledged.
        let longest = IN_JOB.beat + UNTIL_SENT_AGAIN + IN_JOB.silence;
        assert!(longest < Duration::from_secs(5), "{longest:?}");
        assert!(OF_FRONT_END.silence > IN_JOB.silence);
    }

    #[tokio::test]
    async fn the_kernel_is_told() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        IN_JOB.tune(&stream).unwrap();
        let told = nix::sys::socket::getsockopt(&stream, sockopt::TcpUserTimeout).unwrap();
        assert_eq!(Duration::from_millis(told.into()), IN_JOB.silence);
    }
}

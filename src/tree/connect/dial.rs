//! The way back: from the host of the job to the front end that accepted the request.

use crate::error::TreeError;
use protocol::{Connection, Hello, Role, SessionKey, dial_tcp};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Time limits for dialling.
#[derive(Clone, Copy, Debug)]
struct Patience {
    /// Time to reach the front end, over all addresses.
    all: Duration,
    /// Minimum time for each address whose host does not even refuse, however many there are.
    share: Duration,
}

const PATIENCE: Patience = Patience { all: Duration::from_secs(30), share: Duration::from_secs(5) };

impl Patience {
    /// Returns when to give up one of `count` addresses, tried from `now` on; `None` if the total time is up.
    fn until(&self, begun: Instant, now: Instant, count: usize) -> Option<Instant> {
        let end = begun + self.all;
        let share = self.share.max(self.all / count.max(1) as u32);
        (now < end).then(|| end.min(now + share))
    }
}

/// Dials one address after another until a peer proves the key. The error names every address and its result.
pub(crate) async fn dial_front_end(addresses: &[String], key: &SessionKey) -> Result<Connection, TreeError> {
    dial_within(PATIENCE, addresses, key).await
}

async fn dial_within(patience: Patience, addresses: &[String], key: &SessionKey) -> Result<Connection, TreeError> {
    let begun = Instant::now();
    let hello = Hello::new(Role::Master);
    let mut tried = Vec::new();
    for address in addresses {
        let now = Instant::now();
        let Some(until) = patience.until(begun, now, addresses.len()) else {
            tried.push(format!("{address}: not tried, timed out"));
            continue;
        };
        match timeout_at(until, dial_tcp(address, key, &hello)).await {
            Ok(Ok(connection)) => return Ok(connection),
            Ok(Err(error)) => tried.push(error.to_string()),
            Err(_) => tried.push(format!("{address}: no reply within {:.0} s", (until - now).as_secs_f64())),
        }
    }
    Err(TreeError::Unreachable(tried.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::Listener;

    #[tokio::test]
    async fn the_first_who_proves_the_key_is_it() {
        let (key, other) = (SessionKey::generate().unwrap(), SessionKey::generate().unwrap());
        let (right, wrong) = (Listener::tcp("127.0.0.1:0").await.unwrap(), Listener::tcp("127.0.0.1:0").await.unwrap());
        let at = |listener: &Listener| format!("127.0.0.1:{}", listener.port().unwrap());
        // A port that was free a moment ago: nothing listens there.
        let gone = at(&Listener::tcp("127.0.0.1:0").await.unwrap());
        let (wrong_at, right_at) = (at(&wrong), at(&right));
        let hello = Hello::new(Role::FrontEnd);
        tokio::spawn(async move { wrong.accept().await.unwrap().establish(Some(&other), &hello).await });
        let own = key.clone();
        let hello = Hello::new(Role::FrontEnd);
        tokio::spawn(async move { right.accept().await.unwrap().establish(Some(&own), &hello).await });
        let addresses = [gone.clone(), wrong_at.clone(), right_at.clone()];
        let connection = dial_front_end(&addresses, &key).await.unwrap();
        assert_eq!(connection.peer(), right_at);

        let fault = dial_front_end(&[gone.clone(), "no such host:1".to_owned()], &key).await.unwrap_err();
        assert_eq!(fault.exit_code(), 6);
        let words = fault.to_string();
        assert!(words.contains(&gone) && words.contains("no such host:1"), "{words}");
    }

    #[test]
    fn half_a_minute_is_shared_out() {
        let begun = Instant::now();
        let after = |seconds| begun + Duration::from_secs(seconds);
        // The time, the number of addresses, and the expected limit.
        for (now, count, until) in [
            (0, 1, Some(30)),
            (0, 3, Some(10)),
            (10, 3, Some(20)),
            (0, 100, Some(5)),
            (28, 100, Some(30)),
            (29, 2, Some(30)),
            (30, 2, None),
        ] {
            assert_eq!(PATIENCE.until(begun, after(now), count), until.map(after), "{now} {count}");
        }
    }

    #[tokio::test]
    async fn hosts_that_say_nothing_use_up_the_time_and_all_are_named() {
        let key = SessionKey::generate().unwrap();
        // Connections to it are made, and nobody accepts them.
        let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let silent = silent.local_addr().unwrap().to_string();
        let patience = Patience { all: Duration::from_millis(20), share: Duration::from_millis(20) };
        let addresses = [silent.clone(), silent.clone()];
        let words = dial_within(patience, &addresses, &key).await.unwrap_err().to_string();
        assert!(words.contains(&format!("{silent}: no reply within ")), "{words}");
        assert!(words.contains(&format!("{silent}: not tried, timed out")), "{words}");
    }
}

//! The way back: from the host of the job to the front end that accepted the request.

use crate::protocol::{Connection, Hello, Role, SessionKey, dial_tcp};
use crate::tree::error::TreeError;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// The front end must be reached in this time, whichever address leads there.
const LIMIT: Duration = Duration::from_secs(30);
/// An address whose host does not even refuse leaves the others at least this much of it.
const SHARE: Duration = Duration::from_secs(5);

/// Dials one address after another until somebody proves the key. The error names every address and what came of it.
pub(in crate::tree) async fn dial_front_end(addresses: &[String], key: &SessionKey) -> Result<Connection, TreeError> {
    let end = Instant::now() + LIMIT;
    let hello = Hello::new(Role::Master);
    let mut tried = Vec::new();
    for address in addresses {
        let now = Instant::now();
        if now >= end {
            tried.push(format!("{address}: not tried, the time was up"));
            continue;
        }
        let limit = end.min(now + SHARE.max(LIMIT / addresses.len().max(1) as u32));
        match timeout_at(limit, dial_tcp(address, key, &hello)).await {
            Ok(Ok(connection)) => return Ok(connection),
            Ok(Err(error)) => tried.push(error.to_string()),
            Err(_) => tried.push(format!("{address}: no answer within {} s", (limit - now).as_secs())),
        }
    }
    Err(TreeError::Unreachable(tried.join("; ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Listener;

    #[tokio::test]
    async fn the_first_who_proves_the_key_is_it() {
        let (key, other) = (SessionKey::generate().unwrap(), SessionKey::generate().unwrap());
        let (right, wrong) = (Listener::tcp("127.0.0.1:0").await.unwrap(), Listener::tcp("127.0.0.1:0").await.unwrap());
        let at = |listener: &Listener| format!("127.0.0.1:{}", listener.port().unwrap());
        // A port that was free a moment ago: nobody listens there.
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
}

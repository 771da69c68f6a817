//! Signals that end a front end in order.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Signals that end a front end, heard from when this is made.
#[derive(Debug)]
pub struct EndingSignals {
    interrupt: Option<Signal>,
    terminate: Option<Signal>,
    hangup: Option<Signal>,
}

impl EndingSignals {
    /// Hears them from now on; one that cannot be heard has its default effect.
    pub fn listen() -> Self {
        Self {
            interrupt: signal(SignalKind::interrupt()).ok(),
            terminate: signal(SignalKind::terminate()).ok(),
            hangup: signal(SignalKind::hangup()).ok(),
        }
    }

    /// The number of the next that comes.
    pub async fn next(&mut self) -> u8 {
        async fn one(signal: &mut Option<Signal>) {
            match signal {
                Some(signal) => drop(signal.recv().await),
                None => std::future::pending().await,
            }
        }
        tokio::select! {
            () = one(&mut self.interrupt) => 2,
            () = one(&mut self.terminate) => 15,
            () = one(&mut self.hangup) => 1,
        }
    }
}

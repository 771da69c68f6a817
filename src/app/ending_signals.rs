//! Signals that end a front end in order (SIGHUP, SIGINT, SIGTERM).

use std::time::Duration;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::timeout;

/// Catches the signals that end a front end, from its creation on.
#[derive(Debug)]
pub struct EndingSignals {
    interrupt: Option<Signal>,
    terminate: Option<Signal>,
    hangup: Option<Signal>,
}

impl EndingSignals {
    /// Starts catching the signals; one that cannot be caught keeps its default action.
    pub fn listen() -> Self {
        Self {
            interrupt: signal(SignalKind::interrupt()).ok(),
            terminate: signal(SignalKind::terminate()).ok(),
            hangup: signal(SignalKind::hangup()).ok(),
        }
    }

    /// Drops an interrupt from the keyboard that was meant for another program.
    pub async fn forget_interrupt(&mut self) {
        /// In this time, the runtime notices a signal that has arrived before.
        const NOTICE: Duration = Duration::from_millis(5);
        if let Some(interrupt) = &mut self.interrupt {
            let _ = timeout(NOTICE, interrupt.recv()).await;
        }
    }

    /// Waits for the next signal and returns its number.
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

//! Signals that ask a server to end: it detaches from its ranks first.

use super::state::Input;
use crate::ending_signals::heeded;
use crate::error::{TreeError, io_fault};
use nix::sys::signal::Signal;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::UnboundedSender;

/// Reports the signals to the server; from now on they have no other effect.
pub(super) fn watch_signals(inputs: &UnboundedSender<Input>) -> Result<(), TreeError> {
    for kind in heeded() {
        watch(kind, inputs.clone())?;
    }
    Ok(())
}

fn watch(kind: Signal, inputs: UnboundedSender<Input>) -> Result<(), TreeError> {
    let mut received = signal(SignalKind::from_raw(kind as i32)).map_err(io_fault("watch for signals"))?;
    tokio::spawn(async move { while received.recv().await.is_some() && inputs.send(Input::Asked(kind)).is_ok() {} });
    Ok(())
}

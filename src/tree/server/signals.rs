//! Signals that ask a server to end: it lets go of what it has before.

use super::state::Input;
use crate::ending_signals::heeded;
use crate::error::{TreeError, io_fault};
use nix::sys::signal::Signal;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc::UnboundedSender;

/// Has the server told of them; from now on they do nothing by themselves.
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

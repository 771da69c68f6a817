//! Files that commands name: read and written beside the event loop, which never waits for a file system.

use crate::controller::{CommandId, Effect};
use tokio::fs;
use tokio::io::AsyncWriteExt;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// What became of a file, for [`crate::controller::Controller::provide`].
pub(super) type Provided = (CommandId, Result<String, String>);

/// Files in use.
pub(super) struct Files {
    done: UnboundedSender<Provided>,
    provided: UnboundedReceiver<Provided>,
    log: Option<UnboundedSender<String>>,
}

impl Files {
    pub(super) fn new() -> Self {
        let (done, provided) = unbounded_channel();
        Self { done, provided, log: None }
    }

    /// Begins what the controller cannot do itself.
    pub(super) fn begin(&mut self, effect: Effect) {
        let done = self.done.clone();
        match effect {
            Effect::Read(command, path) => {
                tokio::spawn(async move {
                    let read = fs::read_to_string(&path).await;
                    let _ = done.send((command, read.map_err(|error| format!("cannot read {path}: {error}"))));
                });
            }
            Effect::Log(command, None) => {
                self.log = None;
                let _ = done.send((command, Ok(String::new())));
            }
            Effect::Log(command, Some(path)) => {
                let (lines, written) = unbounded_channel();
                self.log = Some(lines);
                tokio::spawn(write_log(command, path, written, done));
            }
        }
    }

    /// Writes lines to the log file, when there is one.
    pub(super) fn note(&self, lines: &[String]) {
        if let Some(log) = &self.log {
            for line in lines {
                let _ = log.send(format!("{line}\n"));
            }
        }
    }

    pub(super) async fn next(&mut self) -> Option<Provided> {
        self.provided.recv().await
    }
}

async fn write_log(
    command: CommandId,
    path: String,
    mut lines: UnboundedReceiver<String>,
    done: UnboundedSender<Provided>,
) {
    let opened = fs::OpenOptions::new().create(true).append(true).open(&path).await;
    let mut file = match opened {
        Ok(file) => file,
        Err(error) => {
            let _ = done.send((command, Err(format!("cannot write {path}: {error}"))));
            return;
        }
    };
    let _ = done.send((command, Ok(String::new())));
    while let Some(line) = lines.recv().await {
        if let Err(error) = file.write_all(line.as_bytes()).await {
            tracing::warn!("cannot go on writing {path}: {error}");
            return;
        }
        if lines.is_empty() {
            let _ = file.flush().await;
        }
    }
}

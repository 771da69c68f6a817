//! The engine that a server has in the process that traces its guests.

use crate::merging::states::state_after;
use crate::own_program::own_process;
use engine::{Acquisition, Adoption, Engine, Handed, Query, Report, ReportSink};
use model::{Answer, ErrorCode, Event, Failure, ProcessSet, Rank, Severity, TransactionId};
use protocol::{Connection, Receiver, Reply, Request, Sender, ServerIndex, TreeDown, TreeUp, WaitPolicy};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc::WeakUnboundedSender;
use tokio::sync::oneshot;

/// Replies that the tracer owes.
#[derive(Debug, Default)]
struct Account {
    asked: BTreeMap<TransactionId, ProcessSet>,
    /// Ranks that it was asked to attach to and that have not ended.
    ranks: ProcessSet,
    is_gone: bool,
}

/// The tracer process as an engine.
#[derive(Debug)]
pub(super) struct TracerLink {
    sender: Sender<TreeDown>,
    account: Arc<Mutex<Account>>,
    /// Weak: the task that reads from the process keeps the channel open while there is something to read.
    sink: WeakUnboundedSender<Report>,
}

impl TracerLink {
    /// Starts the process with this command line.
    pub(super) fn start(words: Vec<OsString>, log: Stdio, sink: ReportSink) -> io::Result<Self> {
        let (ours, theirs) = UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        let stream = tokio::net::UnixStream::from_std(ours)?;
        let mut command = own_process();
        command.args(words).current_dir("/").stdin(OwnedFd::from(theirs)).stdout(Stdio::null()).stderr(log);
        let child = command.spawn()?;
        drop(command);
        let (sender, receiver) = Connection::over(stream, "the tracer").split();
        let account = Arc::<Mutex<Account>>::default();
        let weak = sink.downgrade();
        tokio::spawn(listen(receiver, child, Arc::clone(&account), sink));
        Ok(Self { sender, account, sink: weak })
    }

    pub(super) fn is_gone(&self) -> bool {
        lock(&self.account).is_gone
    }

    fn tell(&self, message: &TreeDown) {
        // The reading side reports when the process is gone.
        let _ = self.sender.send(message);
    }
}

fn lock(account: &Mutex<Account>) -> MutexGuard<'_, Account> {
    account.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Engine for TracerLink {
    fn acquire(&self, acquisition: Acquisition) {
        let Acquisition::Attach { rank, pid, spec, adoption } = acquisition else {
            // Nothing else is sent here; whoever waits for it sees that it was dropped.
            return tracing::error!("not for the tracer: {acquisition:?}");
        };
        lock(&self.account).ranks.insert(rank);
        let (processes, held) = (vec![(rank, pid)], adoption == Adoption::Held);
        self.tell(&TreeDown::Attach { server: ServerIndex(0), processes, size: 0, held, spec });
    }

    fn submit(&self, query: Query) {
        let Query { tid, ranks, operation } = query;
        {
            let mut account = lock(&self.account);
            if account.is_gone {
                if let Some(sink) = self.sink.upgrade() {
                    let _ = sink.send(Report::Answer { tid, ranks, answer: gone() });
                }
                return;
            }
            account.asked.entry(tid).or_default().extend_with(&ranks);
        }
        self.tell(&TreeDown::Request(Request::Ranks { tid, ranks, wait: WaitPolicy::All, operation }));
    }

    fn give_away(&self, _: Rank, reply: oneshot::Sender<Result<Box<Handed>, Failure>>) {
        // Ranks move between engines only within one process.
        let message = "another process of the server traces this one";
        let _ = reply.send(Err(Failure::new(ErrorCode::NOT_IMPLEMENTED, message)));
    }

    fn shutdown(&self, kill: bool) {
        self.tell(&TreeDown::Shutdown { kill });
    }
}

/// Forwards the reports of the process until it has ended.
async fn listen(mut receiver: Receiver<TreeUp>, mut child: Child, account: Arc<Mutex<Account>>, sink: ReportSink) {
    // A message that cannot be read counts as the end.
    while let Ok(Some(message)) = receiver.receive().await {
        let TreeUp::Reply(reply) = message else { continue };
        let report = match reply {
            Reply::Answer { tid, ranks, answer, .. } => Report::Answer { tid, ranks, answer },
            Reply::Event { tid, ranks, event } => Report::Event { tid, ranks, event },
            Reply::Missing { .. } | Reply::Session { .. } => continue,
        };
        lock(&account).note(&report);
        // Nobody listens any more if the server is ending.
        let _ = sink.send(report);
    }
    drop(receiver);
    let ended = tokio::task::spawn_blocking(move || child.wait()).await;
    let how = ended.ok().and_then(Result::ok).map_or_else(String::new, |status| format!(" ({status})"));
    for report in lock(&account).close(&how) {
        let _ = sink.send(report);
    }
}

fn gone() -> Answer {
    Answer::Failed(Failure::new(ErrorCode::NO_BACK_END, "its tracer has ended"))
}

impl Account {
    fn note(&mut self, report: &Report) {
        match report {
            Report::Answer { tid, ranks, .. } => {
                if let Some(left) = self.asked.get_mut(tid) {
                    left.remove_all(ranks);
                    if left.is_empty() {
                        self.asked.remove(tid);
                    }
                }
            }
            Report::Event { ranks, event, .. } => {
                if state_after(event).is_some_and(|state| state.is_ended()) {
                    self.ranks.remove_all(ranks);
                }
            }
        }
    }

    /// Returns the reports to make when the process is gone.
    fn close(&mut self, how: &str) -> Vec<Report> {
        self.is_gone = true;
        let (tid, ranks) = (TransactionId(0), std::mem::take(&mut self.ranks));
        let mut said = Vec::new();
        if !ranks.is_empty() {
            tracing::error!("the tracer has ended{how}");
            let words = format!("its tracer has ended{how}; attach again, which removes the breakpoints it left");
            let event = Event::Message(Severity::Error, words.clone());
            said.push(Report::Event { tid, ranks: ranks.clone(), event });
            said.push(Report::Event { tid, ranks, event: Event::Lost(words) });
        }
        let asked = std::mem::take(&mut self.asked).into_iter();
        said.extend(asked.map(|(tid, ranks)| Report::Answer { tid, ranks, answer: gone() }));
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tracer_that_is_gone_answers_for_those_it_had() {
        let set = |text: &str| ProcessSet::parse(text).unwrap();
        let mut account = Account { ranks: set("0-2"), ..Account::default() };
        account.asked.insert(TransactionId(7), set("0-2"));
        account.note(&Report::Answer { tid: TransactionId(7), ranks: set("1"), answer: Answer::Ok });
        account.note(&Report::Event { tid: TransactionId(0), ranks: set("2"), event: Event::Detached });
        let said = account.close("");
        let lost = said.iter().find_map(|report| match report {
            Report::Event { ranks, event: Event::Lost(_), .. } => Some(ranks.clone()),
            _ => None,
        });
        assert_eq!(lost, Some(set("0-1")));
        let left =
            |report: &Report| matches!(report, Report::Answer { tid, ranks, .. } if tid.0 == 7 && *ranks == set("0,2"));
        assert!(said.iter().any(left), "{said:?}");
        assert!(account.close("").is_empty());
    }
}

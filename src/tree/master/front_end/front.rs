//! The front end: there may be none, and a later one may use the same transaction IDs for other requests.

use super::backlog::Past;
use crate::link_tasks::MOST_UNREAD;
use crate::merging::output_lane::OutputLane;
use crate::merging::window::Spoken;
use crate::node::LinkId;
use model::{Answer, ErrorCode, Failure, Severity, TransactionId};
use protocol::{Reply, Sender, SessionEvent};
use std::collections::BTreeMap;
use std::time::Duration;

/// Requests for which later events and late answers still find the front end that asked.
const MOST_REMEMBERED: usize = 1 << 16;

/// Bytes that may wait for a front end that does not read, answers included: by then none of its requests are read any
/// more, but many may be under way.
const MOST_ANSWERS: usize = 32 << 20;
/// Bytes that may wait in total.
const MOST_WAITING: usize = 128 << 20;
/// Time at the end of a session after which a front end that reads nothing is not waited for.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// IDs inside the tree, each used once, and the requests they stand for.
#[derive(Debug, Default)]
pub(in crate::master) struct Ids {
    latest: u32,
    generation: u64,
    asked: BTreeMap<TransactionId, (u64, TransactionId)>,
}

impl Ids {
    /// Returns an ID for a request of the present front end.
    pub(in crate::master) fn admit(&mut self, asked: TransactionId) -> TransactionId {
        let inner = self.own();
        if self.asked.len() >= MOST_REMEMBERED {
            self.asked.pop_first();
        }
        self.asked.insert(inner, (self.generation, asked));
        inner
    }

    /// Returns an ID for a request of the master's own.
    pub(in crate::master) fn own(&mut self) -> TransactionId {
        // After 2^32 requests the oldest numbers are free again; 0 means "none".
        self.latest = self.latest.checked_add(1).unwrap_or(1);
        TransactionId(self.latest)
    }

    /// Returns the present front end's ID of a request; `None` if it is not one of its requests.
    pub(in crate::master) fn outward(&self, inner: TransactionId) -> Option<TransactionId> {
        self.asked.get(&inner).filter(|(generation, _)| *generation == self.generation).map(|(_, asked)| *asked)
    }

    /// Returns the requests of front ends before the present one.
    fn earlier(&self) -> impl Iterator<Item = TransactionId> {
        self.asked.iter().filter(|(_, (generation, _))| *generation < self.generation).map(|(inner, _)| *inner)
    }

    /// Another front end took over: earlier requests do not concern it.
    pub(in crate::master) fn next_generation(&mut self) {
        self.generation += 1;
    }
}

/// The link to the front end.
#[derive(Debug, Default)]
pub(in crate::master) struct Front {
    link: Option<(LinkId, Sender<Reply>)>,
    /// Other peers that are connected and have not said yet what they want.
    applicants: BTreeMap<LinkId, Sender<Reply>>,
    pub(in crate::master) ids: Ids,
    /// Output that has not been sent yet; without a front end, output for the next one.
    output: OutputLane,
    past: Past,
    /// True if another front end was there before, whose past this one has not been told.
    is_later: bool,
    /// True if it knows the job, so that output means something to it.
    knows_job: bool,
}

impl Front {
    /// Makes a link that of the front end.
    pub(in crate::master) fn opened(&mut self, link: LinkId, sender: Sender<Reply>) {
        self.ids.next_generation();
        self.link = Some((link, sender));
        self.knows_job = false;
        self.is_later = self.ids.generation > 1;
        self.output.start_anew();
    }

    /// Adds a peer that is connected beside the front end.
    pub(in crate::master) fn applies(&mut self, link: LinkId, sender: Sender<Reply>) {
        self.applicants.insert(link, sender);
    }

    /// Removes such a peer once it has spoken or is gone; the caller decides what it gets.
    pub(in crate::master) fn applicant(&mut self, link: LinkId) -> Option<Sender<Reply>> {
        self.applicants.remove(&link)
    }

    /// Returns earlier front ends' requests that are open according to `is_open`; none once the past was told.
    pub(in crate::master) fn left_behind(&self, is_open: impl Fn(TransactionId) -> bool) -> Vec<TransactionId> {
        if self.is_later { self.ids.earlier().filter(|&inner| is_open(inner)).collect() } else { Vec::new() }
    }

    /// Tells a later front end the output and reports from before it came.
    pub(in crate::master) fn tell_past(&mut self) {
        self.knows_job = true;
        if !std::mem::take(&mut self.is_later) {
            return;
        }
        self.output = OutputLane::default();
        let (dropped, said) = self.past.told();
        let told: Vec<_> = said.collect();
        if dropped > 0 {
            let words = format!("dropped {dropped} bytes of older output and messages");
            self.tell(TransactionId(0), SessionEvent::Message(Severity::Note, words));
        }
        for (ranks, event) in told {
            match event.endless_bytes() {
                Some(_) => self.output.push(TransactionId(0), ranks, event),
                None => self.say(&Reply::Event { tid: TransactionId(0), ranks, event }),
            }
        }
    }

    /// Notes that it has been told the job.
    pub(in crate::master) fn told_job(&mut self) {
        self.knows_job = true;
    }

    /// Notes that it has read output of this weight.
    pub(in crate::master) fn took_output(&mut self, weight: u64) {
        self.output.taken(weight);
    }

    /// Sends the output that may be sent now, for a job of `job` ranks.
    pub(in crate::master) fn let_out(&mut self, job: u32) {
        if self.link.is_some() && self.knows_job {
            let output = self.output.let_out(job);
            self.say_output(output);
        }
    }

    /// Sends all output that waits, before the end.
    pub(in crate::master) fn let_out_all(&mut self) {
        let output = self.output.let_out_all();
        self.say_output(output);
    }

    fn say_output(&self, output: Vec<Spoken>) {
        for Spoken { tid, ranks, event } in output {
            self.say(&Reply::Event { tid: self.ids.outward(tid).unwrap_or_default(), ranks, event });
        }
    }

    pub(in crate::master) fn is_there(&self) -> bool {
        self.link.is_some()
    }

    pub(in crate::master) fn is(&self, link: LinkId) -> bool {
        self.link.as_ref().is_some_and(|(id, _)| *id == link)
    }

    pub(in crate::master) fn closed(&mut self) {
        self.link = None;
    }

    /// Sends a reply to it, if it is there. If it does not read, it first gets no more answers; in the end its link is
    /// dropped, and the session stays for another front end.
    pub(in crate::master) fn say(&self, reply: &Reply) {
        let Some((_, sender)) = &self.link else { return };
        let waiting = sender.waiting();
        if waiting > MOST_WAITING {
            sender.give_up("it stopped reading");
            return;
        }
        let instead = match reply {
            Reply::Answer { tid, ranks, missing, late, answer: _ } if waiting > MOST_ANSWERS => {
                // The same for as many replies as can be: they become one sentence.
                let words = format!(
                    "not sent: {} MiB of earlier replies are not read yet; ask fewer ranks at a time",
                    waiting >> 20
                );
                let answer = Answer::Failed(Failure::new(ErrorCode::DEBUGGER, words));
                Some(Reply::Answer { tid: *tid, ranks: ranks.clone(), missing: missing.clone(), late: *late, answer })
            }
            _ => None,
        };
        if let Err(error) = sender.send(instead.as_ref().unwrap_or(reply)) {
            tracing::debug!("{error}");
        }
    }

    /// True if few enough bytes wait for it.
    pub(in crate::master) fn reads(&self) -> bool {
        self.link.as_ref().is_none_or(|(_, sender)| sender.waiting() <= MOST_UNREAD)
    }

    /// Sends a session event.
    pub(in crate::master) fn tell(&self, tid: TransactionId, event: SessionEvent) {
        self.say(&Reply::Session { tid, event });
    }

    /// Answers a request that cannot be carried out.
    pub(in crate::master) fn refuse(&self, tid: TransactionId, why: &str) {
        self.tell(tid, SessionEvent::Failed(why.to_owned()));
    }

    /// Passes a reply of the tree on, under the front end's IDs. Answers to earlier front ends' requests are dropped;
    /// events go to the present front end, and output waits for the next one.
    pub(in crate::master) fn pass(&mut self, reply: Reply) {
        if let Reply::Event { ranks, event, .. } = &reply {
            self.past.note(ranks, event);
        }
        let reply = match reply {
            Reply::Answer { tid, ranks, missing, late, answer } => {
                let Some(tid) = self.ids.outward(tid) else { return };
                Reply::Answer { tid, ranks, missing, late, answer }
            }
            Reply::Missing { tid, ranks } => {
                let Some(tid) = self.ids.outward(tid) else { return };
                Reply::Missing { tid, ranks }
            }
            Reply::Event { tid, ranks, event } if event.endless_bytes().is_some() => {
                return self.output.push(tid, ranks, event);
            }
            Reply::Event { tid, ranks, event } => {
                if self.link.is_some() {
                    let output = self.output.let_out_before(&ranks, &event);
                    self.say_output(output);
                }
                Reply::Event { tid: self.ids.outward(tid).unwrap_or_default(), ranks, event }
            }
            other @ Reply::Session { .. } => other,
        };
        self.say(&reply);
    }

    /// Waits until everything sent is written, as long as it is being read.
    pub(in crate::master) async fn flushed(&self) {
        if let Some((_, sender)) = &self.link
            && let Err(error) = sender.flushed_while_read(LAST_WORDS).await
        {
            // It may be gone by now.
            tracing::info!("{error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_front_end_is_not_told_what_another_asked() {
        let mut ids = Ids::default();
        ids.next_generation();
        let first = ids.admit(TransactionId(7));
        assert_eq!(ids.outward(first), Some(TransactionId(7)));
        let own = ids.own();
        assert_eq!(ids.outward(own), None);
        ids.next_generation();
        let second = ids.admit(TransactionId(7));
        assert_eq!((ids.outward(first), ids.outward(second)), (None, Some(TransactionId(7))));
        assert_ne!(first, second);
    }
}

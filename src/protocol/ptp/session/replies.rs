//! Translates the master's replies into events for the client.

use super::{BaseSession, Outcome, Phase};
use crate::ptp::RankEvent;
use crate::ptp::partial::target_expression;
use crate::ptp::translate_answer::{error, message, translate_answer, translate_event};
use crate::ptp::translate_command::Expect;
use crate::{Reply, SessionEvent};
use model::{Answer, Context, ErrorCode, Event, Failure, Operation, ProcessSet, Severity, Stop, TransactionId};

impl BaseSession {
    /// Handles a reply of the master.
    pub fn reply(&mut self, reply: Reply) -> Outcome {
        let mut outcome = Outcome::default();
        match reply {
            Reply::Answer { tid, ranks, missing, answer, .. } => {
                self.answer(tid, ranks, answer, &mut outcome);
                self.missing(tid, missing, &mut outcome);
            }
            Reply::Missing { tid, ranks } => self.missing(tid, ranks, &mut outcome),
            Reply::Event { tid, ranks, event } => self.event(tid, ranks, event, &mut outcome),
            Reply::Session { tid, event } => self.session_event(tid, event, &mut outcome),
        }
        outcome
    }

    fn missing(&mut self, tid: TransactionId, ranks: ProcessSet, outcome: &mut Outcome) {
        let failure = Failure::new(ErrorCode::NO_BACK_END, "no reply from these ranks");
        self.answer(tid, ranks, Answer::Failed(failure), outcome);
    }

    fn answer(&mut self, tid: TransactionId, ranks: ProcessSet, answer: Answer, outcome: &mut Outcome) {
        let Some(pending) = self.pending.get_mut(&tid) else { return };
        let news = pending.left.intersection(&ranks);
        pending.left.remove_all(&news);
        let (client, expect) = (pending.client, pending.expect.clone());
        if pending.left.is_empty() {
            self.pending.remove(&tid);
        }
        if news.is_empty() {
            return;
        }
        self.learn(&expect, &news, &answer);
        match (&expect, &answer) {
            (Expect::Suspend(stop), answer) => {
                // A rank that was continued meanwhile has no stack to measure; its stop is reported all the same.
                let depth = if let Answer::Depth(depth) = answer { *depth } else { 0 };
                return self.suspend_with_changes(client, news, Stop::clone(stop), depth, outcome);
            }
            (Expect::Compared { stop, key }, answer) => return self.compared(*stop, key, &news, answer, outcome),
            (Expect::Value(wanted), Answer::Data(datum)) => self.fetched(&wanted.key, &news, datum),
            (Expect::EngineText, Answer::Text(text)) if !text.is_empty() => {
                let text = format!("{text}\n");
                outcome.events.push((client, self.of_ranks(news.clone(), RankEvent::Output { text })));
            }
            _ => {}
        }
        if let (Expect::Value(wanted), Answer::Data(datum)) = (&expect, &answer)
            && let Some(target) = target_expression(datum, &wanted.expression)
        {
            for (ranks, context) in self.by_context(&news) {
                let operation = Operation::Evaluate { context, expression: target.clone() };
                self.ask(client, ranks, operation, Expect::Target(wanted.clone(), datum.clone()), outcome);
            }
            return;
        }
        if let Some(event) = translate_answer(&expect, answer) {
            outcome.events.push((client, self.of_ranks(news, event)));
        }
    }

    /// Sends the OK of a command whose event arrives before its answer is complete: others of its ranks may reply
    /// later, or never. A rank that reports has carried it out, and the client expects its OK first.
    fn acknowledge(&mut self, tid: TransactionId, ranks: &ProcessSet, outcome: &mut Outcome) {
        if self.pending.get(&tid).is_some_and(|pending| pending.expect == Expect::Done) {
            self.answer(tid, ranks.clone(), Answer::Ok, outcome);
        }
    }

    /// Updates the state kept here after an answer.
    fn learn(&mut self, expect: &Expect, ranks: &ProcessSet, answer: &Answer) {
        match (expect, answer) {
            (Expect::Frame(level), Answer::Stack(frames)) if !frames.is_empty() => {
                for (ranks, context) in self.by_context(ranks) {
                    self.contexts.set(&ranks, Context { frame: *level, ..context });
                }
            }
            (Expect::Thread(thread), Answer::Stack(_)) => {
                self.contexts.set(ranks, Context { thread: Some(*thread), frame: 0 });
            }
            (Expect::Breakpoint(_), Answer::Breakpoint(id, sites)) => {
                if let Some((_, known)) = self.breakpoints.get_mut(id) {
                    known.extend(sites.iter().map(|site| (ranks.clone(), site.clone())));
                }
            }
            (Expect::Handled, Answer::Signals(rows)) => {
                for row in rows {
                    let d = row.disposition;
                    self.signals.change(&row.name, Some(d.stop), Some(d.print), Some(d.pass));
                }
            }
            _ => {}
        }
    }

    fn event(&mut self, tid: TransactionId, ranks: ProcessSet, event: Event, outcome: &mut Outcome) {
        let client = match self.phase {
            Phase::Starting { client, .. } => client,
            _ => self.clients.get(&tid).copied().unwrap_or_default(),
        };
        if matches!(event, Event::Stopped(_) | Event::Exited(_) | Event::Killed(_) | Event::Output(..)) {
            self.acknowledge(tid, &ranks, outcome);
        }
        match &event {
            Event::Running => {
                self.stops.clear(&ranks);
                self.contexts.clear(&ranks);
                self.unstarted.remove_all(&ranks);
            }
            Event::Stopped(stop) => {
                self.stops.set(&ranks, stop.clone());
                self.contexts.clear(&ranks);
                if matches!(self.phase, Phase::Starting { .. }) && stop.reason.is_first() {
                    self.unstarted.extend_with(&ranks);
                    return self.arrived(&ranks, outcome);
                }
                self.suspend(client, ranks.clone(), stop.clone(), outcome);
            }
            Event::Exited(_) | Event::Killed(_) | Event::Failed(_) | Event::Lost(_) | Event::Detached => {
                self.stops.clear(&ranks);
                self.contexts.clear(&ranks);
                self.unstarted.remove_all(&ranks);
            }
            _ => {}
        }
        if let (Phase::Starting { lost, .. }, Event::Failed(why) | Event::Lost(why)) = (&mut self.phase, &event) {
            lost.set(&ranks, why.clone());
        } else if let Some(event) = translate_event(&event, &ranks, self.size, &self.signals) {
            outcome.events.push((client, event));
        }
        if matches!(event, Event::Exited(_) | Event::Killed(_) | Event::Failed(_) | Event::Lost(_)) {
            self.arrived(&ranks, outcome);
        }
    }

    /// Records ranks that came to their first stop or will not. StartSession is answered when this is known of all; if
    /// none came, the client may try again.
    fn arrived(&mut self, ranks: &ProcessSet, outcome: &mut Outcome) {
        let Phase::Starting { client, arrived, complete, lost, .. } = &mut self.phase else { return };
        arrived.extend_with(ranks);
        let mut started = ProcessSet::all(self.size);
        if *complete && started.is_subset(arrived) {
            let (client, lost) = (*client, std::mem::take(lost));
            for (ranks, why) in lost.split(&started.clone()) {
                let Some(why) = why.cloned() else { continue };
                started.remove_all(&ranks);
                let failure = Failure::new(ErrorCode::DEBUGGER, why);
                outcome.events.push((client, self.of_ranks(ranks, error(&failure))));
            }
            self.phase = if started.is_empty() { Phase::Idle } else { Phase::Started };
            if !started.is_empty() {
                outcome.events.push((client, self.of_ranks(started, RankEvent::Ok)));
            }
        }
    }

    fn session_event(&mut self, tid: TransactionId, event: SessionEvent, outcome: &mut Outcome) {
        let client = self.clients.get(&tid).copied().unwrap_or_default();
        match event {
            SessionEvent::Session { size, .. } => {
                self.size = size;
                if let Phase::Starting { complete, .. } = &mut self.phase {
                    *complete = true;
                }
                self.arrived(&ProcessSet::new(), outcome);
            }
            SessionEvent::Failed(words) => {
                let failure = Failure::new(ErrorCode::DEBUGGER, words);
                if matches!(self.phase, Phase::Starting { own, .. } if own == tid) {
                    self.phase = Phase::Idle;
                }
                outcome.events.push((client, self.of_ranks(ProcessSet::all(self.size), error(&failure))));
            }
            SessionEvent::LauncherOutput(text) => {
                let event = self.of_ranks(ProcessSet::all(self.size), RankEvent::Output { text });
                outcome.events.push((client, event));
            }
            SessionEvent::LauncherExited(status) if status != 0 => {
                let words = format!("the launcher exited with status {status}");
                outcome.events.push((client, message(Severity::Warning, &words)));
            }
            SessionEvent::Message(severity, text) => outcome.events.push((client, message(severity, &text))),
            SessionEvent::Ended => outcome.close = true,
            SessionEvent::Progress(_)
            | SessionEvent::LauncherExited(_)
            | SessionEvent::State { .. }
            | SessionEvent::Joined
            | SessionEvent::Taken => {}
        }
    }
}

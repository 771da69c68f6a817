//! The requests of the front end.

use crate::master::attaching::absent_say;
use crate::master::ending::{Ending, Then};
use crate::master::job::Job;
use crate::master::state::Master;
use crate::restart::refusal;
use model::{Answer, ErrorCode, Failure, Operation, ProcessSet, ProcessState, Rank, StartChanges, TransactionId};
use protocol::{Reply, Request, SessionCommand, SessionEvent, WaitPolicy};
use std::time::{Duration, Instant};

impl Master {
    /// Carries out a request of the front end.
    pub(in crate::master) fn request(&mut self, now: Instant, request: Request) {
        match request {
            Request::Ranks { tid, ranks, wait, operation } => self.ask(now, tid, &ranks, wait, operation),
            Request::Session { tid, command } => match command {
                SessionCommand::Launch(plan) => self.launch(now, tid, plan, false),
                SessionCommand::Restart(changes) => self.restart(now, tid, changes),
                SessionCommand::Replay => self.replay_once_known(now, tid),
                SessionCommand::Join { .. } => self.front.tell(tid, SessionEvent::Joined),
                SessionCommand::Keep { memory, linger } => {
                    self.kept = Some(memory);
                    self.idle.linger_for(Duration::from_secs(linger.into()));
                }
                SessionCommand::OutputTaken(weight) => self.front.took_output(weight),
                SessionCommand::Quit { kill } => self.end(now, Ending::exit(kill, Some(tid))),
            },
        }
    }

    fn ask(&mut self, now: Instant, tid: TransactionId, ranks: &ProcessSet, wait: WaitPolicy, operation: Operation) {
        let refuse = |ranks: ProcessSet, code: ErrorCode, message: String| {
            let (missing, answer) = (ProcessSet::new(), Answer::Failed(Failure::new(code, message)));
            Reply::Answer { tid, ranks, missing, late: false, answer }
        };
        if !matches!(self.job, Job::Running) {
            let why = match self.job {
                Job::Assembling(_) => "the job is still starting",
                Job::Ending(_) => "the job is ending",
                _ => "no job has been started: rankscope run PROGRAM starts one",
            };
            self.front.say(&refuse(ranks.clone(), ErrorCode::NOT_STARTED, why.to_owned()));
            return;
        }
        let all = self.ranks.all();
        let strangers = ranks.difference(&all);
        if !strangers.is_empty() || ranks.is_empty() {
            let message = format!("no such rank: the job has ranks 0 to {}", self.ranks.size().saturating_sub(1));
            self.front.say(&refuse(strangers, ErrorCode::BAD_SET, message));
        }
        let mut asked = ranks.intersection(&all);
        for (those, state) in self.node.states().entries() {
            if let ProcessState::Lost(why) = state
                && those.meets(&asked)
            {
                let lost = those.intersection(&asked);
                asked.remove_all(&lost);
                self.front.say(&refuse(lost, ErrorCode::NOT_RUN, format!("lost: {why}")));
            }
        }
        for (ranks, answer) in absent_say(self.node.states().entries(), &self.ranks, &asked, &operation) {
            asked.remove_all(&ranks);
            let (missing, late) = (ProcessSet::new(), false);
            self.front.say(&Reply::Answer { tid, ranks, missing, late, answer });
        }
        if asked.is_empty() {
            return;
        }
        if let (Operation::Send { text, end }, Some(launcher)) = (&operation, &mut self.launcher) {
            let answer = if asked.contains(Rank(0)) {
                launcher.send(text, *end)
            } else {
                let why = "cannot send: the launcher forwards its input, to rank 0 unless its options name another; \
                    use [0] send";
                Answer::Failed(Failure::new(ErrorCode::NOT_IMPLEMENTED, why))
            };
            let (missing, late) = (ProcessSet::new(), false);
            return self.front.say(&Reply::Answer { tid, ranks: asked, missing, late, answer });
        }
        if let (Operation::Configure(settings), Some(plan)) = (&operation, &mut self.plan) {
            // A restart begins with these settings.
            plan.spec_mut().settings = settings.clone();
        }
        let inner = self.front.ids.admit(tid);
        self.pass_down(now, inner, asked, wait, operation);
    }

    /// Passes a request down under an ID of the tree.
    pub(in crate::master) fn pass_down(
        &mut self,
        now: Instant,
        tid: TransactionId,
        ranks: ProcessSet,
        wait: WaitPolicy,
        operation: Operation,
    ) {
        self.breakpoints.requested(tid, &ranks, &operation);
        self.signals.requested(&ranks, &operation);
        let (_, up) = self.node.request(now, &Request::Ranks { tid, ranks, wait, operation });
        self.heard(now, up);
    }

    fn restart(&mut self, now: Instant, tid: TransactionId, changes: StartChanges) {
        match (&self.plan, &self.job) {
            (Some(plan), Job::Running) if !plan.starts() => {
                self.front.refuse(tid, "cannot restart attached ranks: start the program again and attach to it");
            }
            (Some(plan), Job::Running) => {
                if let Some(why) = refusal(plan, &changes) {
                    return self.front.refuse(tid, &why);
                }
                let plan = plan.clone();
                self.changes = changes;
                self.end(now, Ending::new(true, Then::Launch { tid, plan, again: true }));
            }
            (_, Job::Assembling(_) | Job::Ending(_)) => self.front.refuse(tid, "the job is already starting"),
            (None, _) | (_, Job::None) => self.front.refuse(
                tid,
                "no job has been started: rankscope run PROGRAM starts \
                one",
            ),
        }
    }
}

//! A controller with simulated ranks: no process, no socket, no clock. Requests go to the engine, and its reports
//! return as the master would send them.

use super::wait::wait_for;
use rankscope::controller::{Clock, CommandId, Content, Controller, Report, Settings, Start, State};
use rankscope::engine::{self, Acquisition, Engine, Query, fake::FakeEngine};
use rankscope::model::{Answer, LaunchSpec, Operation, ProcessSet, Rank, TransactionId};
use rankscope::protocol::{LaunchPlan, Reply, Request, SessionCommand, SessionEvent};
use std::{
    collections::HashMap,
    time::{Duration, Instant},
};
use tokio::sync::mpsc::{self, UnboundedReceiver};

/// A request: the ranks that have not replied yet, and the replies so far.
struct Open {
    missing: ProcessSet,
    answers: Vec<(Answer, ProcessSet)>,
}

/// A front end, a master and N ranks in one thread.
pub struct FakeSession {
    /// The front end's controller.
    pub controller: Controller,
    /// All reports of the controller so far.
    pub reports: Vec<Report>,
    engine: FakeEngine,
    from_engine: UnboundedReceiver<engine::Report>,
    plan: Option<LaunchPlan>,
    hosts: Vec<(String, ProcessSet)>,
    open: HashMap<TransactionId, Open>,
    clock: Clock,
}

impl FakeSession {
    /// Launches a simulated program; returns when every rank has stopped, ended or is lost.
    pub fn start(program: &str, arguments: &[&str], ranks: u32) -> Self {
        let spec = LaunchSpec {
            program: program.to_owned(),
            arguments: arguments.iter().map(|&word| word.to_owned()).collect(),
            ..LaunchSpec::default()
        };
        Self::with_settings(Settings {
            start: Start::Launch(LaunchPlan::Local { ranks, spec }),
            program: program.to_owned(),
            batch: true,
            ..Settings::default()
        })
    }

    /// With the test's settings.
    pub fn with_settings(settings: Settings) -> Self {
        Self::on_hosts(settings, Vec::new())
    }

    /// With ranks on these hosts; all on one if there are none.
    pub fn on_hosts(settings: Settings, hosts: Vec<(String, ProcessSet)>) -> Self {
        let clock = Clock::stopped();
        let settings = Settings { clock: clock.clone(), ..settings };
        let (sink, from_engine) = mpsc::unbounded_channel();
        let launches = matches!(settings.start, Start::Launch(_));
        let mut session = Self {
            controller: Controller::new(settings),
            reports: Vec::new(),
            engine: FakeEngine::start(sink).unwrap(),
            from_engine,
            plan: None,
            hosts,
            open: HashMap::new(),
            clock,
        };
        if launches {
            session.pump_until("the first stop of all ranks", |state| {
                state.size() > 0 && state.ranks.stopped().union(&state.ranks.ended()).len() == state.size() as usize
            });
        }
        session
    }

    /// The controller's state.
    pub fn state(&self) -> &State {
        self.controller.state()
    }

    /// The time given to the controller.
    pub fn now(&self) -> Instant {
        self.clock.now()
    }

    /// Executes a command line to its end; returns the reports.
    pub fn run(&mut self, line: &str) -> Vec<Report> {
        let from = self.reports.len();
        let id = self.controller.execute(line);
        self.finish(id);
        self.pump_ready();
        self.reports[from..].to_vec()
    }

    /// Waits for the end of a command.
    pub fn finish(&mut self, id: CommandId) {
        let is_done = |report: &Report| {
            report.origin.as_ref().is_some_and(|origin| origin.id == id)
                && matches!(report.content, Content::Done { .. })
        };
        wait_for("the end of a command", || {
            self.pump_ready();
            self.reports.iter().any(is_done).then_some(())
        });
    }

    /// Delivers messages until the state is as wanted.
    #[track_caller]
    pub fn pump_until(&mut self, what: &str, wanted: impl Fn(&State) -> bool) {
        wait_for(what, || {
            self.pump_ready();
            wanted(self.controller.state()).then_some(())
        });
    }

    /// Advances the controller's time.
    pub fn advance(&mut self, by: Duration) {
        self.clock.advance(by);
        self.controller.tick();
        self.pump_ready();
    }

    /// Delivers the messages that are there.
    pub fn pump_ready(&mut self) {
        loop {
            let requests = self.controller.take_requests();
            let idle = requests.is_empty();
            for request in requests {
                self.request(request);
            }
            let mut heard = false;
            while let Ok(report) = self.from_engine.try_recv() {
                heard = true;
                self.report(report);
            }
            self.reports.extend(self.controller.take_reports());
            if idle && !heard {
                return;
            }
        }
    }

    /// Delivers messages until every request is answered, and a moment longer for further events.
    pub fn settle(&mut self) {
        wait_for("the answers to all requests", || {
            self.pump_ready();
            self.open.is_empty().then_some(())
        });
    }

    fn request(&mut self, request: Request) {
        match request {
            Request::Ranks { tid, ranks, operation, .. } => {
                self.open.insert(tid, Open { missing: ranks.clone(), answers: Vec::new() });
                self.engine.submit(Query { tid, ranks, operation });
            }
            Request::Session { tid, command } => self.session(tid, command),
        }
    }

    fn session(&mut self, tid: TransactionId, command: SessionCommand) {
        match command {
            SessionCommand::Launch(plan) => {
                self.plan = Some(plan);
                self.launch(tid);
            }
            SessionCommand::Restart(_) => {
                let size = self.controller.state().size();
                let (tid_of_kill, ranks) = (TransactionId(u32::MAX), ProcessSet::all(size));
                self.engine.submit(Query { tid: tid_of_kill, ranks, operation: Operation::Terminate });
                self.launch(tid);
            }
            SessionCommand::Replay => {
                let event =
                    SessionEvent::State { breakpoints: Vec::new(), states: Vec::new(), ranks: Vec::new(), kept: None };
                self.reply(Reply::Session { tid, event });
            }
            SessionCommand::OutputTaken(_) | SessionCommand::Keep { .. } => {}
            SessionCommand::Join { .. } => self.reply(Reply::Session { tid, event: SessionEvent::Joined }),
            SessionCommand::Quit { kill } => {
                self.engine.shutdown(kill);
                self.reply(Reply::Session { tid, event: SessionEvent::Ended });
            }
        }
    }

    fn launch(&mut self, tid: TransactionId) {
        let Some(LaunchPlan::Local { ranks, spec }) = self.plan.clone() else {
            let event = SessionEvent::Failed("only local launches are simulated".to_owned());
            return self.reply(Reply::Session { tid, event });
        };
        let simulated = || vec![("simulated".to_owned(), ProcessSet::all(ranks))];
        let hosts = Some(self.hosts.clone()).filter(|hosts| !hosts.is_empty()).unwrap_or_else(simulated);
        let event = SessionEvent::Session { session: "simulated".to_owned(), size: ranks, hosts };
        self.reply(Reply::Session { tid, event });
        self.engine.acquire(Acquisition::Launch {
            first: Rank(0),
            count: ranks,
            size: ranks,
            spec,
            inputs: std::collections::BTreeMap::new(),
        });
    }

    fn reply(&mut self, reply: Reply) {
        self.controller.receive(reply);
    }

    fn report(&mut self, report: engine::Report) {
        match report {
            engine::Report::Event { tid, ranks, event } => self.reply(Reply::Event { tid, ranks, event }),
            engine::Report::Answer { tid, ranks, answer } => {
                let Some(open) = self.open.get_mut(&tid) else { return };
                open.missing.remove_all(&ranks);
                match open.answers.iter_mut().find(|(known, _)| *known == answer) {
                    Some((_, of)) => of.extend_with(&ranks),
                    None => open.answers.push((answer, ranks)),
                }
                if open.missing.is_empty()
                    && let Some(open) = self.open.remove(&tid)
                {
                    for (answer, ranks) in open.answers {
                        let missing = ProcessSet::new();
                        self.reply(Reply::Answer { tid, ranks, missing, late: false, answer });
                    }
                }
            }
        }
    }
}

//! The public handle on the simulated engine.

use super::simulation::{Order, Simulation};
use crate::{Acquisition, Engine, EngineFault, Handed, Query, ReportSink};
use model::{ErrorCode, Failure, Rank};
use std::{sync::mpsc::Sender, thread};
use tokio::sync::oneshot;

/// The simulated engine: its ranks are not processes. Programs are `fake:NAME` (`stencil`, `diverge`, `crash`,
/// `output`, `hang`, `spin`) or `fake:FILE.c`.
#[derive(Debug)]
pub struct FakeEngine {
    orders: Sender<Order>,
}

impl FakeEngine {
    /// Starts an engine without ranks. Its thread ends with `shutdown`, or when the engine is dropped.
    ///
    /// # Errors
    ///
    /// There is no memory for the thread.
    pub fn start(sink: ReportSink) -> Result<Self, EngineFault> {
        let (orders, received) = std::sync::mpsc::channel();
        let started = thread::Builder::new().spawn(move || Simulation::new(sink).run(&received));
        started.map_err(|error| EngineFault::at_start("fake", "no thread", &error))?;
        Ok(Self { orders })
    }
}

// The thread is gone only after `shutdown`; later queries are not answered.
impl Engine for FakeEngine {
    fn acquire(&self, acquisition: Acquisition) {
        let _ = self.orders.send(Order::Acquire(acquisition));
    }

    fn submit(&self, query: Query) {
        let _ = self.orders.send(Order::Submit(query));
    }

    fn give_away(&self, _: Rank, reply: oneshot::Sender<Result<Box<Handed>, Failure>>) {
        let message = "simulated ranks cannot be handed over to another engine";
        let _ = reply.send(Err(Failure::new(ErrorCode::NOT_IMPLEMENTED, message)));
    }

    fn shutdown(&self, kill: bool) {
        let _ = self.orders.send(Order::Shutdown(kill));
    }
}

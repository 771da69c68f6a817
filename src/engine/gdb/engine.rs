//! The public handle on the hub.

use super::hub::Hub;
use super::messages::HubInput;
use super::session::options::GdbOptions;
use crate::{Acquisition, Engine, EngineFault, Handed, Query, ReportSink};
use model::{Failure, Rank};
use std::sync::mpsc::{Sender, channel};
use tokio::sync::oneshot;

/// The gdb engine: each rank has its own gdb.
#[derive(Debug)]
pub struct GdbEngine {
    inputs: Sender<HubInput>,
}

impl GdbEngine {
    /// Starts an engine without ranks; a gdb is started with each rank.
    pub fn start(options: GdbOptions, sink: ReportSink) -> Result<Self, EngineFault> {
        let fault = |error: std::io::Error| EngineFault::at_start("gdb", "no thread", &error);
        let (inputs, incoming) = channel();
        let hub = Hub::new(options, sink, inputs.clone()).map_err(fault)?;
        std::thread::Builder::new().name("gdb-hub".to_owned()).spawn(move || hub.run(&incoming)).map_err(fault)?;
        Ok(Self { inputs })
    }

    fn tell(&self, input: HubInput) {
        // After a shutdown the hub is gone, and nothing more is reported.
        let _ = self.inputs.send(input);
    }
}

impl Engine for GdbEngine {
    fn acquire(&self, acquisition: Acquisition) {
        self.tell(HubInput::Acquire(acquisition));
    }

    fn submit(&self, query: Query) {
        self.tell(HubInput::Query(query));
    }

    fn give_away(&self, rank: Rank, reply: oneshot::Sender<Result<Box<Handed>, Failure>>) {
        self.tell(HubInput::GiveAway(rank, reply));
    }

    fn shutdown(&self, kill: bool) {
        self.tell(HubInput::Shutdown(kill));
    }
}

impl Drop for GdbEngine {
    fn drop(&mut self) {
        self.tell(HubInput::Shutdown(true));
    }
}

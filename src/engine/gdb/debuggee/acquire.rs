//! The thread of a rank that is launched, joined or attached to.

use super::state::Debuggee;
use crate::gdb::messages::{HubInput, Input, Surrounding};
use crate::gdb::mi::Command;
use crate::gdb::session::fault::GdbError;
use crate::gdb::session::gdb::Gdb;
use crate::gdb::startup::attaching;
use crate::{Adoption, OutputTap};
use model::{Event, LaunchSpec, Stream};
use std::os::fd::OwnedFd;
use std::sync::mpsc::Receiver;
use tokio::sync::oneshot;

#[derive(Debug)]
pub(in crate::gdb) enum Task {
    Launch {
        size: u32,
        spec: LaunchSpec,
        input: Option<OwnedFd>,
    },
    Join {
        pid: i32,
        spec: LaunchSpec,
        stdout: Option<OutputTap>,
        stderr: Option<OutputTap>,
        ready: oneshot::Sender<Result<(), String>>,
    },
    Attach {
        pid: i32,
        spec: LaunchSpec,
        adoption: Adoption,
    },
}

/// Runs until the rank ends or cannot be acquired.
pub(in crate::gdb) fn run(surrounding: Surrounding, inputs: Receiver<Input>, task: Task) {
    let (spec, launched) = match &task {
        Task::Launch { spec, .. } => (spec.clone(), true),
        Task::Join { spec, .. } | Task::Attach { spec, .. } => (spec.clone(), false),
    };
    let gdb = match Gdb::start(&surrounding.options, inputs, surrounding.to_self.clone()) {
        Ok(gdb) => gdb,
        Err(error) => return refuse(surrounding, task, &error.to_string()),
    };
    let _ = surrounding.hub.send(HubInput::Gdb(surrounding.of, gdb.pid()));
    let mut debuggee = Debuggee::new(surrounding, gdb, spec);
    match debuggee.set_up().and_then(|()| debuggee.acquire(task)) {
        Ok(()) => debuggee.run(),
        Err(error) => {
            let message = error.to_string();
            let Debuggee { reporter, gdb, mut inferior, mut startup, .. } = debuggee;
            // A refused joiner decides itself whether it continues without a debugger or exits.
            if !startup.answer_joiner(Err(message.clone())) && launched {
                inferior.kill();
            }
            drop(gdb);
            reporter.end(Event::Failed(message));
        }
    }
}

fn refuse(surrounding: Surrounding, task: Task, message: &str) {
    if let Task::Join { ready, .. } = task {
        let _ = ready.send(Err(message.to_owned()));
    }
    surrounding.end(model::TransactionId(0), Event::Failed(message.to_owned()));
}

impl Debuggee {
    pub(super) fn set_up(&mut self) -> Result<(), GdbError> {
        if let Some(lacks) = self.gdb.set_up()? {
            self.reporter.warn(lacks);
        }
        self.gdb.ask(&Command::console(&format!("set $_rank = {}", self.reporter.rank())))?;
        Ok(())
    }

    fn acquire(&mut self, task: Task) -> Result<(), GdbError> {
        let Self { gdb, inferior, reporter, startup, spec, .. } = self;
        match task {
            Task::Launch { size, input, .. } => startup.launch(gdb, inferior, reporter, spec, (size, input)),
            Task::Join { pid, stdout, stderr, ready, .. } => {
                startup.note_joiner(ready);
                let outputs = [(Stream::Stdout, stdout), (Stream::Stderr, stderr)];
                attaching::join(gdb, inferior, reporter, pid, outputs)
            }
            Task::Attach { pid, adoption, .. } => attaching::attach(gdb, inferior, pid, adoption),
        }
    }
}

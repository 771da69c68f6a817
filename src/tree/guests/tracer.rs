//! The process that traces the ranks a server was attached to. It gets its requests on standard input, and detaches
//! from all ranks when that closes: its server has ended or was killed.

use crate::arguments::EngineChoice;
use crate::ending_signals::heeded;
use crate::engines;
use crate::error::{TreeError, io_fault};
use engine::{Acquisition, Adoption, Engine, Engines, OutputPace, Query, Report};
use protocol::{Connection, Reply, Request, Sender, TreeDown, TreeUp};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

/// Reports sent in one batch.
const AT_ONCE: usize = 1024;

/// Traces until nothing is left to trace.
pub(crate) async fn run(engine: EngineChoice) -> Result<(), TreeError> {
    // Signals that end a whole session or group are not for this process. The leader of a group cannot leave it.
    let _ = nix::unistd::setsid();
    let (sender, mut receiver) = server()?.split::<TreeUp, TreeDown>();
    let (sink, mut reports) = mpsc::unbounded_channel();
    let engines = engines::start(engine, sink, OutputPace::default())?;
    let mut asked = signals()?;
    let (mut batch, mut is_served) = (Vec::new(), true);
    loop {
        tokio::select! {
            message = receiver.receive(), if is_served => match message {
                Ok(Some(message)) => told(&engines, message),
                Ok(None) | Err(_) => {
                    tracing::warn!("the server has ended: detaching from its processes");
                    is_served = false;
                    engines.shutdown(true);
                }
            },
            Some(()) = asked.recv() => engines.shutdown(true),
            taken = reports.recv_many(&mut batch, AT_ONCE) => {
                if taken == 0 {
                    break;
                }
                batch.drain(..).for_each(|report| say(&sender, report));
            }
        }
    }
    // If the server is gone, nobody reads the rest.
    let _ = sender.flushed().await;
    Ok(())
}

fn server() -> Result<Connection, TreeError> {
    let fault = || io_fault("reach the server");
    let stream = std::io::stdin().as_fd().try_clone_to_owned().map_err(fault())?;
    let stream = UnixStream::from(stream);
    stream.set_nonblocking(true).map_err(fault())?;
    Ok(Connection::over(tokio::net::UnixStream::from_std(stream).map_err(fault())?, "the server"))
}

/// Signals that ask for an end.
fn signals() -> Result<mpsc::UnboundedReceiver<()>, TreeError> {
    let (tell, asked) = mpsc::unbounded_channel();
    for kind in heeded() {
        let mut received = signal(SignalKind::from_raw(kind as i32)).map_err(io_fault("watch for signals"))?;
        let tell = tell.clone();
        tokio::spawn(async move { while received.recv().await.is_some() && tell.send(()).is_ok() {} });
    }
    Ok(asked)
}

fn told(engines: &Engines, message: TreeDown) {
    match message {
        TreeDown::Request(Request::Ranks { tid, ranks, operation, .. }) => {
            engines.submit(Query { tid, ranks, operation });
        }
        TreeDown::Attach { processes, held, spec, .. } => {
            let adoption = if held { Adoption::Held } else { Adoption::Running };
            for (rank, pid) in processes {
                engines.acquire(Acquisition::Attach { rank, pid, spec: spec.clone(), adoption });
            }
        }
        TreeDown::Shutdown { kill } => engines.shutdown(kill),
        other => tracing::error!("not for a tracer: {other:?}"),
    }
}

fn say(sender: &Sender<TreeUp>, report: Report) {
    let reply = match report {
        Report::Answer { tid, ranks, answer } => {
            Reply::Answer { tid, ranks, missing: Default::default(), late: false, answer }
        }
        Report::Event { tid, ranks, event } => Reply::Event { tid, ranks, event },
    };
    // The reading side notices that the server is gone.
    let _ = sender.send(&TreeUp::Reply(reply));
}

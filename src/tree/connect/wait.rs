//! Runs `tvconnect` from its arguments to its end.

use super::arguments::Arguments;
use super::fault::{ConnectFault, system};
use super::hand_over::{become_master, master_program};
use super::mailbox::Mailbox;
use super::program::find;
use super::request::request;
use super::signals::Signals;
use protocol::reverse::{ConnectDirectory, ConnectResponse, RequestId, connect_path};
use std::io::Write;
use std::time::{Duration, Instant};

/// Time between two looks for the answer. The directory usually lies on a file server, and every waiting job does this.
const LOOK: Duration = Duration::from_millis(500);

/// Posts the request, waits and becomes the master of a session; otherwise returns the exit status.
pub fn run(arguments: &Arguments) -> i32 {
    let Err(fault) = ask_and_become(arguments);
    if fault.is_told() {
        say(&fault.to_string());
    }
    fault.exit_code()
}

fn say(text: &str) {
    // Standard error may be closed; the job goes on.
    let _ = writeln!(std::io::stderr(), "tvconnect: {}", model::printable(text));
}

fn ask_and_become(arguments: &Arguments) -> Result<std::convert::Infallible, ConnectFault> {
    // The program's file is found even if its name is not text.
    let program = arguments.program.first().map_or("", String::as_str);
    find(program, std::env::var_os("PATH").as_deref())?;
    let master = master_program()?;
    // From here on a signal withdraws the request.
    let signals = Signals::new()?;
    let directory = ConnectDirectory::make(&connect_path(arguments.connect_dir.as_deref())?)?;
    let request = request(arguments)?;
    let mut random = [0; 8];
    getrandom::fill(&mut random)
        .map_err(|error| system("find a name for the request")(std::io::Error::other(error)))?;
    let id = RequestId::new(&request.host, request.pid, random);
    if !arguments.quiet {
        let command = request.command().join(" ");
        say(&format!("waiting for a debugger for {command}: request {id} in {}", directory.path().display()));
    }
    let mut mailbox = Mailbox::new(directory, id, request.print());
    let answer = wait(arguments.wait, &mut mailbox, &signals);
    let taken_back = mailbox.withdraw();
    let answer = answer?;
    if let Err(error) = taken_back {
        say(&error.to_string());
    }
    match answer {
        ConnectResponse::Reject { reason } => Err(ConnectFault::Rejected { reason }),
        ConnectResponse::Accept { host, addresses, port, key } => {
            if !arguments.quiet {
                say(&format!("accepted by the front end on {host}"));
            }
            signals.give_back();
            Err(become_master(&master, &addresses, port, &key))
        }
    }
}

fn wait(limit: Option<Duration>, mailbox: &mut Mailbox, signals: &Signals) -> Result<ConnectResponse, ConnectFault> {
    let begun = Instant::now();
    loop {
        let now = Instant::now();
        if let Some(answer) = mailbox.look(now, &mut say)? {
            return Ok(answer);
        }
        let left = limit.map(|limit| limit.saturating_sub(now.saturating_duration_since(begun)));
        if left.is_some_and(|left| left.is_zero()) {
            return Err(ConnectFault::Waited { seconds: limit.unwrap_or_default().as_secs_f64() });
        }
        // Rounded up, so that a rest of less than a millisecond is a pause, too.
        let pause = left.map_or(LOOK, |left| left.min(LOOK)) + Duration::from_millis(1);
        if let Some(signal) = signals.wait(pause) {
            return Err(ConnectFault::Signal(signal));
        }
    }
}

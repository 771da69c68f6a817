//! Steps from a command line to a session, common to the screen and scripts.

use super::batch::runner::{self, BatchOptions, Format, status};
use super::batch::script::Script;
use super::cli::front_end::Front;
use super::cli::job::Job;
use super::cli::redirected::is_unread_pipe;
use super::complaint::complain;
use super::config::Config;
use super::files::{read_script, saved_directory, saved_setup};
use super::link::session::{Session, SessionError};
use super::printer_files;
use super::reverse::RequestWatcher;
use crate::link::SessionLink;
use crate::runs::setup_of;
use controller::{Controller, SavedSetup, Settings, Start};
use std::{
    io::Write,
    path::{Path, PathBuf},
    time::Duration,
};

/// What a front end connects to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Nothing yet: it waits for requests for a debugger.
    Nothing,
    /// A job to start.
    Job(Box<Job>),
    /// An existing session.
    Session {
        /// The session's name.
        name: String,
        /// Take it over from another front end.
        take: bool,
    },
}

/// Creates the controller with the configured settings; `session` is the result of [`connect`].
pub fn controller(target: &Target, session: Option<&Session>, config: &Config, batch: bool) -> Controller {
    let (start, program) = match target {
        Target::Nothing => (Start::Nothing, String::new()),
        Target::Job(job) => (Start::Launch(job.plan.clone()), job.command.join(" ")),
        Target::Session { .. } => (Start::Replay, session.map_or_else(String::new, Session::command)),
    };
    let of_job = match target {
        Target::Job(job) => job.variables.as_slice(),
        Target::Nothing | Target::Session { .. } => &[],
    };
    let variables = config.settings.iter().chain(of_job).cloned().collect();
    let whole = match target {
        Target::Job(job) => {
            let mut plan = job.plan.clone();
            let spec = plan.spec_mut();
            Some(
                spec.directory
                    .as_ref()
                    .map_or_else(|| PathBuf::from(&spec.program), |at| Path::new(at).join(&spec.program)),
            )
        }
        Target::Nothing | Target::Session { .. } => None,
    };
    let again = match target {
        Target::Job(job) => job.again.as_deref().and_then(setup_of),
        Target::Nothing | Target::Session { .. } => None,
    };
    let saved = match target {
        Target::Job(_) if again.as_ref().is_some_and(|path| path.is_file()) => {
            again.map(|path| SavedSetup { path, exists: true, restores: true })
        }
        // Nothing stops at the breakpoints of another session.
        Target::Job(job) if job.plan.is_of_core_files() => None,
        Target::Job(_) => {
            saved_directory().zip(whole.as_ref()).map(|(directory, whole)| saved_setup(&directory, whole))
        }
        Target::Nothing | Target::Session { .. } => None,
    };
    let printers = printer_files::found(whole.as_deref());
    let directory = std::env::current_dir().unwrap_or_default();
    Controller::new(Settings { start, program, batch, saved, variables, printers, directory, ..Settings::default() })
}

/// Starts a session, or resumes one.
pub async fn connect(target: &Target) -> Result<Option<Session>, SessionError> {
    match target {
        Target::Nothing => Ok(None),
        Target::Job(job) => Session::start(&job.tree, &job.command).await.map(Some),
        Target::Session { name, take } => Session::resume(name, *take).await.map(Some),
    }
}

/// Says that the program does not read what is in the pipe on standard input, if anything is; true if it was said.
fn tell_unread_pipe() -> bool {
    let is_unread = is_unread_pipe();
    if is_unread {
        complain("standard input is a pipe, which the program does not read: give it a file (< FILE, or --stdin FILE)");
    }
    is_unread
}

/// Runs a script in a session, or without one to answer requests for a debugger; returns the exit status.
pub async fn run_batch(target: &Target, front: &Front, config: &Config, out: impl Write) -> u8 {
    for warning in &config.warnings {
        complain(warning);
    }
    let script = match front.batch.as_deref() {
        Some("-") | None => match Script::of_standard_input() {
            Ok(script) => script,
            Err(error) => {
                complain(&format!("cannot read standard input: {error}{}", protocol::exhausted(&error)));
                return status::NO_SESSION;
            }
        },
        Some(path) => match read_script(path) {
            Ok(text) => Script::of_text(&text, path),
            Err(why) => {
                complain(&why);
                return status::USAGE;
            }
        },
    };
    let watcher = RequestWatcher::start(front.connect_dir.as_deref(), front.reception());
    let session = match connect(target).await {
        Ok(session) => session,
        Err(error) => {
            complain(&error.to_string());
            return status::NO_SESSION;
        }
    };
    let controller = controller(target, session.as_ref(), config, true);
    // Without a session there is no peer until a request is accepted.
    let (link, closed) = session.map_or_else(
        || (SessionLink::pair().0, None),
        |session| {
            let (link, closed) = session.carry();
            (link, Some(closed))
        },
    );
    let is_there = matches!(target, Target::Session { .. });
    let options = BatchOptions {
        format: match (front.json, front.raw) {
            (true, _) => Format::Json,
            (false, true) => Format::RawText,
            (false, false) => Format::Text,
        },
        keep_going: front.keep_going,
        timeout: front.timeout.map(Duration::from_secs_f64),
        running_start: is_there || matches!(target, Target::Job(job) if job.running_start),
        leave: is_there,
    };
    let drops_pipe = front.batch.as_deref() != Some("-") && matches!(target, Target::Job(job) if job.reads_nothing);
    let told_at_start = drops_pipe && tell_unread_pipe();
    let status = runner::run(controller, link, watcher, script, options, out).await;
    // The other end of the pipe may have written in the meantime.
    if drops_pipe && !told_at_start {
        tell_unread_pipe();
    }
    if let Some(closed) = closed {
        let _ = closed.await;
    }
    status
}

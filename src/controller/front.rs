//! From a command line to a session: what the screen and a script have in front.

use crate::controller::batch::{self, BatchOptions, Script, status};
use crate::controller::cli::{Front, Job};
use crate::controller::config::Config;
use crate::controller::files::read_script;
use crate::controller::reverse::Desk;
use crate::controller::session::{Session, SessionError};
use crate::controller::{Controller, SessionLink, Settings, Start};
use crate::protocol::SessionDirectory;
use serde_json::json;
use std::{io::Write, time::Duration};

/// A controller with the settings of a job and of the configuration.
pub fn controller(job: Option<&Job>, config: &Config, batch: bool) -> Controller {
    Controller::new(Settings {
        start: job.map_or(Start::Nothing, |job| Start::Launch(job.plan.clone())),
        program: job.map_or_else(String::new, |job| job.command.join(" ")),
        batch,
        variables: config.settings.iter().chain(job.iter().flat_map(|job| &job.variables)).cloned().collect(),
    })
}

/// Makes the session of a job.
pub async fn session(job: &Job) -> Result<Session, SessionError> {
    Session::start(&job.tree, &job.command).await
}

/// Runs a script on a job, or without one to answer requests for a debugger; the exit status.
pub async fn run_batch(job: Option<&Job>, front: &Front, config: &Config, out: impl Write) -> u8 {
    let complain = |text: &str| drop(writeln!(std::io::stderr(), "rankscope: {text}"));
    for warning in &config.warnings {
        complain(warning);
    }
    let script = match front.batch.as_deref() {
        Some("-") | None => Script::of_standard_input(),
        Some(path) => match read_script(path) {
            Ok(text) => Script::of_text(&text),
            Err(why) => {
                complain(&why);
                return status::USAGE;
            }
        },
    };
    let desk = Desk::start(front.connect_dir.as_deref());
    let (link, closed) = match job {
        // Nobody is at the other end before a request is accepted.
        None => (SessionLink::pair().0, None),
        Some(job) => match session(job).await {
            Ok(session) => {
                let (link, closed) = session.carry();
                (link, Some(closed))
            }
            Err(error) => {
                complain(&error.to_string());
                return status::NO_SESSION;
            }
        },
    };
    let options = BatchOptions {
        json: front.json,
        keep_going: front.keep_going,
        timeout: front.timeout.map(Duration::from_secs_f64),
        running_start: job.is_some_and(|job| job.running_start),
    };
    let status = batch::run(controller(job, config, true), link, desk, script, options, out).await;
    if let Some(closed) = closed {
        let _ = closed.await;
    }
    status
}

/// What `rankscope sessions` prints.
pub fn sessions(json: bool) -> String {
    let mut text = String::new();
    for name in SessionDirectory::list() {
        let Ok(info) = SessionDirectory::open(&name).and_then(|directory| directory.info()) else { continue };
        let command = info.command.join(" ");
        let line = if json {
            let object = json!({"type": "session", "session": info.session, "host": info.host, "master": info.master,
                                "size": info.size, "started": info.started, "command": info.command});
            object.to_string()
        } else {
            let ranks = if info.size == 0 { String::new() } else { format!("  {} ranks", info.size) };
            format!("{}  {} (process {}){ranks}  {command}", info.session, info.host, info.master)
        };
        text.push_str(&line);
        text.push('\n');
    }
    if text.is_empty() && !json { "there is no session\n".to_owned() } else { text }
}

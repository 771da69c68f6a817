//! `rankscope`: the front end. Runs the subcommand that the command line selects.

use crate::attended::Leave;
use crate::batch::runner::status;
use crate::cli::again::{keep_or_start_again, last};
use crate::cli::front_end::Front;
use crate::cli::hint;
use crate::cli::job::demo_job;
use crate::cli::redirected::{for_options, has_keyboard, redirected};
use crate::cli::subcommands::{Action, Cli};
use crate::cli::triage::Triage;
use crate::cli::usage_error::UsageError;
use crate::complaint::{complain, note};
use crate::config::{self, Config};
use crate::front_end::{self, Target};
use crate::link::{SessionLink, listing};
use crate::plain;
use crate::reverse::RequestWatcher;
use crate::screen::{self, LastWords, own_themes};
use crate::triage::{NOT_WRITTEN, Plan, triage};
use crate::{demo, manual, python};
use clap::ValueEnum as _;
use model::printable_lines;
use std::{
    fs::File,
    io::{self, IsTerminal as _, Write as _},
    path::Path,
    process::ExitCode,
    sync::Mutex,
};
use tree::{TREE_WORD, start};
use ui::keys::keys;

/// Runs the whole program. `last_words` restores the terminal when a signal ends the process.
pub fn main(last_words: LastWords) -> ExitCode {
    let words: Vec<_> = std::env::args_os().collect();
    if let [_, first, rest @ ..] = &words[..]
        && first == TREE_WORD
    {
        // The tree parses its own arguments, the program's name first.
        let words = std::iter::once(TREE_WORD.into()).chain(rest.iter().cloned());
        return ExitCode::from(u8::try_from(start::run_words(words)).unwrap_or(status::FAILED));
    }
    let cli = hint::read(&words).unwrap_or_else(|error| error.exit());
    match run(cli, last_words) {
        Ok(status) => ExitCode::from(status),
        Err(UsageError(message)) => {
            complain(&message);
            ExitCode::from(status::USAGE)
        }
    }
}

fn run(cli: Cli, last_words: LastWords) -> Result<u8, UsageError> {
    let cli = cli.settled()?;
    match cli.action {
        None => {
            cli.front.check()?;
            open(Target::Nothing, &cli.front, last_words)
        }
        Some(Action::Run(mut run)) => {
            let mut words: Vec<_> = std::env::args_os().collect();
            // Options stand before the program.
            run.take_redirected().into_iter().for_each(|word| words.insert(1, word));
            let is_again = run.program.first().is_some_and(|program| program.starts_with('@'));
            let job = if is_again { None } else { Some(run.job()?) };
            keep_or_start_again(&run, &words)?;
            let Some(job) = job else { return Ok(status::FAILED) };
            open(Target::Job(Box::new(job)), &run.common.front, last_words)
        }
        Some(Action::Last { mut options }) => {
            options.extend(for_options(&options));
            last(&options).map(|()| status::FAILED)
        }
        Some(Action::Runs(runs)) => {
            let (text, faults) = runs.perform();
            print(&text);
            faults.iter().for_each(|words| complain(words));
            Ok(if faults.is_empty() { status::OK } else { status::FAILED })
        }
        Some(Action::Triage(options)) => unattended(&options),
        Some(Action::Demo { simulate, common }) => {
            let compiled = || demo::program().map_err(|error| UsageError(error.to_string()));
            let job = demo_job(&common, simulate, compiled)?;
            open(Target::Job(Box::new(job)), &common.front, last_words)
        }
        Some(Action::Sessions { json, clean }) => {
            let listing = if clean { listing::clean(json) } else { listing::sessions(json) };
            let listing = listing.map_err(|error| UsageError(error.to_string()))?;
            print(&listing.text);
            for words in listing.notes.iter().chain(&listing.faults) {
                complain(words);
            }
            Ok(if listing.faults.is_empty() { status::OK } else { status::FAILED })
        }
        Some(Action::Config) => {
            let path = config::own_path().map_or_else(|| "nowhere".to_owned(), |path| path.display().to_string());
            let config = Config::load(None);
            let mut text = format!("{path}{}\n", if config.path.is_some() { "" } else { " (no such file: defaults)" });
            text.extend(config.theme.iter().map(|theme| format!("theme = {theme:?}\n")));
            text.extend(config.mouse.iter().map(|mouse| format!("mouse = {mouse}\n")));
            let graphics = config.graphics.and_then(|graphics| graphics.to_possible_value());
            text.extend(graphics.iter().map(|graphics| format!("graphics = {:?}\n", graphics.get_name())));
            text.extend(config.settings.iter().map(|(name, value)| format!("{name} = {value}\n")));
            text.extend(config.warnings.iter().map(|warning| format!("warning: {warning}\n")));
            print(&text);
            Ok(status::OK)
        }
        Some(Action::Attach(attach)) => open(Target::Job(Box::new(attach.job()?)), &attach.common.front, last_words),
        Some(Action::Core(core)) => open(Target::Job(Box::new(core.job()?)), &core.front, last_words),
        Some(Action::Resume { session, take, front }) => {
            front.check()?;
            let name = listing::chosen(session.as_deref()).map_err(UsageError)?;
            open(Target::Session { name, take }, &front, last_words)
        }
        Some(Action::Theme { action }) if action == "list" => {
            print(&(own_themes().names().join("\n") + "\n"));
            Ok(status::OK)
        }
        Some(Action::Theme { action }) => Err(UsageError(format!(
            "unknown subcommand \"theme {action}\": use \
            \"rankscope theme list\""
        ))),
        Some(Action::Man) => {
            print(&manual::rankscope());
            Ok(status::OK)
        }
        Some(Action::Completions { shell }) => {
            print(&manual::completions(shell));
            Ok(status::OK)
        }
        Some(Action::Python) => {
            print(python::CLIENT);
            Ok(status::OK)
        }
        Some(Action::Help { topic }) => {
            print(&(manual::help_of(&topic).map_err(UsageError)? + "\n"));
            Ok(status::OK)
        }
        Some(Action::Keys) => {
            print(&keys());
            Ok(status::OK)
        }
    }
}

fn print(text: &str) {
    // If standard output is closed, nobody wants the text.
    let _ = io::stdout().write_all(printable_lines(text).as_bytes());
}

/// Runs a job unattended.
fn unattended(options: &Triage) -> Result<u8, UsageError> {
    let mut job = options.job()?;
    job.tree.word = Some(TREE_WORD);
    log_to(options.run.common.front.log.as_deref())?;
    let plan = match Plan::new(options.wishes()) {
        Ok(plan) => plan,
        Err(why) => {
            complain(&why);
            return Ok(NOT_WRITTEN);
        }
    };
    let config = Config::load(options.run.common.front.config.as_deref());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| UsageError(format!("cannot start: {error}")))?;
    let directory = plan.directory.clone();
    let status = runtime.block_on(triage(job, plan, &config));
    runtime.shutdown_background();
    // An empty directory says nothing; one with a report stays.
    let _ = std::fs::remove_dir(directory);
    Ok(status)
}

fn log_to(path: Option<&Path>) -> Result<(), UsageError> {
    let Some(path) = path else { return Ok(()) };
    let file = File::options().create(true).append(true).open(path);
    let file = file.map_err(|error| UsageError(format!("cannot write the log {}: {error}", path.display())))?;
    tracing_subscriber::fmt().with_ansi(false).with_writer(Mutex::new(file)).init();
    Ok(())
}

fn open(mut target: Target, front_end: &Front, last_words: LastWords) -> Result<u8, UsageError> {
    if let Target::Job(job) = &mut target {
        job.tree.word = Some(TREE_WORD);
    }
    log_to(front_end.log.as_deref())?;
    let config = Config::load(front_end.config.as_deref());
    let mut builder = match &front_end.batch {
        // A script is served by the thread that receives replies; a screen is drawn while others receive.
        Some(_) => tokio::runtime::Builder::new_current_thread(),
        None => tokio::runtime::Builder::new_multi_thread(),
    };
    let runtime =
        builder.worker_threads(2).enable_all().build().map_err(|error| UsageError(format!("cannot start: {error}")))?;
    let status = match &front_end.batch {
        Some(_) => Ok(runtime.block_on(front_end::run_batch(&target, front_end, &config, io::stdout()))),
        None if plain::Options::are_wanted(front_end.plain, &config) => {
            if front_end.plain || io::stdin().is_terminal() {
                let mut options = plain::Options::new(&config);
                options.one_job = matches!(target, Target::Job(_));
                options.last_words = last_words;
                Ok(runtime.block_on(show(&target, front_end, &config, Shown::Lines(options))))
            } else {
                Err(UsageError(
                    "standard input is no terminal: --plain reads commands from it, and so does --batch -".into(),
                ))
            }
        }
        _ if !io::stdout().is_terminal() || !(io::stdin().is_terminal() || has_keyboard()) => {
            Err(UsageError("the full screen needs a terminal; without one, run commands with --batch FILE".into()))
        }
        _ if !io::stdin().is_terminal() && !is_read_by(&mut target) => Err(UsageError(
            "standard input is not the terminal, and the program does not read it: it can read a file (< FILE, or \
             --stdin FILE). To run commands without a screen: --batch FILE"
                .into(),
        )),
        _ => {
            if let Some(name) = &front_end.theme {
                own_themes().must_have(name).map_err(UsageError)?;
            }
            let mut options = screen::Options::new(&config, front_end.theme.as_deref(), front_end.mouse);
            options.graphics = front_end.graphics.unwrap_or(options.graphics);
            options.one_job = matches!(target, Target::Job(_));
            options.last_words = last_words;
            Ok(runtime.block_on(show(&target, front_end, &config, Shown::Screen(options))))
        }
    };
    // A thread that blocks on the keyboard or a pipe must not delay the exit.
    runtime.shutdown_background();
    status
}

/// True if the standard input of this process is that of the program.
fn is_read_by(target: &mut Target) -> bool {
    match target {
        Target::Job(job) => redirected().is_some_and(|input| input == job.plan.spec_mut().input.all),
        Target::Nothing | Target::Session { .. } => false,
    }
}

/// What shows the session.
enum Shown {
    Screen(screen::Options),
    Lines(plain::Options),
}

/// Shows the session until the user leaves it.
async fn show(target: &Target, front_end: &Front, config: &Config, shown: Shown) -> u8 {
    let session = match front_end::connect(target).await {
        Ok(session) => session,
        Err(error) => {
            complain(&error.to_string());
            return status::NO_SESSION;
        }
    };
    // Commands of a script wait for the ranks to stop.
    let is_script = matches!(shown, Shown::Lines(_)) && !io::stdin().is_terminal();
    let controller = front_end::controller(target, session.as_ref(), config, is_script);
    let name = session.as_ref().map(|session| session.name().to_owned());
    // Without a session no task holds the other end of the link; keep it open.
    let (link, closed, _idle) = match session {
        None => {
            let (link, carrier) = SessionLink::pair();
            (link, None, Some(carrier))
        }
        Some(session) => {
            let (link, closed) = session.carry();
            (link, Some(closed), None)
        }
    };
    let watcher = RequestWatcher::start(front_end.connect_dir.as_deref(), front_end.reception());
    let left = match shown {
        Shown::Screen(options) => Box::pin(screen::run(controller, link, watcher, options)).await,
        Shown::Lines(options) => Box::pin(plain::run(controller, link, watcher, options)).await,
    };
    if let Some(closed) = closed {
        let _ = closed.await;
    }
    match left {
        Ok(Leave::Ended) => status::OK,
        Ok(Leave::Left(session)) => {
            // Another session may have replaced the one with which the screen started.
            if let Some(name) = session.or(name) {
                note(&format!("the session is still running; to take it back: rankscope resume {name}"));
            }
            status::OK
        }
        Ok(Leave::Unconfirmed(session)) => {
            if let Some(name) = session.or(name) {
                note(&format!(
                    "the session {name} has not ended yet; \"rankscope sessions\" lists it as long as it runs"
                ));
            }
            status::OK
        }
        Ok(Leave::Failed(why)) => {
            complain(&why);
            status::NO_SESSION
        }
        Err(error) => {
            complain(&format!("the terminal failed: {error}"));
            status::FAILED
        }
    }
}

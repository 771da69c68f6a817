//! `rankscope`: the front end.

use clap::Parser as _;
use rankscope::controller::cli::{Action, Cli, Common, Job, UsageError, demo_job};
use rankscope::controller::config::{self, Config};
use rankscope::controller::{batch::status, demo, front};
use rankscope::tree::{TREE_WORD, start};
use std::{
    io::{self, Write as _},
    process::ExitCode,
};

fn main() -> ExitCode {
    let mut words = std::env::args_os();
    if words.nth(1).is_some_and(|word| word == TREE_WORD) {
        // The tree reads its own words, the program's name first.
        let words = std::iter::once(TREE_WORD.into()).chain(words);
        return ExitCode::from(u8::try_from(start::run_words(words)).unwrap_or(status::FAILED));
    }
    let cli = Cli::parse();
    match run(cli) {
        Ok(status) => ExitCode::from(status),
        Err(UsageError(message)) => complain(&message, status::USAGE),
    }
}

fn complain(message: &str, status: u8) -> ExitCode {
    let _ = writeln!(io::stderr(), "rankscope: {message}");
    ExitCode::from(status)
}

fn run(cli: Cli) -> Result<u8, UsageError> {
    match cli.action {
        None => {
            cli.common.check()?;
            if cli.common.batch.is_some() {
                return Err(UsageError("--batch needs something to debug: rankscope run --batch FILE PROGRAM".into()));
            }
            open(None, &cli.common)
        }
        Some(Action::Run(run)) => open(Some(run.job()?), &run.common),
        Some(Action::Demo { simulate, common }) => {
            let compiled = || demo::program().map_err(|error| UsageError(error.to_string()));
            let job = demo_job(&common, simulate, compiled)?;
            open(Some(job), &common)
        }
        Some(Action::Sessions { json }) => {
            print(&front::sessions(json));
            Ok(status::OK)
        }
        Some(Action::Config) => {
            let path = config::own_path().map_or_else(|| "nowhere".to_owned(), |path| path.display().to_string());
            let config = Config::load(None);
            let mut text = format!("{path}{}\n", if config.path.is_some() { "" } else { " (not there: defaults)" });
            text.extend(config.theme.iter().map(|theme| format!("theme = {theme:?}\n")));
            text.extend(config.settings.iter().map(|(name, value)| format!("{name} = {value}\n")));
            text.extend(config.warnings.iter().map(|warning| format!("warning: {warning}\n")));
            print(&text);
            Ok(status::OK)
        }
        Some(Action::Attach { .. }) => later("attach"),
        Some(Action::Resume { .. }) => later("resume"),
        Some(Action::Theme { .. }) => later("theme"),
        Some(Action::Keys) => later("keys"),
    }
}

fn later(what: &str) -> Result<u8, UsageError> {
    Err(UsageError(format!("{what:?} is not available in this version yet")))
}

fn print(text: &str) {
    // Whoever closed standard output does not want it.
    let _ = io::stdout().write_all(text.as_bytes());
}

fn open(mut job: Option<Job>, common: &Common) -> Result<u8, UsageError> {
    if let Some(job) = &mut job {
        job.tree.word = Some(TREE_WORD);
    }
    let config = Config::load(common.config.as_deref());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| UsageError(format!("cannot start: {error}")))?;
    let outcome = match (&job, &common.batch) {
        (Some(job), Some(_)) => Ok(runtime.block_on(front::run_batch(job, common, &config, io::stdout()))),
        _ => later("the full screen"),
    };
    // A thread that reads the keyboard or a pipe must not keep us.
    runtime.shutdown_background();
    outcome
}

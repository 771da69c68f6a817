//! Starts a program under gdb.

use super::first_stop::Startup;
use super::program::{Outputs, find, shell_word};
use crate::gdb::inferior::state::InferiorState;
use crate::gdb::mi::Command;
use crate::gdb::reporter::Reporter;
use crate::gdb::session::fault::GdbError;
use crate::gdb::session::gdb::Gdb;
use model::{LaunchSpec, Stream, raw_text};
use std::os::fd::OwnedFd;

/// Restores variables that gdb changes: it was given another `SHELL`, and sets `LINES` and `COLUMNS`.
fn restore_environment(gdb: &mut Gdb, given: &[(String, String)], unset: &[String]) -> Result<(), GdbError> {
    for name in unset {
        gdb.ask(&Command::console(&format!("unset environment {name}")))?;
    }
    for name in ["SHELL", "LINES", "COLUMNS"] {
        if given.iter().map(|(key, _)| key).chain(unset).any(|key| key == name) {
            continue;
        }
        let line = match std::env::var(name) {
            Ok(value) => format!("set environment {name}={value}"),
            Err(_) => format!("unset environment {name}"),
        };
        gdb.ask_if_known(&Command::console(&line))?;
    }
    Ok(())
}

impl Startup {
    /// Starts the program, after its first stop is prepared.
    pub(in crate::gdb) fn launch(
        &mut self,
        gdb: &mut Gdb,
        inferior: &InferiorState,
        reporter: &Reporter,
        spec: &LaunchSpec,
        (size, input): (u32, Option<OwnedFd>),
    ) -> Result<(), GdbError> {
        let rank = reporter.rank();
        let fill = |text: &str| text.replace("{rank}", &rank.to_string()).replace("{size}", &size.to_string());
        let mut environment: Vec<_> = spec.environment.iter().map(|(key, value)| (key.clone(), fill(value))).collect();
        environment.push(("RANKSCOPE_RANK".to_owned(), rank.to_string()));
        environment.push(("RANKSCOPE_SIZE".to_owned(), size.to_string()));
        let executable = find(&spec.program, spec.directory.as_deref(), &environment).map_err(GdbError::Gone)?;
        let cannot = |why: String| GdbError::Gone(format!("cannot start {}: {why}", executable.file.display()));
        let refused = |error: GdbError| match error {
            GdbError::Refused(why) => cannot(why),
            gone => gone,
        };
        let file = Command::new("file-exec-and-symbols").word(raw_text(executable.file.as_os_str()));
        gdb.ask_to_load(&file).map_err(refused)?;
        for (key, value) in &environment {
            gdb.ask(&Command::console(&format!("set environment {key}={value}")))?;
        }
        restore_environment(gdb, &environment, &spec.unset)?;
        if let Some(directory) = &spec.directory {
            gdb.ask(&Command::console(&format!("set cwd {directory}")))?;
        }
        let outputs = Outputs::new(input).map_err(|errno| cannot(format!("its output: {}", errno.desc())))?;
        let arguments = executable.first.iter().cloned().chain(spec.arguments.iter().map(|word| fill(word)));
        let words: Vec<_> = arguments.map(|word| shell_word(&word)).collect();
        let line = format!("set args {} {}", words.join(" "), outputs.kept.redirections());
        gdb.ask(&Command::console(&line))?;
        let randomise = if spec.randomise { "off" } else { "on" };
        gdb.ask_if_known(&Command::console(&format!("set disable-randomization {randomise}")))?;
        gdb.ask(&Command::console("catch exec"))?;

        self.note_program();
        let itself = executable.first.is_empty();
        let run = self.prepare(gdb, inferior, spec, itself)?;
        let Outputs { stdout, stderr, kept } = outputs;
        reporter.add_output(Stream::Stdout, stdout);
        reporter.add_output(Stream::Stderr, stderr);
        gdb.ask_to_load(&run).map_err(refused)?;
        // After `^running` the shell has opened the outputs.
        drop(kept);
        Ok(())
    }
}

//! Global and static variables.

use super::glob::regular_expression;
use super::queries::Inspector;
use crate::gdb::mi::{Command, Results};
use crate::gdb::session::fault::GdbError;
use model::{Answer, Context, ThreadId, Variable, VariableValue};
use std::collections::BTreeSet;

impl Inspector<'_> {
    /// Returns the variables of all functions and files whose names match; for `*` those of the program itself.
    pub(super) fn globals(&mut self, glob: &str) -> Result<Answer, GdbError> {
        let names = self.global_names(glob, glob != "*")?;
        self.values_of(self.inferior.current(), 0, names)
    }

    /// Returns those of which each thread has its own, as a thread has them.
    pub(super) fn thread_locals(&mut self, context: Context, glob: &str) -> Result<Answer, GdbError> {
        let thread = self.inferior.checked_thread(self.gdb, context.thread)?;
        let mut names = Vec::new();
        for name in self.global_names(glob, true)? {
            // gdb has no other command that says it.
            let words = match self.gdb.ask(&Command::console(&format!("info address {name}"))) {
                Ok(answered) => answered.words,
                Err(GdbError::Refused(_)) => continue,
                Err(gone) => return Err(gone),
            };
            if words.contains("thread-local") {
                names.push(name);
            }
        }
        self.values_of(thread, context.frame, names)
    }

    fn values_of(&mut self, thread: ThreadId, level: u32, names: Vec<String>) -> Result<Answer, GdbError> {
        let mut variables = Vec::new();
        for name in names {
            let value = match self.values.evaluate(self.gdb, thread, level, &name)? {
                Ok(datum) => VariableValue::Known(datum),
                Err(failure) => VariableValue::Unknown { why: failure.message, type_name: String::new() },
            };
            variables.push(Variable { name, value });
        }
        Ok(Answer::Variables(variables))
    }

    fn global_names(&mut self, glob: &str, of_libraries: bool) -> Result<Vec<String>, GdbError> {
        let command = Command::new("symbol-info-variables").word("--name").word(regular_expression(glob));
        let results = self.gdb.ask(&command)?.results;
        let files = results.inside("symbols").and_then(|symbols| symbols.inside("debug"));
        // Of all variables, those of the program are meant: libc alone has hundreds.
        let own = if of_libraries { None } else { own_files(self)? };
        let is_own =
            |file: &Results| own.as_ref().is_none_or(|own| file.text("fullname").is_some_and(|f| own.contains(f)));
        let mut names = Vec::new();
        for file in files.into_iter().flat_map(Results::parts).filter(|file| is_own(file)) {
            for symbol in file.inside("symbols").into_iter().flat_map(Results::parts) {
                names.extend(symbol.text("name").map(str::to_owned));
            }
        }
        names.sort();
        names.dedup();
        Ok(names)
    }
}

/// Returns the source files of the program itself, which gdb lists first; `None` if gdb does not group them.
fn own_files(inspector: &mut Inspector<'_>) -> Result<Option<BTreeSet<String>>, GdbError> {
    let command = Command::new("file-list-exec-source-files").word("--group-by-objfile");
    let listed = match inspector.gdb.ask(&command) {
        Ok(answered) => answered.results,
        Err(GdbError::Refused(_)) => return Ok(None),
        Err(other) => return Err(other),
    };
    let program = listed.inside("files").into_iter().flat_map(Results::parts).next().cloned();
    let sources = program.as_ref().and_then(|program| program.inside("sources"));
    let names = sources.map(|sources| sources.parts().filter_map(|source| source.text("fullname")));
    Ok(names.map(|names| names.map(str::to_owned).collect()))
}

//! Core files, which gdb itself writes.

use super::state::Debuggee;
use crate::core_file::PartFile;
use crate::gdb::mi::Command;
use crate::gdb::session::fault::GdbError;
use model::{Answer, raw_text};

impl Debuggee {
    /// Has gdb write a core file.
    pub(super) fn write_core(&mut self, path: &str) -> Result<Answer, GdbError> {
        let part = match PartFile::named(path, self.reporter.rank()) {
            Ok(part) => part,
            Err(fault) => return Ok(Answer::Failed(fault.into())),
        };
        let name = part.name().map(|name| raw_text(name.as_os_str())).unwrap_or_default();
        self.gdb.ask_to_load(&Command::console(&format!("generate-core-file {name}")))?;
        Ok(part.finish().map_or_else(|fault| Answer::Failed(fault.into()), Answer::CoreWritten))
    }
}

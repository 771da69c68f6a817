//! Arguments of gdb's `set logging`.

use crate::command::arguments::Arguments;
use crate::command::line_error::LineError;
use crate::command::variables::on_off;
use crate::command::{Command, DebuggerCommand, Logging};

/// Takes `logging file FILE`, `logging enabled on|off` or `logging on|off`; `None`: it is another setting.
pub(super) fn set(arguments: &mut Arguments<'_>) -> Result<Option<Command>, LineError> {
    let mut ahead = *arguments;
    if ahead.word()?.is_none_or(|word| word.text != "logging") || ahead.rest().starts_with('=') {
        return Ok(None);
    }
    *arguments = ahead;
    let word = arguments.required("file FILE, or enabled on|off")?;
    let changed = match word.text.as_str() {
        "file" => Logging::File(arguments.required("a file name")?.text),
        "enabled" => Logging::Enabled(switch(arguments)?),
        "overwrite" => {
            if switch(arguments)? {
                let words = "the log is appended to its file: \"shell rm FILE\" removes it first";
                return Err(arguments.fault(word.at, words));
            }
            return Ok(Some(DebuggerCommand::SetAsItIs("logging overwrite", "off", APPENDED).into()));
        }
        "redirect" | "debugredirect" => {
            if switch(arguments)? {
                let words = "what is logged is shown, too: \"pipe COMMAND | cat > FILE\" writes only to a file";
                return Err(arguments.fault(word.at, words));
            }
            return Ok(Some(DebuggerCommand::SetAsItIs("logging redirect", "off", SHOWN).into()));
        }
        other => match on_off(other) {
            // As in older versions of gdb, which take the file here.
            Some(true) => match arguments.word()? {
                Some(file) => return Ok(Some(DebuggerCommand::Log(Some(file.text)).into())),
                None => Logging::Enabled(true),
            },
            Some(false) => Logging::Enabled(false),
            None => return Err(arguments.fault(word.at, "expected file FILE, enabled on|off, or on|off")),
        },
    };
    Ok(Some(DebuggerCommand::Logging(changed).into()))
}

const APPENDED: &str = "the log is appended to its file";
const SHOWN: &str = "what is logged is shown, too";

/// Takes `on` or `off`; nothing is `on`.
fn switch(arguments: &mut Arguments<'_>) -> Result<bool, LineError> {
    match arguments.word()? {
        None => Ok(true),
        Some(word) => on_off(&word.text).ok_or_else(|| arguments.fault(word.at, "expected on or off")),
    }
}

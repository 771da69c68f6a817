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
        "overwrite" => Logging::Overwrite(switch(arguments)?),
        "redirect" => Logging::Redirect(switch(arguments)?),
        "debugredirect" => {
            switch(arguments)?;
            let why = "rankscope --log FILE writes what rankscope does, and nothing else does";
            return Ok(Some(DebuggerCommand::Ignored("set logging debugredirect".to_owned(), why).into()));
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

/// Takes the rest of `show logging`.
pub(super) fn show(arguments: &mut Arguments<'_>) -> Command {
    arguments.take_rest();
    DebuggerCommand::Logging(Logging::Show).into()
}

/// Takes `on` or `off`; nothing is `on`.
fn switch(arguments: &mut Arguments<'_>) -> Result<bool, LineError> {
    match arguments.word()? {
        None => Ok(true),
        Some(word) => on_off(&word.text).ok_or_else(|| arguments.fault(word.at, "expected on or off")),
    }
}

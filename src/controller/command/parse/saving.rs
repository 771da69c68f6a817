//! Arguments of the commands that write data to files, and read it back.

use crate::command::arguments::Arguments;
use crate::command::line_error::LineError;
use crate::command::{Command, DataCommand, DataForm, DebuggerCommand, RestoreOrder, SaveOrder};
use model::DataSource;

/// Formats of gdb that are not written here.
const OTHER_FORMATS: [&str; 4] = ["srec", "ihex", "tekhex", "verilog"];

pub(in crate::command) fn dump(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    write(arguments, false)
}

pub(in crate::command) fn append(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    write(arguments, true)
}

/// Takes `[binary] value FILE EXPRESSION` or `[binary] memory FILE START END`.
fn write(arguments: &mut Arguments<'_>, append: bool) -> Result<Command, LineError> {
    const KINDS: &str = "value FILE EXPRESSION or memory FILE START END";
    let mut kind = arguments.required(KINDS)?;
    if OTHER_FORMATS.contains(&kind.text.as_str()) {
        let why = format!("{} is not supported: files are binary; objcopy -I binary -O {0} converts one", kind.text);
        return Err(arguments.fault(kind.at, why));
    }
    if kind.text == "binary" {
        kind = arguments.required(KINDS)?;
    }
    let source_and_text = |file: &str, source: DataSource, text: String| {
        DataCommand::Save(SaveOrder { source, text, file: file.to_owned(), form: DataForm::Raw, append }).into()
    };
    match kind.text.as_str() {
        "value" => {
            let file = file(arguments)?;
            let text = arguments.required_rest("an expression after the file")?.to_owned();
            Ok(source_and_text(&file, DataSource::Value(text.clone()), text))
        }
        "memory" => {
            let file = file(arguments)?;
            let start = part(arguments, "the first address after the file")?;
            let end = arguments.required_rest("the address after the last byte")?.to_owned();
            let text = format!("{start} {end}");
            Ok(source_and_text(&file, DataSource::Memory { start, end }, text))
        }
        _ => Err(arguments.fault(kind.at, format!("expected {KINDS}"))),
    }
}

/// Takes `FILE [binary] OFFSET [START [END]]`.
pub(in crate::command) fn restore(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let file = file(arguments)?;
    let mut ahead = *arguments;
    if ahead.word()?.is_some_and(|word| word.text == "binary") {
        *arguments = ahead;
    } else {
        let why = "expected \"binary\" after the file: only the bytes of a file can be restored, and to an address";
        return Err(arguments.fault(arguments.place(), why));
    }
    let offset = part(arguments, "the address of the file's first byte, such as &x")?;
    let start = if arguments.rest().is_empty() { None } else { Some(part(arguments, "a number")?) };
    let end = Some(arguments.take_rest().to_owned()).filter(|text| !text.is_empty());
    Ok(DataCommand::Restore(RestoreOrder { file, offset, start, end }).into())
}

/// Takes the name of a file.
fn file(arguments: &mut Arguments<'_>) -> Result<String, LineError> {
    let word = arguments.required("a file")?;
    if word.text.is_empty() { Err(no_name(arguments, word.at)) } else { Ok(word.text) }
}

fn no_name(arguments: &Arguments<'_>, at: usize) -> LineError {
    arguments.fault(at, "the name of the file is empty")
}

/// Takes an expression up to the first blank outside of brackets.
fn part(arguments: &mut Arguments<'_>, what: &str) -> Result<String, LineError> {
    let at = arguments.place();
    let rest = arguments.rest();
    let mut depth = 0_u32;
    let end = rest.char_indices().find(|(_, c)| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && c.is_whitespace()
    });
    let length = end.map_or(rest.len(), |(length, _)| length);
    let text = rest.get(..length).unwrap_or("").to_owned();
    arguments.skip_to(at + length);
    if text.is_empty() { Err(arguments.fault(at, format!("expected {what}"))) } else { Ok(text) }
}

/// Takes `[FILE]`, `@NAME`, `breakpoints FILE` or `EXPRESSION FILE`.
pub(in crate::command) fn save(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let text = arguments.take_rest();
    let Some((before, file)) = last_word(text) else { return Ok(DebuggerCommand::Save(None).into()) };
    if file.is_empty() {
        return Err(no_name(arguments, at));
    }
    let form = DataForm::of_name(&file);
    match before {
        "" if form != DataForm::Raw => {
            let why = format!("expected an expression before the file: save EXPRESSION {file}");
            Err(arguments.fault(at, why))
        }
        // `save u[0]@5` lacks the file.
        "" if file.contains("->")
            || file.contains(['[', '('])
            || file.get(1..).is_some_and(|rest| rest.contains('@')) =>
        {
            let why = format!("expected a file after the expression: save {file} FILE.npy");
            Err(arguments.fault(at + text.len(), why))
        }
        "" => Ok(match file.strip_prefix('@') {
            Some(name) => DebuggerCommand::SaveRun(name.to_owned()).into(),
            None => DebuggerCommand::Save(Some(file)).into(),
        }),
        "breakpoints" => Ok(DebuggerCommand::SaveBreakpoints(file).into()),
        expression => {
            let text = expression.to_owned();
            let source = match form {
                DataForm::Raw => DataSource::Contents(text.clone()),
                DataForm::Npy | DataForm::Csv => {
                    DataSource::Numbers { expression: text.clone(), by_rows: form == DataForm::Csv }
                }
            };
            Ok(DataCommand::Save(SaveOrder { source, text, file, form, append: false }).into())
        }
    }
}

/// Splits the last word, quotes removed, from a text; `None` if there is none.
fn last_word(text: &str) -> Option<(&str, String)> {
    if let Some((before, name)) = text.strip_suffix('"').and_then(|rest| rest.rsplit_once('"'))
        && (before.is_empty() || before.ends_with(char::is_whitespace))
    {
        return Some((before.trim_end(), name.to_owned()));
    }
    let (before, name) = text.rsplit_once(char::is_whitespace).unwrap_or(("", text));
    (!name.is_empty()).then(|| (before.trim_end(), name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(parse: fn(&mut Arguments<'_>) -> Result<Command, LineError>, text: &str) -> Result<Command, String> {
        parse(&mut Arguments { line: text, at: 0, format: None }).map_err(|error| error.message)
    }

    fn saved(text: &str) -> Option<(String, String, DataForm)> {
        match command(save, text) {
            Ok(Command::Data(DataCommand::Save(order))) => Some((order.text, order.file, order.form)),
            _ => None,
        }
    }

    #[test]
    fn save_with_an_expression_writes_data_and_without_one_the_session() {
        let of = |text: &str, file: &str, form| Some((text.to_owned(), file.to_owned(), form));
        assert_eq!(saved("u u.npy"), of("u", "u.npy", DataForm::Npy));
        assert_eq!(saved("u(:, 1) \"my u.CSV\""), of("u(:, 1)", "my u.CSV", DataForm::Csv));
        assert_eq!(saved("p[0]@(n + 1)  u.%r.bin"), of("p[0]@(n + 1)", "u.%r.bin", DataForm::Raw));
        assert_eq!(saved("breakpoints + 1 f"), of("breakpoints + 1", "f", DataForm::Raw));
        assert_eq!(command(save, ""), Ok(DebuggerCommand::Save(None).into()));
        assert_eq!(command(save, "u"), Ok(DebuggerCommand::Save(Some("u".into())).into()));
        assert_eq!(command(save, "breakpoints f"), Ok(DebuggerCommand::SaveBreakpoints("f".into()).into()));
        assert_eq!(command(save, "@ring"), Ok(DebuggerCommand::SaveRun("ring".into()).into()));
        assert!(command(save, "u.npy").unwrap_err().contains("save EXPRESSION u.npy"));
    }

    #[test]
    fn addresses_are_split_at_blanks_outside_of_brackets() {
        let Ok(Command::Data(DataCommand::Save(order))) = command(dump, "binary memory f (a + 1) a + 9") else {
            panic!("no dump")
        };
        assert_eq!(order.source, DataSource::Memory { start: "(a + 1)".into(), end: "a + 9".into() });
        let restored = |text: &str| match command(restore, text) {
            Ok(Command::Data(DataCommand::Restore(order))) => Ok((order.offset, order.start, order.end)),
            Ok(other) => panic!("{other:?}"),
            Err(why) => Err(why),
        };
        assert_eq!(restored("f binary &x"), Ok(("&x".into(), None, None)));
        let all = ("x".to_owned(), Some("4".to_owned()), Some("4 + 4".to_owned()));
        assert_eq!(restored("f binary x 4 4 + 4"), Ok(all));
        assert!(restored("f").unwrap_err().contains("\"binary\""));
        assert!(restored("f binary").unwrap_err().contains("address"));
        assert!(command(dump, "srec value f x").unwrap_err().contains("objcopy"));
        assert!(command(append, "values f x").unwrap_err().contains("memory FILE START END"));
        assert!(command(append, "memory f x").unwrap_err().contains("after the last byte"));
    }
    #[test]
    fn a_file_has_a_name() {
        for line in ["u \"\"", "\"\"", "breakpoints \"\""] {
            assert_eq!(command(save, line).unwrap_err(), "the name of the file is empty", "save {line}");
        }
        assert!(command(dump, "memory \"\" p p + 8").unwrap_err().contains("is empty"));
        assert!(command(append, "value \"\" p").unwrap_err().contains("is empty"));
        assert!(command(restore, "\"\" binary p").unwrap_err().contains("is empty"));
    }
}

//! Arguments of the commands that look at data.

use super::{location, nothing, number, program_start};
use crate::command::arguments::Arguments;
use crate::command::line_error::LineError;
use crate::command::unsupported::instead;
use crate::command::{Command, DataCommand, DebuggerCommand, ListRange, PrintForm, variable_table};
use model::EngineName;
use model::aif::FormatLetter;

macro_rules! plain {
    ($($name:ident => $command:expr),* $(,)?) => {
        $(pub(in crate::command) fn $name(_: &mut Arguments<'_>) -> Result<Command, LineError> {
            nothing($command)
        })*
    };
}

plain! {
    locals => DataCommand::Locals.into(),
    arguments => DataCommand::Arguments.into(),
    libraries => DataCommand::Libraries.into(),
    limits => DataCommand::Limits.into(),
}

pub(super) fn letter(arguments: &Arguments<'_>, c: char, at: usize) -> Result<FormatLetter, LineError> {
    FormatLetter::of_letter(c).ok_or_else(|| {
        let message = match c {
            'i' => "format i is not for print: use x/i or disassemble".to_owned(),
            _ => format!("unknown format {c:?}: expected x, z, d, u, o, t, c, a, f or s"),
        };
        arguments.fault(at, message)
    })
}

pub(in crate::command) fn print(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let mut form = PrintForm::default();
    if let Some((text, at)) = arguments.format {
        if text.is_empty() {
            return Err(arguments.fault(at, "expected a format letter after \"/\""));
        }
        for (offset, c) in text.char_indices() {
            if c == 'r' {
                form.raw = true;
                continue;
            }
            let found = letter(arguments, c, at + offset)?;
            if form.letter.replace(found).is_some() {
                return Err(arguments.fault_within(at, offset, "expected one format letter, and optionally r"));
            }
        }
    }
    print_options(arguments, &mut form)?;
    Ok(DataCommand::Print(form, arguments.required_rest("an expression")?.to_owned()).into())
}

/// Takes gdb's options, up to `--` or the first other word: an expression may begin with `-`, too.
fn print_options(arguments: &mut Arguments<'_>, form: &mut PrintForm) -> Result<(), LineError> {
    loop {
        let before = *arguments;
        let Some(word) = arguments.word()?.filter(|word| word.text.starts_with('-')) else {
            *arguments = before;
            return Ok(());
        };
        let is = |name: &str| word.text.len() > 3 && name.starts_with(&word.text);
        let wanted = match word.text.as_str() {
            "--" => return Ok(()),
            _ if is("-raw-values") => {
                form.raw = true;
                continue;
            }
            _ if is("-elements") => &mut form.elements,
            _ if is("-repeats") => &mut form.repeats,
            // An expression has no `--` between blanks.
            name if arguments.rest().split_whitespace().any(|word| word == "--") => {
                let message = format!("unknown option {name:?}: print takes -elements N, -repeats N and -raw-values");
                return Err(arguments.fault(word.at, message));
            }
            _ => {
                *arguments = before;
                return Ok(());
            }
        };
        let limit = arguments.required("a number or unlimited")?;
        *wanted = Some(match limit.text.as_str() {
            "unlimited" | "0" => u32::MAX,
            digits => digits.parse().map_err(|_| arguments.fault(limit.at, "expected a number or unlimited"))?,
        });
    }
}

pub(in crate::command) fn undisplay(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let mut numbers = Vec::new();
    while let Some(word) = arguments.word()? {
        numbers.push(number(arguments, &word, "the number of a displayed expression")?);
    }
    Ok(DataCommand::Undisplay(numbers).into())
}

pub(in crate::command) fn compare(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(DataCommand::Compare(arguments.required_rest("an expression")?.to_owned()).into())
}

pub(in crate::command) fn globals(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let pattern = arguments.word()?.map_or_else(|| "*".to_owned(), |word| word.text);
    Ok(DataCommand::Globals(pattern).into())
}

pub(in crate::command) fn gcore(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(DataCommand::WriteCore(arguments.word()?.map(|word| word.text)).into())
}

pub(in crate::command) fn whatis(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(DataCommand::Whatis(arguments.required_rest("an expression")?.to_owned()).into())
}

pub(in crate::command) fn ptype(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(DataCommand::Ptype(arguments.required_rest("a type or an expression")?.to_owned()).into())
}

pub(in crate::command) fn set(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    if let Some(command) = program_start::set(arguments)? {
        return Ok(command);
    }
    let at = arguments.place();
    let text = arguments.required_rest("EXPRESSION = EXPRESSION, or SETTING VALUE")?;
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim_start();
    let assigns = rest.starts_with('=') && !rest.starts_with("==");
    if (first == "var" || first == "variable") && !assigns {
        return Ok(DataCommand::Assign(rest.to_owned()).into());
    }
    if variable_table::find(first).is_some() && !rest.starts_with('=') {
        if rest.is_empty() {
            return Err(arguments.fault(at + text.len(), format!("expected a value for {first}")));
        }
        return Ok(DebuggerCommand::Set(first.to_owned(), rest.to_owned()).into());
    }
    // `set history size = 3` assigns nothing to a variable.
    let of_gdb = if assigns { None } else { instead(&format!("set {text}")) };
    if of_gdb.is_none() && is_assignment(text) {
        return Ok(DataCommand::Assign(text.to_owned()).into());
    }
    // In gdb they are two words, or without the hyphen.
    let (second, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let value = value.trim();
    if variable_table::find(&format!("{first}-{second}")).is_some() && !value.is_empty() {
        return Ok(DebuggerCommand::Set(format!("{first}-{second}"), value.to_owned()).into());
    }
    if first == "listsize" && !rest.is_empty() {
        return Ok(DebuggerCommand::Set("list-size".to_owned(), rest.to_owned()).into());
    }
    if let Some((words, what)) = of_gdb {
        return Err(arguments.fault(at, format!("{words:?} is not supported: {what}")));
    }
    let message = format!(
        "unknown setting {first:?} (\"show\" lists them); to assign, use set EXPRESSION = \
        EXPRESSION"
    );
    Err(arguments.fault(at, message))
}

/// True if there is an `=` that is not part of a comparison.
fn is_assignment(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().any(|(i, &b)| {
        let before = i.checked_sub(1).and_then(|i| bytes.get(i)).copied().unwrap_or(b' ');
        let before_that = i.checked_sub(2).and_then(|i| bytes.get(i)).copied().unwrap_or(b' ');
        let compares = matches!(before, b'=' | b'!') || (matches!(before, b'<' | b'>') && before != before_that);
        b == b'=' && bytes.get(i + 1) != Some(&b'=') && !compares
    })
}

pub(in crate::command) fn disassemble(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    // Lines are always shown as with gdb's /s.
    if let Some((text, at)) = arguments.format
        && !matches!(text, "s" | "m")
    {
        return Err(arguments.fault(at, "disassemble supports only /s"));
    }
    let at = arguments.place();
    let text = arguments.take_rest();
    let place = if text.is_empty() { None } else { Some(location(arguments, text, at)?) };
    Ok(DataCommand::Disassemble(place).into())
}

pub(in crate::command) fn write(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let text = arguments.required_rest("an address")?;
    let Some((address, digits)) = text.rsplit_once(char::is_whitespace) else {
        return Err(arguments.fault(at + text.len(), "expected bytes after the address, such as 0aff"));
    };
    let place = at + text.len() - digits.len();
    let bare = digits.trim_matches('"');
    let bytes = model::aif::from_hex(bare.strip_prefix("0x").unwrap_or(bare)).filter(|bytes| !bytes.is_empty());
    match bytes {
        Some(bytes) => Ok(DataCommand::Write(address.trim_end().to_owned(), bytes).into()),
        None => Err(arguments.fault(place, "expected pairs of hexadecimal digits, such as 0aff")),
    }
}

pub(in crate::command) fn registers(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let mut names = Vec::new();
    while let Some(word) = arguments.word()? {
        names.push(word.text.trim_start_matches('$').to_ascii_lowercase());
    }
    Ok(DataCommand::Registers(names).into())
}

pub(in crate::command) fn symbol_at(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(DataCommand::SymbolAt(arguments.required_rest("an address")?.to_owned()).into())
}

pub(in crate::command) fn code_of(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let text = arguments.take_rest();
    let place = if text.is_empty() { None } else { Some(location(arguments, text, at)?) };
    Ok(DataCommand::CodeOf(place).into())
}

pub(in crate::command) fn edit(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let text = arguments.take_rest();
    let place = if text.is_empty() { None } else { Some(location(arguments, text, at)?) };
    Ok(DataCommand::Edit(place).into())
}

pub(in crate::command) fn list(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let text = arguments.take_rest();
    if text.is_empty() {
        return Ok(DataCommand::List(ListRange::Next).into());
    }
    if text == "-" {
        return Ok(DataCommand::List(ListRange::Before).into());
    }
    if let Some(first) = text.strip_suffix(',').and_then(|first| first.trim().parse::<u32>().ok()) {
        return Ok(DataCommand::List(ListRange::From(first.max(1))).into());
    }
    if let Some(last) = text.strip_prefix(',').and_then(|last| last.trim().parse::<u32>().ok()) {
        return Ok(DataCommand::List(ListRange::To(last.max(1))).into());
    }
    if let Some((first, last)) = text.split_once(',')
        && let (Ok(first), Ok(last)) = (first.trim().parse::<u32>(), last.trim().parse::<u32>())
    {
        if first == 0 || last < first {
            return Err(arguments.fault(
                at,
                "invalid range of lines: the first must be at least 1 and not after the \
                last",
            ));
        }
        return Ok(DataCommand::List(ListRange::Lines(first, last)).into());
    }
    // The comma may separate the parameters of a function.
    if let Some((first, last)) = text.rsplit_once(',').map(|(first, last)| (first.trim(), last.trim()))
        && (last.is_empty() || last.parse::<u32>().is_ok())
        && !first.is_empty()
    {
        let last = last.parse::<u32>().ok();
        return Ok(DataCommand::List(ListRange::FromPlace(location(arguments, first, at)?, last)).into());
    }
    Ok(DataCommand::List(ListRange::Around(location(arguments, text, at)?)).into())
}

pub(in crate::command) fn engine(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let text = arguments.take_rest();
    let mut words = text.split_whitespace();
    match (words.next(), words.next(), words.next()) {
        (None, ..) => Ok(DebuggerCommand::WhichEngine.into()),
        (Some("use"), Some(name), None) => match EngineName::parse(name) {
            Some(name @ (EngineName::Native | EngineName::Gdb)) => Ok(DebuggerCommand::UseEngine(name).into()),
            _ => Err(arguments.fault(at + 4, "expected native or gdb")),
        },
        (Some("use"), ..) => Err(arguments.fault(at, "expected one engine after \"engine use\": native or gdb")),
        _ => Ok(DebuggerCommand::Engine(text.to_owned()).into()),
    }
}

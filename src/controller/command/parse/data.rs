//! Arguments of the commands that look at data.

use super::{location, nothing, number};
use crate::command::arguments::Arguments;
use crate::command::line_error::LineError;
use crate::command::print_format::split_at_commas;
use crate::command::{CodeForm, CodeRange, Command, DataCommand, DebuggerCommand, ListEnd, ListRange, VariableChoice};
use model::{CodeEnd, EngineName, LocationSpec, RegularExpression, TypeDetail, TypePart};

macro_rules! plain {
    ($($name:ident => $command:expr),* $(,)?) => {
        $(pub(in crate::command) fn $name(_: &mut Arguments<'_>) -> Result<Command, LineError> {
            nothing($command)
        })*
    };
}

plain! {
    limits => DataCommand::Limits.into(),
}

pub(in crate::command) fn libraries(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let (at, text) = (arguments.place(), arguments.take_rest());
    if text.is_empty() {
        return Ok(DataCommand::Libraries(None).into());
    }
    RegularExpression::parse(text, false)
        .map_err(|error| arguments.fault_within(at, error.position, error.to_string()))?;
    Ok(DataCommand::Libraries(Some(text.to_owned())).into())
}

pub(in crate::command) fn locals(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    variable_choice(arguments).map(|choice| DataCommand::Locals(choice).into())
}

pub(in crate::command) fn arguments(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    variable_choice(arguments).map(|choice| DataCommand::Arguments(choice).into())
}

/// Takes `[-q] [-t TYPE] [--] [REGEX]`.
fn variable_choice(arguments: &mut Arguments<'_>) -> Result<VariableChoice, LineError> {
    let mut choice = VariableChoice::default();
    loop {
        let before = *arguments;
        match arguments.word()?.map(|word| word.text).as_deref() {
            Some("-q") => choice.quiet = true,
            Some("-t") => {
                let word = arguments.required("a regular expression for types")?;
                RegularExpression::parse(&word.text, false)
                    .map_err(|error| arguments.fault_within(word.at, error.position, error.to_string()))?;
                choice.type_pattern = Some(word.text);
            }
            Some("--") => break,
            _ => {
                *arguments = before;
                break;
            }
        }
    }
    let at = arguments.place();
    let pattern = arguments.take_rest();
    RegularExpression::parse(pattern, false)
        .map_err(|error| arguments.fault_within(at, error.position, error.to_string()))?;
    choice.pattern = Some(pattern.to_owned()).filter(|pattern| !pattern.is_empty());
    Ok(choice)
}

/// Takes the numbers of displayed expressions for `enable display` and `disable display`; `None`: something else is enabled.
pub(super) fn displays(arguments: &mut Arguments<'_>, enabled: bool) -> Result<Option<Command>, LineError> {
    let mut ahead = *arguments;
    if ahead.word()?.is_none_or(|word| word.text != "display") {
        return Ok(None);
    }
    *arguments = ahead;
    Ok(Some(DataCommand::EnableDisplays(display_numbers(arguments)?, enabled).into()))
}

/// The most displayed expressions that a range may name.
const MOST_NUMBERS: u32 = 10_000;

pub(in crate::command) fn undisplay(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(DataCommand::Undisplay(display_numbers(arguments)?).into())
}

fn display_numbers(arguments: &mut Arguments<'_>) -> Result<Vec<u32>, LineError> {
    let mut numbers = Vec::new();
    while let Some(word) = arguments.word()? {
        match range_of(&word.text) {
            Some(range) => numbers.extend(range),
            None => numbers.push(number(arguments, &word, "the number of a displayed expression")?),
        }
    }
    Ok(numbers)
}

pub(in crate::command) fn list_displays(_: &mut Arguments<'_>) -> Result<Command, LineError> {
    nothing(DataCommand::ListDisplays.into())
}

/// Returns the numbers of a range, `2-5`.
fn range_of(word: &str) -> Option<std::ops::RangeInclusive<u32>> {
    let (low, high) = word.split_once('-')?;
    let (low, high): (u32, u32) = (low.parse().ok()?, high.parse().ok()?);
    (0 < low && low <= high && high - low < MOST_NUMBERS).then_some(low..=high)
}

pub(in crate::command) fn compare(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(DataCommand::Compare(arguments.required_rest("an expression")?.to_owned()).into())
}

pub(in crate::command) fn globals(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let pattern = arguments.word()?.map_or_else(|| "*".to_owned(), |word| word.text);
    Ok(DataCommand::Globals(pattern).into())
}

pub(in crate::command) fn thread_locals(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let pattern = arguments.word()?.map_or_else(|| "*".to_owned(), |word| word.text);
    Ok(DataCommand::ThreadLocals(pattern).into())
}

pub(in crate::command) fn gcore(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(DataCommand::WriteCore(arguments.word()?.map(|word| word.text)).into())
}

pub(in crate::command) fn whatis(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    // gdb has the flags of ptype here, of which only r makes a difference.
    let detail = if type_detail(arguments)?.part().raw { TypeDetail::RawName } else { TypeDetail::Name };
    Ok(DataCommand::Ptype(detail, arguments.required_rest("an expression")?.to_owned()).into())
}

pub(in crate::command) fn ptype(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let detail = type_detail(arguments)?;
    Ok(DataCommand::Ptype(detail, arguments.required_rest("a type or an expression")?.to_owned()).into())
}

/// Parses gdb's flags of `ptype`; those in capitals take back others.
fn type_detail(arguments: &Arguments<'_>) -> Result<TypeDetail, LineError> {
    let Some((text, at)) = arguments.format else { return Ok(TypeDetail::Members) };
    let (mut layout, mut hexadecimal, mut part) = (false, false, TypePart::default());
    for (offset, c) in text.char_indices() {
        match c {
            'o' => layout = true,
            'x' => hexadecimal = true,
            'd' => hexadecimal = false,
            'm' => part.no_methods = true,
            'M' => part.no_methods = false,
            't' => part.no_typedefs = true,
            'T' => part.no_typedefs = false,
            'r' => part.raw = true,
            _ => {
                let message = format!("unknown flag {c:?}: expected o, x, d, m, t or r");
                return Err(arguments.fault_within(at, offset, message));
            }
        }
    }
    Ok(match part {
        _ if layout => TypeDetail::Layout { hexadecimal },
        part if part == TypePart::default() => TypeDetail::Members,
        part => TypeDetail::Part(part),
    })
}

pub(in crate::command) fn disassemble(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let mut form = CodeForm::default();
    if let Some((text, at)) = arguments.format {
        for (offset, c) in text.char_indices() {
            match c {
                // gdb 16 shows the bytes of r one by one, as b does.
                'r' | 'b' => form.bytes = true,
                's' | 'm' => form.lines = true,
                _ => return Err(arguments.fault_within(at, offset, "expected /r, /s or /rs")),
            }
        }
    }
    let at = arguments.place();
    let text = arguments.take_rest();
    if text.is_empty() {
        return Ok(DataCommand::Disassemble(form, CodeRange::Function(None)).into());
    }
    // A function may have commas in its parameters.
    if let [start, end] = split_at_commas(text).as_slice() {
        let (start, end) = (start.trim(), end.trim());
        let end = end
            .strip_prefix('+')
            .map_or_else(|| CodeEnd::Before(end.to_owned()), |length| CodeEnd::Length(length.trim_start().to_owned()));
        let (CodeEnd::Before(words) | CodeEnd::Length(words)) = &end;
        if start.is_empty() || words.is_empty() {
            return Err(arguments.fault(at, "expected START,END or START,+LENGTH"));
        }
        return Ok(DataCommand::Disassemble(form, CodeRange::Addresses(start.to_owned(), end)).into());
    }
    let place = location(arguments, text, at)?;
    Ok(DataCommand::Disassemble(form, CodeRange::Function(Some(place))).into())
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
    register_names(arguments).map(|names| DataCommand::Registers(names).into())
}

pub(in crate::command) fn all_registers(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let names = register_names(arguments)?;
    let all = || vec!["all".to_owned()];
    Ok(DataCommand::Registers(if names.is_empty() { all() } else { names }).into())
}

pub(in crate::command) fn float_registers(_: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(DataCommand::Registers(vec!["float".to_owned()]).into())
}

pub(in crate::command) fn vector_registers(_: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(DataCommand::Registers(vec!["vector".to_owned()]).into())
}

fn register_names(arguments: &mut Arguments<'_>) -> Result<Vec<String>, LineError> {
    let mut names = Vec::new();
    while let Some(word) = arguments.word()? {
        names.push(word.text.trim_start_matches('$').to_ascii_lowercase());
    }
    Ok(names)
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

pub(in crate::command) fn forward_search(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    line_search(arguments, true)
}

pub(in crate::command) fn reverse_search(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    line_search(arguments, false)
}

fn line_search(arguments: &mut Arguments<'_>, forward: bool) -> Result<Command, LineError> {
    let at = arguments.place();
    let pattern = arguments.take_rest();
    RegularExpression::parse(pattern, false)
        .map_err(|error| arguments.fault_within(at, error.position, error.to_string()))?;
    let pattern = Some(pattern.to_owned()).filter(|pattern| !pattern.is_empty());
    Ok(DataCommand::Search { forward, pattern }.into())
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
    if text.is_empty() || text == "+" {
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
    if let Some((first, end)) = text.split_once(',').map(|(first, end)| (first.trim(), end.trim()))
        && let (Ok(first), Ok(last)) = (first.parse::<u32>(), end.parse::<u32>())
    {
        // gdb's `list 50,+3`.
        let last = if end.starts_with('+') { first.saturating_add(last) } else { last };
        if first == 0 || last < first {
            return Err(arguments.fault(
                at,
                "invalid range of lines: the first must be at least 1 and not after the \
                last",
            ));
        }
        return Ok(DataCommand::List(ListRange::Lines(first, last)).into());
    }
    if let Some(last) = text.strip_prefix(',').map(str::trim).filter(|last| !last.is_empty()) {
        return Ok(DataCommand::List(ListRange::ToPlace(location(arguments, last, at)?)).into());
    }
    // The comma may separate the parameters of a function.
    if let Some((first, last)) = text.rsplit_once(',').map(|(first, last)| (first.trim(), last.trim()))
        && (last.is_empty() || last.parse::<u32>().is_ok())
        && !first.is_empty()
    {
        let last = match last.strip_prefix('+') {
            Some(more) => more.parse().ok().map(ListEnd::After),
            None => last.parse().ok().map(ListEnd::Line),
        };
        return Ok(DataCommand::List(ListRange::FromPlace(location(arguments, first, at)?, last)).into());
    }
    // gdb's `list FIRST,LAST`, where both may be functions with parameters.
    if let [first, last] = split_at_commas(text).as_slice()
        && !first.trim().is_empty()
        && !last.trim().is_empty()
    {
        let blanks = last.len() - last.trim_start().len();
        let last_at = at + first.len() + 1 + blanks;
        let (first, last) = (location(arguments, first.trim(), at)?, location(arguments, last.trim(), last_at)?);
        let range = match (&first, &last) {
            (LocationSpec::FileLine { file, line: from }, LocationSpec::FileLine { file: other, line })
                if file == other =>
            {
                if line < from {
                    return Err(arguments.fault(last_at, "the last line is before the first one"));
                }
                ListRange::FromPlace(first, Some(ListEnd::Line(*line)))
            }
            _ => ListRange::Between(first, last),
        };
        return Ok(DataCommand::List(range).into());
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

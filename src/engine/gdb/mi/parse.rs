//! Parses a line.

use super::record::{Kind, Record, Results, StreamKind, Value};
use super::text::text;
use winnow::{
    Parser,
    ascii::digit1,
    combinator::{alt, eof, fail, opt, peek, preceded, separated, terminated},
    error::ModalResult,
    token::{any, one_of, take_while},
};

/// Maximum nesting of tuples and lists, so that a line cannot exhaust the stack.
const DEPTH: u32 = 64;

/// Parses a line without its end. A line that cannot be parsed is [`Record::Unknown`].
pub(super) fn record(line: &str) -> Record {
    let line = line.strip_suffix('\r').unwrap_or(line);
    if line.trim_end() == "(gdb)" {
        return Record::Prompt;
    }
    known.parse(line).unwrap_or_else(|_| Record::Unknown(line.to_owned()))
}

fn known(input: &mut &str) -> ModalResult<Record> {
    alt((stream, marked)).parse_next(input)
}

fn stream(input: &mut &str) -> ModalResult<Record> {
    let sign = one_of(['~', '@', '&']).parse_next(input)?;
    let kind = match sign {
        '~' => StreamKind::Console,
        '@' => StreamKind::Target,
        _ => StreamKind::Log,
    };
    terminated(text, eof).map(|text| Record::Stream(kind, text)).parse_next(input)
}

fn marked(input: &mut &str) -> ModalResult<Record> {
    let token = opt(digit1.parse_to::<u64>()).parse_next(input)?;
    let sign = one_of(['^', '*', '+', '=']).parse_next(input)?;
    let class = word.parse_next(input)?.to_owned();
    let results = results(input, DEPTH, true)?;
    eof.parse_next(input)?;
    let kind = match sign {
        '^' => return Ok(Record::Result { token, class, results }),
        '*' => Kind::Exec,
        '+' => Kind::Status,
        _ => Kind::Notify,
    };
    Ok(Record::Async { token, kind, class, results })
}

fn word<'a>(input: &mut &'a str) -> ModalResult<&'a str> {
    take_while(1.., |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/')).parse_next(input)
}

/// Parses results separated by commas; `led`: with a leading comma, too.
fn results(input: &mut &str, depth: u32, led: bool) -> ModalResult<Results> {
    if led && opt(',').parse_next(input)?.is_none() {
        return Ok(Results::default());
    }
    let several = |input: &mut &str| separated(0.., |input: &mut &str| result(input, depth), ',').parse_next(input);
    several.map(Results).parse_next(input)
}

/// Parses `name=value`, or a value without a name: some versions omit names even in tuples.
fn result(input: &mut &str, depth: u32) -> ModalResult<(String, Value)> {
    let name = opt(terminated(word, '=')).parse_next(input)?;
    Ok((name.unwrap_or_default().to_owned(), value(input, depth)?))
}

fn value(input: &mut &str, depth: u32) -> ModalResult<Value> {
    let Some(depth) = depth.checked_sub(1) else { return fail.parse_next(input) };
    match peek(any).parse_next(input)? {
        '{' => {
            let inside = preceded('{', |input: &mut &str| results(input, depth, false));
            terminated(inside, '}').map(Value::Tuple).parse_next(input)
        }
        '[' => {
            let inside = preceded('[', |input: &mut &str| results(input, depth, false));
            terminated(inside, ']').map(Value::List).parse_next(input)
        }
        _ => text.map(Value::Text).parse_next(input),
    }
}

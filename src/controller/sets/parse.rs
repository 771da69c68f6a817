//! Parses sets.
//!
//! ```text
//! scope = set [ "." threads ]
//! threads = THREAD | "*" | "{" THREAD [ "-" THREAD ] { "," THREAD [ "-" THREAD ] } "}"
//! set   = and { ("|" | "-") and }
//! and   = not { "&" not }
//! not   = "!" not | list
//! list  = item { "," item }            a list of ranks holds tightest
//! item  = RANK [ "-" RANK [ ":" STRIDE ] ] | NAME | NAME "(" TEXT ")" | "." | "{" EXPRESSION "}" | "(" set ")"
//! ```
//!
//! A `-` between two ranks without blanks makes a range; anywhere else it subtracts.

use super::threads::{ThreadChoice, ThreadGroup};
use super::{Scope, SetExpr};
use model::{LocationSpec, ProcessSet, ThreadId};
use std::ops::RangeInclusive;
use winnow::{
    Parser,
    ascii::{digit1, multispace0},
    combinator::{alt, opt, peek},
    error::{ErrMode, ModalResult, ParserError},
    stream::Stream,
    token::{one_of, take_while},
};

/// The reason why a text is no set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SetSyntaxError {
    /// The fault and the correction.
    pub message: String,
    /// The character in the text, from 0.
    pub position: usize,
}

/// The limit for nesting and for operators at one level: a text must not exhaust the stack.
const DEPTH: usize = 64;
const CHAIN: usize = 200;

#[derive(Debug)]
struct Fault {
    message: String,
    /// The bytes left at the fault.
    left: usize,
}

impl<'a> ParserError<&'a str> for Fault {
    type Inner = Self;

    fn from_input(input: &&'a str) -> Self {
        let message = match input.chars().next() {
            Some(c) => format!("unexpected {c:?} in a rank set"),
            None => "a set ends too early".to_owned(),
        };
        Self { message, left: input.len() }
    }

    fn into_inner(self) -> Result<Self, Self> {
        Ok(self)
    }
}

type Parsed<T> = ModalResult<T, Fault>;

fn fault<T>(input: &str, message: impl Into<String>) -> Parsed<T> {
    Err(ErrMode::Cut(Fault { message: message.into(), left: input.len() }))
}

/// Parses a set; fails if text is left.
pub fn parse_set(text: &str) -> Result<SetExpr, SetSyntaxError> {
    whole(text, |input| set(input, 0))
}

/// Parses a set with optional threads; fails if text is left.
pub fn parse_scope(text: &str) -> Result<Scope, SetSyntaxError> {
    whole(text, scope)
}

/// Parses `[SET]` or `[SET.THREADS]` at the start of a text; also returns its length in bytes.
pub fn parse_prefix(text: &str) -> Result<(Scope, usize), SetSyntaxError> {
    let mut input = text;
    let parsed = (|| {
        let _ = lexeme('[').parse_next(&mut input)?;
        let scope = scope(&mut input)?;
        if !input.starts_with(']') {
            return fault(input, "expected \"]\" after the set");
        }
        input.next_token();
        Ok(scope)
    })();
    parsed.map(|scope| (scope, text.len() - input.len())).map_err(|error| placed(text, error))
}

fn whole<T>(text: &str, mut parser: impl FnMut(&mut &str) -> Parsed<T>) -> Result<T, SetSyntaxError> {
    let mut input = text;
    let parsed = parser(&mut input).and_then(|value| match input.chars().next() {
        None => Ok(value),
        Some(c) => fault(input, format!("unexpected {c:?} after a rank set")),
    });
    parsed.map_err(|error| placed(text, error))
}

fn placed(text: &str, error: ErrMode<Fault>) -> SetSyntaxError {
    let fault = match error {
        ErrMode::Cut(fault) | ErrMode::Backtrack(fault) => fault,
        ErrMode::Incomplete(_) => Fault { message: "a set ends too early".to_owned(), left: 0 },
    };
    let before = text.get(..text.len().saturating_sub(fault.left)).unwrap_or(text);
    SetSyntaxError { message: fault.message, position: before.chars().count() }
}

/// Parses a sign and the blanks around it.
fn lexeme<'a>(sign: char) -> impl Parser<&'a str, char, ErrMode<Fault>> {
    winnow::combinator::delimited(multispace0, sign, multispace0)
}

fn scope(input: &mut &str) -> Parsed<Scope> {
    let set = set(input, 0)?;
    let threads = match opt('.').parse_next(input)? {
        Some(_) => Some(threads(input)?),
        None => None,
    };
    multispace0.parse_next(input)?;
    Ok(Scope { set, threads })
}

/// Parses the threads after a full stop.
fn threads(input: &mut &str) -> Parsed<ThreadChoice> {
    match input.chars().next() {
        Some('0'..='9') => thread(input).map(|number| ThreadChoice::One(ThreadId(number))),
        Some('*') => {
            input.next_token();
            Ok(ThreadChoice::Each(ThreadGroup::all()))
        }
        Some('{') => {
            input.next_token();
            let mut ranges = vec![thread_range(input)?];
            while opt(lexeme(',')).parse_next(input)?.is_some() {
                ranges.push(thread_range(input)?);
            }
            close(input, '}')?;
            match ThreadChoice::of(ranges) {
                Some(choice) => Ok(choice),
                None => fault(input, THREADS_WANTED),
            }
        }
        _ => fault(input, THREADS_WANTED),
    }
}

const THREADS_WANTED: &str = "expected threads: 2, {2,5}, {2-5} or * for all";

fn thread_range(input: &mut &str) -> Parsed<RangeInclusive<u32>> {
    multispace0.parse_next(input)?;
    let start = *input;
    let first = thread(input)?;
    let last = if opt(lexeme('-')).parse_next(input)?.is_some() { thread(input)? } else { first };
    if first > last { fault(start, "the first thread of a range is the lower one") } else { Ok(first..=last) }
}

fn thread(input: &mut &str) -> Parsed<u32> {
    let start = *input;
    let Some(digits) = opt(digit1::<&str, ErrMode<Fault>>).parse_next(input)? else {
        return fault(start, THREADS_WANTED);
    };
    match digits.parse() {
        Ok(0) | Err(_) => fault(start, "thread numbers start at 1"),
        Ok(number) => Ok(number),
    }
}

fn set(input: &mut &str, depth: usize) -> Parsed<SetExpr> {
    let mut left = and(input, depth)?;
    for _ in 0..CHAIN {
        let before = input.checkpoint();
        let Ok(sign) = lexeme_of(['|', '-'], input) else {
            input.reset(&before);
            return Ok(left);
        };
        let right = Box::new(and(input, depth)?);
        left = if sign == '|' { SetExpr::Or(Box::new(left), right) } else { SetExpr::Minus(Box::new(left), right) };
    }
    fault(input, TOO_LONG)
}

const TOO_LONG: &str = "the set has too many operators; name parts of it with \"group\"";

fn lexeme_of(signs: [char; 2], input: &mut &str) -> Parsed<char> {
    winnow::combinator::delimited(multispace0, one_of(signs), multispace0).parse_next(input)
}

fn and(input: &mut &str, depth: usize) -> Parsed<SetExpr> {
    let mut left = not(input, depth)?;
    for _ in 0..CHAIN {
        if opt(lexeme('&')).parse_next(input)?.is_none() {
            return Ok(left);
        }
        left = SetExpr::And(Box::new(left), Box::new(not(input, depth)?));
    }
    fault(input, TOO_LONG)
}

fn not(input: &mut &str, depth: usize) -> Parsed<SetExpr> {
    if depth > DEPTH {
        return fault(input, "the set is nested too deeply");
    }
    if opt(lexeme('!')).parse_next(input)?.is_some() {
        return Ok(SetExpr::Not(Box::new(not(input, depth + 1)?)));
    }
    list(input, depth)
}

fn list(input: &mut &str, depth: usize) -> Parsed<SetExpr> {
    let mut sum = item(input, depth)?;
    let mut named = 0;
    while opt(lexeme(',')).parse_next(input)?.is_some() {
        named += usize::from(!matches!(sum, SetExpr::Ranks(_)));
        if named > CHAIN {
            return fault(input, TOO_LONG);
        }
        sum = match (sum, item(input, depth)?) {
            (SetExpr::Ranks(a), SetExpr::Ranks(b)) => SetExpr::Ranks(a.union(&b)),
            (a, b) => SetExpr::Or(Box::new(a), Box::new(b)),
        };
    }
    Ok(sum)
}

fn item(input: &mut &str, depth: usize) -> Parsed<SetExpr> {
    multispace0.parse_next(input)?;
    let item = match peek(opt(winnow::token::any)).parse_next(input)? {
        None => fault(
            input,
            "expected a rank set, such as all, 0-3,7, stopped, in(FUNCTION), {EXPRESSION} or a \
            group",
        ),
        Some('0'..='9') => range(input),
        Some('(') => {
            input.next_token();
            let inner = set(input, depth + 1)?;
            close(input, ')')?;
            Ok(inner)
        }
        Some('{') => {
            input.next_token();
            let text = enclosed(input, '{', '}')?;
            if text.trim().is_empty() { fault(input, "expected an expression") } else { Ok(SetExpr::Condition(text)) }
        }
        Some('.') => {
            input.next_token();
            Ok(SetExpr::Focus)
        }
        Some(c) if c.is_alphabetic() || c == '_' => named(input),
        Some(c) => fault(input, format!("unexpected {c:?}; expected a rank set")),
    }?;
    let before = input.checkpoint();
    multispace0.parse_next(input)?;
    // Blanks before a possible thread number are left: `0-3 .2` is no thread.
    if input.starts_with('.') {
        input.reset(&before);
    }
    Ok(item)
}

fn close(input: &mut &str, sign: char) -> Parsed<()> {
    multispace0.parse_next(input)?;
    if input.starts_with(sign) {
        input.next_token();
        Ok(())
    } else {
        fault(input, format!("expected \"{sign}\""))
    }
}

fn range(input: &mut &str) -> Parsed<SetExpr> {
    let start = *input;
    let spelled = (digit1, opt(('-', digit1, opt((':', digit1))))).take();
    let text: &str = alt((spelled, digit1)).parse_next(input)?;
    match ProcessSet::parse(text) {
        Ok(ranks) => Ok(SetExpr::Ranks(ranks)),
        Err(error) => fault(start.get(error.position..).unwrap_or(start), error.message),
    }
}

const STATES: [&str; 8] = ["starting", "running", "stopped", "exited", "killed", "detached", "failed", "lost"];

/// Takes text up to the matching closing sign, with nested signs of the same kind; quoted ones do not count.
fn enclosed(input: &mut &str, open: char, close: char) -> Parsed<String> {
    let start = *input;
    let (mut depth, mut quote, mut escaped) = (0usize, None, false);
    for (at, c) in start.char_indices() {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(q) if c == q => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c == close && depth == 0 => {
                let (text, rest) = start.split_at(at);
                *input = rest.get(close.len_utf8()..).unwrap_or("");
                return Ok(text.trim().to_owned());
            }
            None if c == close => depth -= 1,
            None if c == open => depth += 1,
            None => {}
        }
    }
    fault("", format!("expected \"{close}\""))
}

fn named(input: &mut &str) -> Parsed<SetExpr> {
    let start = *input;
    let name: &str = take_while(1.., |c: char| c.is_alphanumeric() || c == '_').parse_next(input)?;
    let simple = match name {
        "all" => SetExpr::All,
        "none" => SetExpr::None,
        "stopped" => SetExpr::Stopped,
        "running" => SetExpr::Running,
        "exited" => SetExpr::Exited,
        "lost" => SetExpr::Lost,
        "held" => SetExpr::Held,
        _ => return applied(name, start, input),
    };
    Ok(simple)
}

fn applied(name: &str, start: &str, input: &mut &str) -> Parsed<SetExpr> {
    let before = input.checkpoint();
    multispace0.parse_next(input)?;
    if !input.starts_with('(') {
        input.reset(&before);
        return match name {
            "at" | "in" | "top" | "host" | "state" => fault(input, format!("expected \"(\" after {name}")),
            _ => Ok(SetExpr::Group(name.to_owned())),
        };
    }
    input.next_token();
    let inside = *input;
    let text = enclosed(input, '(', ')')?;
    if text.is_empty() {
        return fault(inside, format!("expected an argument in {name}(…)"));
    }
    match name {
        "at" => match LocationSpec::parse(&text) {
            Ok(location) => Ok(SetExpr::At(location)),
            Err(error) => fault(inside, error.message),
        },
        "in" => Ok(SetExpr::In(text)),
        "top" => Ok(SetExpr::Top(text)),
        "host" => Ok(SetExpr::Host(text)),
        "state" => {
            if STATES.contains(&text.as_str()) {
                Ok(SetExpr::State(text))
            } else {
                fault(inside, format!("unknown state {text:?}: expected {}", STATES.join(", ")))
            }
        }
        _ => fault(start, format!("unknown predicate {name:?}(…): expected at(…), in(…), host(…) or state(…)")),
    }
}

#[cfg(test)]
mod tests;

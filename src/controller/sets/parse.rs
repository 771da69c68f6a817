//! Parses sets.
//!
//! ```text
//! scope = set [ "." THREAD ]
//! set   = and { ("|" | "-") and }
//! and   = not { "&" not }
//! not   = "!" not | list
//! list  = item { "," item }            a list of ranks holds tightest
//! item  = RANK [ "-" RANK [ ":" STRIDE ] ] | NAME | NAME "(" TEXT ")" | "." | "{" EXPRESSION "}" | "(" set ")"
//! ```
//!
//! A `-` between two ranks without blanks makes a range; anywhere else it subtracts.

use super::{Scope, SetExpr};
use model::{LocationSpec, ProcessSet, ThreadId};
use winnow::{
    Parser,
    ascii::{digit1, multispace0},
    combinator::{alt, opt, peek, preceded},
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

/// Parses a set with an optional thread; fails if text is left.
pub fn parse_scope(text: &str) -> Result<Scope, SetSyntaxError> {
    whole(text, scope)
}

/// Parses `[SET]` or `[SET.THREAD]` at the start of a text; also returns its length in bytes.
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
    let thread = opt(preceded('.', digit1)).parse_next(input)?;
    multispace0.parse_next(input)?;
    match thread.map(|digits: &str| digits.parse()) {
        None => Ok(Scope { set, thread: None }),
        Some(Ok(number)) if number > 0 => Ok(Scope { set, thread: Some(ThreadId(number)) }),
        Some(_) => fault(input, "thread numbers start at 1"),
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
mod tests {
    use super::*;
    use model::Rank;
    use proptest::prelude::*;

    fn ranks(text: &str) -> SetExpr {
        SetExpr::Ranks(ProcessSet::parse(text).unwrap())
    }

    #[test]
    fn ranges_hold_tighter_than_operators() {
        assert_eq!(parse_set("0-3,7,0-62:2").unwrap(), ranks("0-3,7,0-62:2"));
        let minus = |a, b| SetExpr::Minus(Box::new(a), Box::new(b));
        assert_eq!(parse_set("0-9 - 3").unwrap(), minus(ranks("0-9"), ranks("3")));
        assert_eq!(parse_set("0-9-3").unwrap(), minus(ranks("0-9"), ranks("3")));
        assert_eq!(parse_set("5 - 3").unwrap(), minus(ranks("5"), ranks("3")));
        assert_eq!(parse_set("all-0,1").unwrap(), minus(SetExpr::All, ranks("0-1")));
        assert_eq!(parse_set("!0,2 & stopped").unwrap().to_string(), "!0,2 & stopped");
        assert_eq!(parse_set("a | b & c").unwrap().to_string(), "a | b & c");
        assert_eq!(parse_set("(a | b) & c").unwrap().to_string(), "(a | b) & c");
    }

    #[test]
    fn predicates_and_conditions_keep_their_text() {
        assert_eq!(parse_set("{a[1] > f({ 3 }) && s == \"}\"}").unwrap(), {
            SetExpr::Condition("a[1] > f({ 3 }) && s == \"}\"".into())
        });
        assert_eq!(parse_set("in(operator()(int))").unwrap(), SetExpr::In("operator()(int)".into()));
        assert_eq!(parse_set("at( ring.c:12 )").unwrap().to_string(), "at(ring.c:12)");
    }

    #[test]
    fn threads_follow_a_full_stop() {
        assert_eq!(parse_scope("0-3.2").unwrap(), Scope { set: ranks("0-3"), thread: Some(ThreadId(2)) });
        assert_eq!(parse_scope("..2").unwrap(), Scope { set: SetExpr::Focus, thread: Some(ThreadId(2)) });
        assert_eq!(parse_scope(".").unwrap(), Scope { set: SetExpr::Focus, thread: None });
        assert_eq!(parse_scope("(a | b).3").unwrap().to_string(), "(a | b).3");
        assert!(parse_scope("0.0").is_err());
    }

    #[test]
    fn prefixes_end_at_their_bracket() {
        let (scope, length) = parse_prefix("[ {a[0]} & 0-3 ] print b[1]").unwrap();
        assert_eq!((scope.set.to_string().as_str(), length), ("{a[0]} & 0-3", 16));
        assert_eq!(parse_prefix("[0-3 print x").unwrap_err().position, 5);
    }

    #[test]
    fn faults_name_their_place() {
        for (text, position, message) in [
            ("", 0, "expected a rank set"),
            ("0-3,", 4, "expected a rank set"),
            ("0-3 & )", 6, "unexpected ')'"),
            ("3-1", 0, ""),
            ("(0", 2, "expected \")\""),
            ("{x", 2, "expected \"}\""),
            ("at(a.c:0)", 3, "a line number"),
            ("state(idle)", 6, "unknown state"),
            ("foo(1)", 0, "unknown predicate"),
            ("0 1", 2, "unexpected '1'"),
            ("{}", 2, "expected an expression"),
        ] {
            let error = parse_set(text).unwrap_err();
            assert_eq!(error.position, position, "{text}: {error}");
            assert!(error.message.contains(message), "{text}: {error}");
        }
        assert!(parse_set(&"(".repeat(100_000)).is_err());
        assert!(parse_set(&"!".repeat(100_000)).is_err());
        for sign in ["|", "&", "-", ","] {
            assert!(parse_set(&format!("a{sign}").repeat(100_000)).unwrap_err().message.contains("too many"));
        }
        assert!(parse_set(&format!("{}0", "0,2,".repeat(10_000))).is_ok());
    }

    fn sets() -> impl Strategy<Value = SetExpr> {
        let leaf = prop_oneof![
            Just(SetExpr::All),
            Just(SetExpr::None),
            Just(SetExpr::Focus),
            Just(SetExpr::Stopped),
            Just(SetExpr::Held),
            proptest::collection::btree_set(0u32..100, 1..12)
                .prop_map(|ranks| SetExpr::Ranks(ranks.into_iter().map(Rank).collect())),
            "g[a-z0-9_]{0,6}".prop_map(SetExpr::Group),
            "[a-z]{1,6}\\*".prop_map(SetExpr::Host),
            "[a-z_:~]{1,8}".prop_map(SetExpr::In),
            Just(SetExpr::State("killed".into())),
            (1u32..1000).prop_map(|line| SetExpr::At(LocationSpec::FileLine { file: "a.c".into(), line })),
            "[a-z]{1,4} [<>] [0-9]{1,3}".prop_map(SetExpr::Condition),
        ];
        leaf.prop_recursive(5, 40, 2, |inner| {
            let pair = (inner.clone(), inner.clone());
            prop_oneof![
                inner.prop_map(|a| SetExpr::Not(Box::new(a))),
                pair.clone().prop_map(|(a, b)| SetExpr::And(Box::new(a), Box::new(b))),
                pair.clone().prop_map(|(a, b)| SetExpr::Or(Box::new(a), Box::new(b))),
                pair.prop_map(|(a, b)| SetExpr::Minus(Box::new(a), Box::new(b))),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_back(set in sets(), thread in proptest::option::of(1u32..9)) {
            prop_assert_eq!(&parse_set(&set.to_string()).unwrap(), &set);
            let scope = Scope { set, thread: thread.map(ThreadId) };
            prop_assert_eq!(parse_scope(&scope.to_string()).unwrap(), scope);
        }

        #[test]
        fn garbage_is_an_error_not_a_panic(text in "\\PC{0,24}", near in "[0-3a(){}.,:!&| -]{0,24}") {
            for text in [text, near] {
                match parse_scope(&text) {
                    Ok(scope) => prop_assert_eq!(parse_scope(&scope.to_string()), Ok(scope)),
                    Err(error) => prop_assert!(error.position <= text.chars().count(), "{:?}: {:?}", text, error),
                }
                let line = format!("[{text}] go");
                match parse_prefix(&line) {
                    Ok((_, length)) => prop_assert!(line.get(..length).is_some_and(|set| set.ends_with(']'))),
                    Err(error) => prop_assert!(error.position <= line.chars().count(), "{:?}: {:?}", line, error),
                }
            }
        }
    }
}

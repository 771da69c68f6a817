//! A line: `[SET] NAME[/FORMAT] ARGUMENTS # comment`.

use super::arguments::{Arguments, characters};
use super::comment::without_comment;
use super::line_error::LineError;
use super::unsupported::{instead, instead_of_arguments};
use super::{Command, Entry, table};
use crate::sets::{Scope, SetSyntaxError, parse_prefix};
use std::collections::BTreeMap;

/// Longest line that is read.
const LONGEST: usize = 64 * 1024;

/// A line that is understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Invocation {
    /// Whom it names; `None`: the focus.
    pub scope: Option<Scope>,
    /// What is to be done.
    pub command: Command,
    /// Where the arguments begin, in characters: to it the places in expressions are added.
    pub arguments_at: usize,
}

/// Whether a line asks for nothing: it is empty, or a comment.
pub fn is_blank(line: &str) -> bool {
    without_comment(line).trim().is_empty()
}

/// Understands a line. `aliases` are those of the user; they stand for the text before the arguments.
pub fn parse_line(line: &str, aliases: &BTreeMap<String, String>) -> Result<Invocation, LineError> {
    if line.len() > LONGEST {
        return Err(LineError { message: format!("the line is longer than {LONGEST} characters"), position: 0 });
    }
    let line = without_comment(line);
    let mut start = line.len() - line.trim_start().len();
    let mut scope = None;
    if line.get(start..).is_some_and(|rest| rest.starts_with('[')) {
        let rest = line.get(start..).unwrap_or("");
        let (parsed, length) = parse_prefix(rest)
            .map_err(|e| LineError { message: e.message, position: characters(line, start) + e.position })?;
        scope = Some(parsed);
        start += length;
    }
    let mut arguments = Arguments { line, at: start, format: None };
    let rest = arguments.rest();
    if rest.is_empty() {
        return match scope {
            None => Ok(Invocation { scope, command: Command::Nothing, arguments_at: 0 }),
            Some(_) => Err(arguments.fault(line.len(), "a command is missing after the set")),
        };
    }
    let name = name_at(rest);
    if let Some(text) = aliases.get(name) {
        return expanded(text, line, arguments.place(), name.len(), scope);
    }
    let entry = entry_of(&mut arguments, name)?;
    if let Some((_, at)) = arguments.format
        && !entry.takes_format
    {
        return Err(arguments.fault(at - 1, format!("{} takes no format", entry.name)));
    }
    let arguments_at = characters(line, arguments.place());
    let given = arguments.rest();
    let parsed = (entry.parse)(&mut arguments).and_then(|command| arguments.end().map(|()| command));
    match parsed {
        Ok(command) => Ok(Invocation { scope, command, arguments_at }),
        Err(error) => Err(match instead_of_arguments(entry.name, given) {
            Some(words) => LineError { message: format!("{}: {words}", error.message), ..error },
            None => error,
        }),
    }
}

/// Checks that a line, of which only the beginning may be there, begins with a command.
pub(super) fn check_beginning(line: &str) -> Result<(), LineError> {
    let start = if line.starts_with('[') {
        let wrong = |e: SetSyntaxError| LineError { message: e.message, position: e.position };
        parse_prefix(line).map_err(wrong)?.1
    } else {
        0
    };
    let mut arguments = Arguments { line, at: start, format: None };
    let name = name_at(arguments.rest());
    entry_of(&mut arguments, name).map(drop)
}

/// The name of a command that text begins with.
fn name_at(text: &str) -> &str {
    let length = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(text.len());
    text.get(..length).unwrap_or("")
}

/// Takes the name of a command, of one word or two, and the format behind it.
fn entry_of(arguments: &mut Arguments<'_>, name: &str) -> Result<&'static Entry, LineError> {
    let name_at = arguments.place();
    if name.is_empty() {
        let shell = if arguments.rest().starts_with('!') { ": for those of a shell, use another terminal" } else { "" };
        return Err(arguments.fault(name_at, format!("a command is wanted; \"help\" lists them{shell}")));
    }
    arguments.at = name_at + name.len();
    let after = arguments.line.get(arguments.at..).unwrap_or("");
    let entry = if let Some(slash) = after.strip_prefix('/') {
        let end = slash.find(char::is_whitespace).unwrap_or(slash.len());
        arguments.format = slash.get(..end).map(|text| (text, arguments.at + 1));
        arguments.at += 1 + end;
        find(name, arguments, name_at)?
    } else if !after.is_empty() && !after.starts_with(char::is_whitespace) {
        let c = after.chars().next().unwrap_or(' ');
        return Err(arguments.fault(arguments.at, format!("unexpected {c:?} after {name:?}")));
    } else {
        let mut second = *arguments;
        let both = second.word()?.and_then(|word| table::find_two_words(name, &word.text));
        match both {
            Some(entry) => {
                *arguments = second;
                entry
            }
            None => find(name, arguments, name_at)?,
        }
    };
    // As to gdb, a blank may stand before the slash: no expression begins with one.
    if arguments.format.is_none()
        && entry.takes_format
        && let Some(slash) = arguments.rest().strip_prefix('/')
    {
        let at = arguments.place() + 1;
        let end = slash.find(char::is_whitespace).unwrap_or(slash.len());
        arguments.format = slash.get(..end).map(|text| (text, at));
        arguments.at = at + end;
    }
    Ok(entry)
}

fn find(name: &str, arguments: &Arguments<'_>, at: usize) -> Result<&'static Entry, LineError> {
    let line = arguments.line.get(at..).unwrap_or("");
    if !table::is_name(name)
        && let Some((words, what)) = instead(line)
    {
        return Err(arguments.fault(at, format!("there is no {words:?} here: {what}")));
    }
    if "info".starts_with(name) && name.len() > 1 {
        return Err(arguments.fault(at, table::info_is_followed_by()));
    }
    table::find(name).map_err(|candidates| {
        let message = match candidates.as_slice() {
            [] => match table::nearest_command(name) {
                Some(near) => format!("there is no command {name:?}; did you mean {near:?}?"),
                None => format!("there is no command {name:?}; \"help\" lists them"),
            },
            some => format!("{name:?} may mean {}", some.join(", ")),
        };
        arguments.fault(at, message)
    })
}

/// A line whose first word is the user's own name for some text. Places inside that text are those of the name.
fn expanded(
    text: &str,
    line: &str,
    name_at: usize,
    length: usize,
    scope: Option<Scope>,
) -> Result<Invocation, LineError> {
    let rest = line.get(name_at + length..).unwrap_or("");
    // Aliases of aliases are not expanded: no circle is possible.
    let none = BTreeMap::new();
    let shift = characters(line, name_at + length) as i64 - text.chars().count() as i64;
    let moved = |position: usize| {
        if position < text.chars().count() {
            characters(line, name_at)
        } else {
            (position as i64 + shift).max(0) as usize
        }
    };
    let mut invocation = parse_line(&format!("{text}{rest}"), &none)
        .map_err(|e| LineError { message: e.message, position: moved(e.position) })?;
    invocation.scope = scope.or(invocation.scope);
    invocation.arguments_at = moved(invocation.arguments_at);
    Ok(invocation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{Examined, Extent, Form, ListRange, PrintForm, Stacks, WaitFor, When};
    use crate::sets::{SetExpr, parse_scope};
    use model::aif::FormatLetter;
    use model::{BreakpointId, Catch, LocationSpec, SignalName, StepKind, ThreadId, WatchAccess};
    use proptest::prelude::*;

    fn parse(line: &str) -> Result<Invocation, LineError> {
        parse_line(line, &BTreeMap::new())
    }

    fn command(line: &str) -> Command {
        parse(line).unwrap_or_else(|error| panic!("{line}: {error} at {}", error.position)).command
    }

    fn breaks(location: &str, condition: Option<&str>, ignore: u64) -> Command {
        Command::Break {
            location: Some(LocationSpec::parse(location).unwrap()),
            temporary: false,
            when: When { condition: condition.map(str::to_owned), ignore, thread: None },
        }
    }

    fn in_hexadecimal(raw: bool) -> PrintForm {
        PrintForm { letter: Some(FormatLetter::Hexadecimal), raw, ..PrintForm::default() }
    }

    #[test]
    fn the_word_of_a_condition_in_quotes_is_part_of_a_place() {
        assert_eq!(command("break 'a if b.c':3 if x > 1"), breaks("a if b.c:3", Some("x > 1"), 0));
        assert_eq!(command("break \"a.c\":'f(int)' if x == 'y' after 2"), breaks("a.c:f(int)", Some("x == 'y'"), 2));
        assert_eq!(command("break <impl S<'a>>::f if x"), breaks("<impl S<'a>>::f", Some("x"), 0));
        assert_eq!(parse("break 'a.c").unwrap_err().position, 6);
    }

    #[test]
    fn names_are_found_by_alias_and_prefix() {
        for (line, wanted) in [
            ("print n # the size", Command::Print(PrintForm::default(), "n".into())),
            ("p/x n + 1", Command::Print(in_hexadecimal(false), "n + 1".into())),
            ("p/rx n", Command::Print(in_hexadecimal(true), "n".into())),
            ("p/xr n", Command::Print(in_hexadecimal(true), "n".into())),
            ("p /r n", Command::Print(PrintForm { raw: true, ..PrintForm::default() }, "n".into())),
            ("p -n", Command::Print(PrintForm::default(), "-n".into())),
            (
                "p -elements 3 -rep unlimited -- -n",
                Command::Print(
                    PrintForm { elements: Some(3), repeats: Some(u32::MAX), ..PrintForm::default() },
                    "-n".into(),
                ),
            ),
            ("p -raw-values n", Command::Print(PrintForm { raw: true, ..PrintForm::default() }, "n".into())),
            ("dprint n", Command::Print(PrintForm::default(), "n".into())),
            ("print \"a # b\"", Command::Print(PrintForm::default(), "\"a # b\"".into())),
            ("c", Command::Go),
            ("cont", Command::Go),
            ("s 3", Command::Step(StepKind::Into, 3)),
            ("dout", Command::Step(StepKind::Finish, 1)),
            ("info break", Command::Breakpoints),
            ("i b", Command::Breakpoints),
            ("info locals", Command::Locals),
            ("bt -merge", Command::Where(Stacks { merge: true, ..Stacks::default() })),
            ("bt 3", Command::Where(Stacks { extent: Extent::Innermost(3), ..Stacks::default() })),
            ("where -limit 5", Command::Where(Stacks { extent: Extent::Innermost(5), ..Stacks::default() })),
            ("bt -3", Command::Where(Stacks { extent: Extent::Outermost(3), ..Stacks::default() })),
            ("bt full", Command::Where(Stacks { full: true, ..Stacks::default() })),
            ("where -full 2", Command::Where(Stacks { full: true, extent: Extent::Innermost(2), merge: false })),
            ("print /x 255", Command::Print(in_hexadecimal(false), "255".into())),
            ("x", Command::Examine(Examined { count: None, unit: None, form: None, back: false }, None)),
            ("x /2i $pc", {
                Command::Examine(
                    Examined { count: Some(2), unit: None, form: Some(Form::Instructions), back: false },
                    Some("$pc".into()),
                )
            }),
            ("delete 2-3 7", Command::Delete(vec![BreakpointId(2), BreakpointId(3), BreakpointId(7)])),
            ("d breakpoints", Command::Delete(Vec::new())),
            ("list -", Command::List(ListRange::Before)),
            ("list 7,", Command::List(ListRange::From(7))),
            ("list ,9", Command::List(ListRange::To(9))),
            ("set print elements 5", Command::Set("print-elements".into(), "5".into())),
            ("set listsize 7", Command::Set("list-size".into(), "7".into())),
            ("disassemble /s f", Command::Disassemble(Some(LocationSpec::Function("f".into())))),
            ("signal 0", Command::Signal(None)),
            ("signal usr1", Command::Signal(Some(SignalName("SIGUSR1".into())))),
            ("b ring.c:12", breaks("ring.c:12", None, 0)),
            ("break kernel if i > 3 && after after 7", breaks("kernel", Some("i > 3 && after"), 7)),
            ("break kernel after 2", breaks("kernel", None, 2)),
            ("watch a[i] + 1 thread 2 if a[i] > 3 after 4", {
                let when = When { condition: Some("a[i] > 3".into()), ignore: 4, thread: Some(ThreadId(2)) };
                Command::Watch { access: WatchAccess::Change, expression: "a[i] + 1".into(), when }
            }),
            ("awatch x", {
                Command::Watch { access: WatchAccess::Any, expression: "x".into(), when: When::default() }
            }),
            ("catch signal SIGUSR1 if n > 2", {
                let when = When { condition: Some("n > 2".into()), ..When::default() };
                Command::Catch(Catch::Signal(Some(SignalName("SIGUSR1".into()))), when)
            }),
            ("trace ring.c:12, f(a, b), c[1] after 3", {
                let location = Some(LocationSpec::parse("ring.c:12").unwrap());
                let when = When { ignore: 3, ..When::default() };
                Command::Trace { location, expressions: vec!["f(a, b)".into(), "c[1]".into()], when }
            }),
            ("delete 1 3", Command::Delete(vec![BreakpointId(1), BreakpointId(3)])),
            ("condition 1 x == 2", Command::Condition(BreakpointId(1), Some("x == 2".into()))),
            ("condition 1", Command::Condition(BreakpointId(1), None)),
            ("ignore 1 4", Command::After(BreakpointId(1), 4)),
            ("wait", Command::Wait(WaitFor::Stopped, None)),
            ("wait exited for 2.5", Command::Wait(WaitFor::Exited, Some(2.5))),
            ("set x = 3", Command::Assign("x = 3".into())),
            ("set var patience = 3", Command::Assign("patience = 3".into())),
            ("set patience 3", Command::Set("patience".into(), "3".into())),
            ("x/4xw &a[0]", {
                let form = Some(Form::Values(FormatLetter::Hexadecimal));
                Command::Examine(Examined { count: Some(4), unit: Some(4), form, back: false }, Some("&a[0]".into()))
            }),
            ("disassemble kernel", Command::Disassemble(Some(LocationSpec::Function("kernel".into())))),
            ("write &a[1] 0aFF", Command::Write("&a[1]".into(), vec![0x0a, 0xff])),
            (
                "handle USR1 nostop pass",
                Command::Handle {
                    names: vec![SignalName("SIGUSR1".into())],
                    stop: Some(false),
                    print: None,
                    pass: Some(true),
                },
            ),
            ("source \"my file\"", Command::Source(Some("my file".into()))),
            ("alias k = break kernel if", Command::Alias(Some(("k".into(), "break kernel if".into())))),
            ("   # nothing", Command::Nothing),
        ] {
            assert_eq!(command(line), wanted, "{line}");
        }
    }

    #[test]
    fn a_set_may_stand_in_front() {
        let invocation = parse("[0-3,9.2] print x[1]").unwrap();
        assert_eq!(invocation.scope, Some(parse_scope("0-3,9.2").unwrap()));
        assert_eq!(invocation.arguments_at, 16);
        assert_eq!(parse("[stopped]go").unwrap().scope.unwrap().set, SetExpr::Stopped);
    }

    #[test]
    fn faults_name_their_place() {
        for (line, position, message) in [
            ("prnt x", 0, "did you mean \"print\""),
            ("[0-3,] print x", 5, "unexpected ']'"),
            ("[0-3 print x", 5, "\"]\" is missing"),
            ("  [0]", 5, "a command is missing"),
            ("print", 5, "an expression is missing"),
            ("break ring.c:0", 13, "a line number"),
            ("delete one", 7, "the number of a breakpoint"),
            ("catch fire", 6, "can be caught, not"),
            ("trace kernel", 12, "an expression is missing"),
            ("watch", 5, "an expression is missing"),
            ("step many", 5, "a number"),
            ("go now", 3, "a number of arrivals is wanted"),
            ("halt now", 5, "one word too many"),
            ("go/x", 2, "go takes no format"),
            ("print/q x", 6, "'q' is no format"),
            ("print/i x", 6, "x/i and disassemble"),
            ("handle SIGNONE stop", 7, "no signal"),
            ("handle SIGUSR1 halt", 15, "stop, nostop"),
            ("focus 0-", 8, "a set is missing"),
            ("wait for soon", 9, "seconds"),
            ("source \"open", 7, "closing quote"),
            ("write &x 0a1", 9, "pairs of hexadecimal digits"),
            ("set x", 4, "no setting"),
            ("un", 0, "\"un\" may mean ungroup, until, unhold"),
            ("?", 0, "a command is wanted"),
            ("print+", 5, "unexpected '+'"),
        ] {
            let error = parse(line).expect_err(line);
            assert!(error.message.contains(message), "{line}: {error}");
            assert_eq!(error.position, position, "{line}: {error}");
        }
        assert!(parse(&"x".repeat(LONGEST + 1)).is_err());
    }

    #[test]
    fn aliases_of_the_user_stand_for_text() {
        let aliases: BTreeMap<String, String> = [("bk".to_owned(), "[0-1] break kernel if".to_owned())].into();
        let invocation = parse_line("bk x > 1", &aliases).unwrap();
        assert_eq!(invocation.command, breaks("kernel", Some("x > 1"), 0));
        assert_eq!(invocation.scope.unwrap().set.to_string(), "0-1");
        let chosen = parse_line("[3] bk x > 1", &aliases).unwrap();
        assert_eq!(chosen.scope.unwrap().set.to_string(), "3");
    }

    proptest! {
        /// What a line means does not depend on blanks before it and a comment behind it; where it is wrong moves along.
        #[test]
        fn a_line_means_the_same_between_blanks_and_a_comment(
            line in "\\PC{0,40}",
            near in "(\\[0-3\\] )?[a-z]{1,6}(/[a-z0-9]{0,3})? [a-z0-9\"=*:(){},.-]{0,12}",
            real in prop::sample::select(&["print x[1]", "[0-3.2] step 3", "break a.c:1 if n > 2", "x/4xw &a", "wait for 2"][..]),
            cut in 0..24_usize,
        ) {
            let part = real.chars().take(cut).collect();
            for line in [line, near, real.to_owned(), part] {
                let line = without_comment(&line).to_owned();
                let quoted = without_comment(&format!("{line} #")).len() != line.len();
                match (parse(&line), parse(&format!("  {line}")), parse(&format!("{line} # comment"))) {
                    (Ok(plain), Ok(moved), commented) => {
                        prop_assert_eq!((&plain.scope, &plain.command), (&moved.scope, &moved.command));
                        prop_assert!(plain.command == Command::Nothing || moved.arguments_at == plain.arguments_at + 2);
                        prop_assert!(plain.arguments_at <= line.chars().count());
                        if let Some(scope) = &plain.scope {
                            prop_assert_eq!(&parse_scope(&scope.to_string()).unwrap(), scope);
                        }
                        prop_assert!(quoted || commented == Ok(plain));
                    }
                    (Err(plain), Err(moved), commented) => {
                        prop_assert!(plain.position <= line.chars().count(), "{:?}: {:?}", line, plain);
                        prop_assert_eq!((plain.position + 2, &plain.message), (moved.position, &moved.message));
                        prop_assert!(quoted || commented == Err(plain));
                    }
                    (plain, moved, _) => prop_assert!(false, "{:?}: {:?}, {:?}", line, plain, moved),
                }
            }
        }
    }
}

//! Parses the commands about how the program is started: `run ARGS`, `set args`, `set environment`, `set cwd` and the
//! like. `save` writes them with [`lines_of`].

use crate::command::arguments::Arguments;
use crate::command::line_error::LineError;
use crate::command::shell_words::{join, quote, split, split_with_input};
use crate::command::{Command, GivenArguments, RunCommand, StartCommand};
use model::StartChanges;

/// The words after `set` and `show` that are about the start of the program.
pub(in crate::command) const NAMES: &[&str] = &["args", "environment", "cwd", "disable-randomization"];

/// Returns the full name of a word after `set`, `show` or `unset`; gdb allows shorter ones of `environment`.
fn name_of(word: &str) -> Option<&'static str> {
    let begins =
        |name: &&&str| **name == word || (word.len() >= 3 && name.starts_with(word) && **name == "environment");
    NAMES.iter().find(begins).copied()
}

/// Splits the rest of a line into words.
fn words(arguments: &mut Arguments<'_>) -> Result<Vec<String>, LineError> {
    let at = arguments.place();
    let text = arguments.take_rest();
    split(text).map_err(|error| arguments.fault(at + error.at, error.message))
}

/// Splits the rest of a line into words for the program and the file that it reads.
fn given(arguments: &mut Arguments<'_>) -> Result<GivenArguments, LineError> {
    let at = arguments.place();
    let text = arguments.take_rest();
    let (words, input) = split_with_input(text).map_err(|error| arguments.fault(at + error.at, error.message))?;
    Ok(GivenArguments { words, input: input.map(|(_, file)| file) })
}

/// The same for a start; `None` if the line has none.
fn given_to_start(arguments: &mut Arguments<'_>) -> Result<Option<GivenArguments>, LineError> {
    Ok(Some(given(arguments)?).filter(|given| *given != GivenArguments::default()))
}

pub(in crate::command) fn restart(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(RunCommand::Restart(given_to_start(arguments)?).into())
}

pub(in crate::command) fn run(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(RunCommand::Run(given_to_start(arguments)?).into())
}

pub(in crate::command) fn restart_at_first_instruction(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(RunCommand::RestartAtFirstInstruction(given_to_start(arguments)?).into())
}

pub(in crate::command) fn set_directory(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let mut directory = words(arguments)?.into_iter();
    match (directory.next(), directory.next()) {
        (directory, None) => Ok(StartCommand::SetDirectory(directory.filter(|text| !text.is_empty())).into()),
        _ => Err(arguments.fault(at, "expected one directory; put a name with blanks in quotes")),
    }
}

pub(in crate::command) fn show_directory(_: &mut Arguments<'_>) -> Result<Command, LineError> {
    Ok(StartCommand::ShowDirectory.into())
}

/// Takes `[-n] TEXT` or `-eof`. TEXT is the rest of the line; one that begins with a quote is a word.
pub(in crate::command) fn send(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let at = arguments.place();
    let text = arguments.take_rest();
    if text == "-eof" {
        return Ok(RunCommand::SendEnd.into());
    }
    let (rest, newline) = match text.strip_prefix("-n") {
        Some(rest) if rest.is_empty() || rest.starts_with(char::is_whitespace) => (rest.trim_start(), ""),
        _ => (text, "\n"),
    };
    if rest.is_empty() && newline.is_empty() {
        return Err(arguments.fault(at + text.len(), "expected a text after -n"));
    }
    let rest_at = at + text.len() - rest.len();
    Ok(RunCommand::Send(format!("{}{newline}", rest_or_word(arguments, rest, rest_at)?)).into())
}

/// Returns a text as it is, or without its quotes if it begins with one.
fn rest_or_word(arguments: &Arguments<'_>, text: &str, at: usize) -> Result<String, LineError> {
    if !text.starts_with(['"', '\'']) {
        return Ok(text.to_owned());
    }
    match split(text).map_err(|error| arguments.fault(at + error.at, error.message))?.as_slice() {
        [word] => Ok(word.clone()),
        _ => Err(arguments.fault(at, "expected nothing after the closing quote")),
    }
}

/// Parses the rest after `set` if it is about the start of the program.
pub(super) fn set(arguments: &mut Arguments<'_>) -> Result<Option<Command>, LineError> {
    let mut ahead = *arguments;
    let Some(name) = ahead.word()?.and_then(|word| name_of(&word.text)) else { return Ok(None) };
    // A variable of the program may have such a name.
    if ahead.rest().starts_with('=') {
        return Ok(None);
    }
    *arguments = ahead;
    Ok(Some(match name {
        "args" => StartCommand::SetArguments(given(arguments)?).into(),
        "cwd" => return set_directory(arguments).map(Some),
        "disable-randomization" => StartCommand::SetRandomisation(randomisation(arguments)?).into(),
        _ => variable(arguments)?.into(),
    }))
}

/// Takes `on` or `off`, as gdb spells it: `on`, and nothing, disable it.
fn randomisation(arguments: &mut Arguments<'_>) -> Result<bool, LineError> {
    match arguments.word()? {
        None => Ok(false),
        Some(word) => match word.text.as_str() {
            "on" | "yes" | "enable" | "1" => Ok(false),
            "off" | "no" | "disable" | "0" => Ok(true),
            _ => Err(arguments.fault(word.at, "expected on or off")),
        },
    }
}

/// Takes `NAME=VALUE` or `NAME VALUE`. The value is the rest of the line; one that begins with a quote is a word.
fn variable(arguments: &mut Arguments<'_>) -> Result<StartCommand, LineError> {
    let at = arguments.place();
    let text = arguments.take_rest();
    let end = text.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    if name.is_empty() {
        return Err(arguments.fault(at, "expected NAME=VALUE"));
    }
    let rest = rest.trim_start();
    let value = rest.strip_prefix('=').unwrap_or(rest).trim_start();
    let value_at = at + text.len() - value.len();
    Ok(StartCommand::SetVariable(name.to_owned(), rest_or_word(arguments, value, value_at)?))
}

pub(super) fn unset(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let word = arguments.required("\"environment NAME\" or \"substitute-path\"")?;
    if name_of(&word.text) != Some("environment") {
        return Err(
            arguments.fault(word.at, "expected \"environment NAME\" or \"substitute-path\"; \"set\" changes settings")
        );
    }
    let name = arguments.required("the name of a variable")?;
    if name.text.is_empty() || name.text.contains('=') {
        return Err(arguments.fault(name.at, "expected the name of a variable"));
    }
    Ok(StartCommand::UnsetVariable(name.text).into())
}

/// Parses the rest after `show` if it is about the start of the program.
pub(super) fn show(arguments: &mut Arguments<'_>) -> Result<Option<Command>, LineError> {
    let mut ahead = *arguments;
    let Some(name) = ahead.word()?.and_then(|word| name_of(&word.text)) else { return Ok(None) };
    *arguments = ahead;
    Ok(Some(match name {
        "args" => StartCommand::ShowArguments.into(),
        "cwd" => StartCommand::ShowDirectory.into(),
        "disable-randomization" => StartCommand::ShowRandomisation.into(),
        _ => StartCommand::ShowEnvironment(arguments.word()?.map(|word| word.text)).into(),
    }))
}

/// Returns arguments as `run` and `set args` take them.
pub(crate) fn text_of(given: &GivenArguments) -> String {
    let input = given.input.iter().map(|file| format!("< {}", quote(file)));
    let words = Some(join(&given.words)).filter(|words| !words.is_empty());
    words.into_iter().chain(input).collect::<Vec<_>>().join(" ")
}

/// Returns the lines that make these changes.
pub(crate) fn lines_of(changes: &StartChanges) -> Vec<String> {
    let of_arguments = |words: &Vec<String>| {
        let given = GivenArguments { words: words.clone(), input: changes.input.clone() };
        format!("set args {}", text_of(&given)).trim_end().to_owned()
    };
    let arguments = changes.arguments.iter().map(of_arguments);
    let variables = changes.environment.iter().map(|(name, value)| match value {
        Some(value) => format!("set environment {name}={}", quote(value)),
        None => format!("unset environment {}", quote(name)),
    });
    let directory = changes.directory.iter().map(|directory| format!("set cwd {}", quote(directory)));
    let randomise = changes
        .randomise
        .map(|randomise| format!("set disable-randomization {}", if randomise { "off" } else { "on" }));
    arguments.chain(variables).chain(directory).chain(randomise).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::parse_line;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn parsed(line: &str) -> Command {
        parse_line(line, &BTreeMap::new()).unwrap_or_else(|error| panic!("{line}: {error}")).command
    }

    fn words(words: &[&str], input: Option<&str>) -> GivenArguments {
        GivenArguments { words: words.iter().map(|&word| word.to_owned()).collect(), input: input.map(str::to_owned) }
    }

    fn of_variable(name: &str, value: &str) -> Command {
        StartCommand::SetVariable(name.into(), value.into()).into()
    }

    #[test]
    fn the_start_is_set_in_gdbs_spelling() {
        assert_eq!(parsed("run -n 'a b'"), RunCommand::Run(Some(words(&["-n", "a b"], None))).into());
        assert_eq!(parsed("run < in.txt"), RunCommand::Run(Some(words(&[], Some("in.txt")))).into());
        assert_eq!(parsed("set args a < 'in put'"), StartCommand::SetArguments(words(&["a"], Some("in put"))).into());
        assert_eq!(parsed("start"), RunCommand::Restart(None).into());
        assert_eq!(parsed("set args"), StartCommand::SetArguments(GivenArguments::default()).into());
        for line in ["set env A=x y", "set environment A x y", "set environment A = x y", "set environ A=\"x y\""] {
            assert_eq!(parsed(line), of_variable("A", "x y"), "{line}");
        }
        assert_eq!(parsed("set environment A"), of_variable("A", ""));
        assert_eq!(parsed("set environment A=b=c"), of_variable("A", "b=c"));
        assert_eq!(parsed("unset env A"), StartCommand::UnsetVariable("A".into()).into());
        assert_eq!(parsed("set cwd"), StartCommand::SetDirectory(None).into());
        assert_eq!(parsed("set disable-randomization off"), StartCommand::SetRandomisation(true).into());
        assert_eq!(parsed("set disable-randomization"), StartCommand::SetRandomisation(false).into());
        assert_eq!(parsed("show disable-randomization"), StartCommand::ShowRandomisation.into());
        assert_eq!(parsed("show environment A"), StartCommand::ShowEnvironment(Some("A".into())).into());
        let refused = |line: &str| parse_line(line, &BTreeMap::new()).unwrap_err();
        assert!(refused("run a > b").message.contains("no shell"));
        assert_eq!(refused("run a > b").position, 6);
        assert!(refused("unset environment").message.contains("name of a variable"));
        assert!(refused("set cwd a b").message.contains("one directory"));
    }

    #[test]
    fn a_text_is_sent_as_typed_or_quoted() {
        let sent = |text: &str| Command::from(RunCommand::Send(text.into()));
        for (line, text) in [
            ("send a  b\"c\"", "a  b\"c\"\n"),
            ("send", "\n"),
            ("send -n yes", "yes"),
            ("send \" x # y\" # a comment", " x # y\n"),
            ("send '-eof'", "-eof\n"),
            ("send -now", "-now\n"),
        ] {
            assert_eq!(parsed(line), sent(text), "{line}");
        }
        assert_eq!(parsed("[0] send -eof"), RunCommand::SendEnd.into());
        assert!(parse_line("send -n", &BTreeMap::new()).is_err());
    }

    #[test]
    fn arguments_that_begin_with_an_equals_sign_are_saved_in_quotes() {
        let words = vec!["=".to_owned(), "=x".to_owned()];
        let changes = StartChanges { arguments: Some(words.clone()), ..StartChanges::default() };
        let [line] = lines_of(&changes).try_into().unwrap();
        let given = GivenArguments { words, input: None };
        assert_eq!(parsed(&line), StartCommand::SetArguments(given).into(), "{line}");
    }

    proptest! {
        #[test]
        fn changes_are_saved_as_lines_that_make_them(
            arguments in prop::option::of(prop::collection::vec("[^\r\n]{0,9}", 0..4)),
            file in prop::option::of("[^\r\n]{0,9}"),
            environment in prop::collection::btree_map("[A-Za-z_][A-Za-z0-9_]{0,5}", prop::option::of("[^\r\n]{0,9}"), 0..4),
            directory in prop::option::of("/[^\r\n]{0,9}"),
            randomise in any::<Option<bool>>(),
        ) {
            // Both come from one command.
            let input = file.filter(|_| arguments.is_some());
            let changes = StartChanges { arguments, input, environment, directory, stop_at: None, randomise };
            let mut read = StartChanges::default();
            for line in lines_of(&changes) {
                match parsed(&line) {
                    Command::Start(StartCommand::SetArguments(given)) => {
                        (read.arguments, read.input) = (Some(given.words), given.input);
                    }
                    Command::Start(StartCommand::SetVariable(name, value)) => {
                        read.environment.insert(name, Some(value));
                    }
                    Command::Start(StartCommand::UnsetVariable(name)) => {
                        read.environment.insert(name, None);
                    }
                    Command::Start(StartCommand::SetDirectory(directory)) => read.directory = directory,
                    Command::Start(StartCommand::SetRandomisation(randomise)) => read.randomise = Some(randomise),
                    other => prop_assert!(false, "{line}: {other:?}"),
                }
            }
            prop_assert_eq!(read, changes);
        }
    }
}

//! Arguments of the command about requests for a debugger.

use crate::command::arguments::{Arguments, Word};
use crate::command::line_error::LineError;
use crate::command::{Command, DebuggerCommand, Parting, Reverse};

const WANTED: &str = "list, accept, reject, wait or listen";

pub(in crate::command) fn reverse(arguments: &mut Arguments<'_>) -> Result<Command, LineError> {
    let what = arguments.required(WANTED)?;
    // As options of dload they have a dash.
    let reverse = match what.text.strip_prefix('-').unwrap_or(&what.text) {
        "list" => Reverse::List,
        "accept" => {
            let meant = arguments.word()?.map(|word| word.text);
            Reverse::Accept(meant, parting(arguments)?)
        }
        "reject" => {
            let id = arguments.required("a request ID")?.text;
            Reverse::Reject(id, reason(arguments)?)
        }
        "wait" => Reverse::Wait(arguments.word()?.map(|word| seconds(arguments, &word)).transpose()?),
        "listen" => {
            let word = arguments.required("on or off")?;
            match word.text.as_str() {
                "on" => Reverse::Listen(true),
                "off" => Reverse::Listen(false),
                other => return Err(arguments.fault(word.at, format!("expected on or off, not {other:?}"))),
            }
        }
        other => return Err(arguments.fault(what.at, format!("expected {WANTED}, not {other:?}"))),
    };
    Ok(DebuggerCommand::Reverse(reverse).into())
}

fn parting(arguments: &mut Arguments<'_>) -> Result<Parting, LineError> {
    let Some(word) = arguments.word()? else { return Ok(Parting::Stay) };
    match word.text.as_str() {
        "leave" => Ok(Parting::Leave),
        "kill" => Ok(Parting::Kill),
        other => Err(arguments.fault(word.at, format!("expected leave or kill, not {other:?}"))),
    }
}

/// Takes the rest of the line without quotes around it.
fn reason(arguments: &mut Arguments<'_>) -> Result<Option<String>, LineError> {
    let mut probe = *arguments;
    if let Some(word) = probe.word()?
        && probe.rest().is_empty()
    {
        *arguments = probe;
        return Ok(Some(word.text).filter(|text| !text.is_empty()));
    }
    Ok(Some(arguments.take_rest().to_owned()).filter(|text| !text.is_empty()))
}

fn seconds(arguments: &Arguments<'_>, word: &Word) -> Result<f64, LineError> {
    match word.text.parse::<f64>() {
        Ok(seconds) if (0.0..=1e8).contains(&seconds) => Ok(seconds),
        _ => Err(arguments.fault(word.at, format!("expected a number of seconds, not {:?}", word.text))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::parse_line;

    fn parse(line: &str) -> Result<Reverse, LineError> {
        match parse_line(line, &Default::default())?.command {
            Command::Debugger(DebuggerCommand::Reverse(reverse)) => Ok(reverse),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn both_spellings_mean_the_same() {
        for (line, alias, meant) in [
            ("reverse list", "dload -list", Reverse::List),
            ("reverse accept n1-4-ab", "dload -accept n1-4-ab", Reverse::Accept(Some("n1-4-ab".into()), Parting::Stay)),
            ("reverse accept", "dload -accept", Reverse::Accept(None, Parting::Stay)),
            ("reverse accept x leave", "dload -accept x leave", Reverse::Accept(Some("x".into()), Parting::Leave)),
            ("reverse accept x kill", "dload -accept x kill", Reverse::Accept(Some("x".into()), Parting::Kill)),
            ("reverse reject x", "dload -reject x", Reverse::Reject("x".into(), None)),
            (
                "reverse reject x the queue  is full",
                "dload -reject x \"the queue  is full\"",
                Reverse::Reject("x".into(), Some("the queue  is full".into())),
            ),
            ("reverse wait 2.5", "dload -wait 2.5", Reverse::Wait(Some(2.5))),
            ("reverse listen on", "dload -listen on", Reverse::Listen(true)),
        ] {
            assert_eq!(parse(line).as_ref(), Ok(&meant), "{line}");
            assert_eq!(parse(alias), Ok(meant), "{alias}");
        }
        assert_eq!(parse("reverse wait"), Ok(Reverse::Wait(None)));
        assert_eq!(parse("reverse reject x \"\""), Ok(Reverse::Reject("x".into(), None)));
    }

    #[test]
    fn what_is_wrong_is_pointed_at() {
        for (line, position) in [
            ("reverse", 7),
            ("reverse fly", 8),
            ("reverse listen", 14),
            ("reverse listen maybe", 15),
            ("reverse accept x away", 17),
            ("reverse reject", 14),
            ("reverse wait soon", 13),
            ("reverse wait -1", 13),
            ("reverse list all", 13),
        ] {
            assert_eq!(parse(line).map_err(|error| error.position), Err(position), "{line}");
        }
    }
}

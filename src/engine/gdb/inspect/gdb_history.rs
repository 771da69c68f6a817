//! gdb's value history, in which the values of commands for other ranks have numbers, too.

use crate::gdb::mi::Command;
use crate::gdb::session::fault::GdbError;
use crate::gdb::session::gdb::Gdb;
use expr::value_history::{Dollar, value_of_others};
use std::collections::BTreeSet;

/// Values that are added at once; a number beyond is an error of gdb.
const MOST_ADDED: usize = 10_000;

/// The numbers of gdb's value history that stand for values of other ranks.
#[derive(Debug, Default)]
pub(super) struct GdbHistory {
    of_others: BTreeSet<u32>,
}

impl GdbHistory {
    /// Adds values to gdb's history until it has this many.
    pub(super) fn reach(&mut self, gdb: &mut Gdb, count: u32) -> Result<(), GdbError> {
        let mut known = last_number(gdb)?;
        for _ in 0..MOST_ADDED {
            if known >= count {
                break;
            }
            let said = gdb.ask(&Command::console("print 0"))?.words;
            let Some(number) = number_of(&said).filter(|number| *number > known) else { break };
            self.of_others.insert(number);
            known = number;
        }
        Ok(())
    }

    /// Refuses an expression with a value of other ranks; holds the reason.
    pub(super) fn check(&self, gdb: &mut Gdb, expression: &str) -> Result<Result<(), String>, GdbError> {
        if self.of_others.is_empty() || !expression.contains('$') {
            return Ok(Ok(()));
        }
        for dollar in dollars(expression) {
            let number = match dollar {
                Dollar::Number(number) => u32::try_from(number).ok(),
                Dollar::Back(back) => u32::try_from(back)
                    .ok()
                    .zip(Some(last_number(gdb)?))
                    .and_then(|(back, last)| last.checked_sub(back)),
                Dollar::Name(_) => None,
            };
            if let Some(number) = number.filter(|number| self.of_others.contains(number)) {
                return Ok(Err(value_of_others(number as usize)));
            }
        }
        Ok(Ok(()))
    }
}

/// Returns the number of gdb's last value; 0 if there is none.
fn last_number(gdb: &mut Gdb) -> Result<u32, GdbError> {
    match gdb.ask(&Command::console("show values")) {
        Ok(answered) => Ok(answered.words.lines().filter_map(number_of).next_back().unwrap_or(0)),
        Err(GdbError::Refused(_)) => Ok(0),
        Err(gone) => Err(gone),
    }
}

/// Returns the number before a value: `$12 = …`.
fn number_of(line: &str) -> Option<u32> {
    line.strip_prefix('$')?.split_once(" = ")?.0.parse().ok()
}

/// Returns the values of the history, and the variables, that an expression names; texts are no part of it.
fn dollars(expression: &str) -> Vec<Dollar<'_>> {
    let mut found = Vec::new();
    let (mut quote, mut escaped) = (None, false);
    let mut rest = expression;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        rest = after;
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(end) if c == end => quote = None,
            Some(_) => {}
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c == '$' => {
                let is_part = |c: char| c == '$' || c == '_' || c.is_ascii_alphanumeric();
                let length = after.find(|c| !is_part(c)).unwrap_or(after.len());
                let (name, behind) = after.split_at(length);
                found.push(Dollar::parse(name));
                rest = behind;
            }
            None => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_are_found_outside_of_texts() {
        use Dollar::{Back, Name, Number};
        for (expression, expected) in [
            ("$1 + $$2*$", vec![Number(1), Back(2), Back(0)]),
            ("f(\"$1 \\\" $2\", $3)", vec![Number(3)]),
            ("'$' + $rip", vec![Name("rip")]),
            ("$", vec![Back(0)]),
            ("ü$$", vec![Back(1)]),
            ("a", vec![]),
        ] {
            assert_eq!(dollars(expression), expected, "{expression}");
        }
    }

    #[test]
    fn numbers_stand_before_values() {
        assert_eq!(number_of("$12 = {a = 1}"), Some(12));
        assert_eq!(number_of("  b = $1 = 2"), None);
    }
}

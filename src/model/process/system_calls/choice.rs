//! The system calls that a catchpoint waits for.

use super::system_call::{CallGroup, SystemCall};
use crate::did_you_mean;
use serde::{Deserialize, Serialize};
use std::fmt;

/// System calls by name, number or group; none: any call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CallChoice(Vec<Chosen>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
enum Chosen {
    Call(SystemCall),
    Group(CallGroup),
}

/// The largest number that the kernel accepts for calls with the numbers of x86-64.
const GREATEST: u32 = 0x3fff_ffff;

impl CallChoice {
    /// Parses words separated by blanks: names, numbers, `group:NAME` or `g:NAME`. Fails with the position of a word, in
    /// characters, and the reason.
    pub fn parse(text: &str) -> Result<Self, (usize, String)> {
        let mut chosen = Vec::new();
        for word in text.split_whitespace() {
            let one = choose(word).map_err(|why| {
                let before = word.as_ptr() as usize - text.as_ptr() as usize;
                (text.get(..before).map_or(0, |before| before.chars().count()), why)
            })?;
            if !chosen.contains(&one) {
                chosen.push(one);
            }
        }
        Ok(Self(chosen))
    }

    /// True if the call is one of them.
    pub fn contains(&self, call: SystemCall) -> bool {
        let is_it = |chosen: &Chosen| match chosen {
            Chosen::Call(one) => *one == call,
            Chosen::Group(group) => call.is_in(*group),
        };
        self.0.is_empty() || self.0.iter().any(is_it)
    }

    /// True if any call is meant.
    pub fn is_any(&self) -> bool {
        self.0.is_empty()
    }
}

fn choose(word: &str) -> Result<Chosen, String> {
    if let Some(name) = word.strip_prefix("group:").or_else(|| word.strip_prefix("g:")) {
        let names = CallGroup::ALL.map(CallGroup::word);
        let group = CallGroup::ALL.into_iter().find(|group| group.word() == name);
        return group.map(Chosen::Group).ok_or_else(|| format!("no group {name:?}; expected {}", names.join(", ")));
    }
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        let number = word.parse().ok().filter(|number| *number <= GREATEST);
        return number
            .map(|number| Chosen::Call(SystemCall(number)))
            .ok_or_else(|| format!("expected the number of a system call, not {word:?}"));
    }
    SystemCall::named(word).map(Chosen::Call).ok_or_else(|| {
        let otherwise = "a number or group:NAME also means calls";
        format!("no system call {word:?}; {}", did_you_mean(word, SystemCall::names(), otherwise))
    })
}

impl fmt::Display for CallChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, chosen) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            match chosen {
                Chosen::Call(call) => call.fmt(f)?,
                Chosen::Group(group) => write!(f, "group:{}", group.word())?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_chosen_by_name_number_and_group() {
        let choice = CallChoice::parse("write 9999  g:network 1").unwrap();
        assert_eq!(choice.to_string(), "write 9999 group:network");
        assert_eq!(CallChoice::parse(&choice.to_string()), Ok(choice.clone()));
        for (call, is) in [("write", true), ("connect", true), ("read", false)] {
            assert_eq!(choice.contains(SystemCall::named(call).unwrap()), is, "{call}");
        }
        assert!(choice.contains(SystemCall(9999)));
        let any = CallChoice::parse(" ").unwrap();
        assert!(any.is_any() && any.contains(SystemCall(0)) && any.to_string().is_empty());
    }

    #[test]
    fn a_word_that_names_no_call_is_an_error_at_its_place() {
        let fails = |text| CallChoice::parse(text).unwrap_err();
        assert_eq!(fails("read wrte"), (5, "no system call \"wrte\"; did you mean \"write\"?".to_owned()));
        assert!(fails("group:net").1.contains("network, process"), "{:?}", fails("group:net"));
        assert_eq!(fails("99999999999").0, 0);
        assert!(fails("-1").1.starts_with("no system call"));
    }
}

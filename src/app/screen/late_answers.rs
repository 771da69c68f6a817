//! Answers of the terminal that come after the time for them. crossterm knows those that are numbers, and reads the other
//! ones as keys: `ESC _` as alt and `_`, then every character, then alt and `\`.

use super::answers::Begun;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use std::time::{Duration, Instant};

/// For so long an answer may come late.
const WAIT: Duration = Duration::from_secs(10);
/// The keys of the longest answer.
const LONGEST: usize = 256;

/// Takes late answers out of what is typed.
#[derive(Debug, Default)]
pub(super) struct LateAnswers {
    /// Until when one may come; `None`: all have come.
    until: Option<Instant>,
    inside: Option<Begun>,
    /// Keys that may be the beginning of an answer.
    held: Vec<Event>,
    taken: usize,
}

impl LateAnswers {
    /// Answers are missing at this time; one may have begun.
    pub(super) fn missing(now: Instant, begun: Option<Begun>) -> Self {
        Self { until: Some(now + WAIT), inside: begun, ..Self::default() }
    }

    /// The same after another question, whose answers may be missing still: what has come may have been them.
    pub(super) fn after(self, before: &Self, now: Instant) -> Self {
        let is_waiting = before.until.is_some_and(|until| now <= until);
        if is_waiting && self.until.is_none() { Self::missing(now, None) } else { self }
    }

    /// Returns what was typed: the event and any that were held back, or nothing if they are part of an answer.
    pub(super) fn without_answers(&mut self, event: Event, now: Instant) -> Vec<Event> {
        if self.until.is_none_or(|until| now > until) {
            let mut all = std::mem::take(&mut self.held);
            (self.until, self.inside) = (None, None);
            all.push(event);
            return all;
        }
        let Event::Key(key) = &event else { return vec![event] };
        match self.inside {
            Some(begun) => {
                self.taken += 1;
                let (is_part, is_end) = part(begun, key);
                if is_end || !is_part || self.taken > LONGEST {
                    (self.inside, self.taken) = (None, 0);
                }
                if is_part { Vec::new() } else { vec![event] }
            }
            None if self.held.is_empty() && is_alt(key, '_') => {
                self.held.push(event);
                Vec::new()
            }
            None => {
                let mut all = std::mem::take(&mut self.held);
                if !all.is_empty() && key.code == KeyCode::Char('G') {
                    self.inside = Some(Begun::Kitty);
                    return Vec::new();
                }
                all.push(event);
                all
            }
        }
    }
}

fn is_alt(key: &KeyEvent, sign: char) -> bool {
    key.code == KeyCode::Char(sign) && key.modifiers.contains(KeyModifiers::ALT)
}

/// True if a key is part of an answer that has begun, and if it is its last one.
fn part(begun: Begun, key: &KeyEvent) -> (bool, bool) {
    match (begun, key.code) {
        (Begun::Kitty, KeyCode::Char(_)) => (true, is_alt(key, '\\')),
        (Begun::Numbers, KeyCode::Char('0'..='9' | ';')) => (true, false),
        (Begun::Numbers, KeyCode::Char('t' | 'c')) => (true, true),
        _ => (false, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::typed::events_of;

    fn passed(late: &mut LateAnswers, text: &str, at: Instant) -> Vec<Event> {
        events_of(text.as_bytes()).into_iter().flat_map(|event| late.without_answers(event, at)).collect()
    }

    #[test]
    fn a_late_answer_is_no_key() {
        let now = Instant::now();
        let mut late = LateAnswers::missing(now, None);
        let text = "q\x1b_Gi=31;OK\x1b\\k\x1b_x\x1b_";
        assert_eq!(passed(&mut late, text, now), events_of(b"qk\x1b_x"), "alt and _ of a person is a key");
        assert_eq!(passed(&mut late, "j", now), events_of(b"\x1b_j"));
        assert_eq!(passed(&mut late, "\x1b_Gq", now + WAIT * 2), events_of(b"\x1b_Gq"), "later it is a key");
        let mut none = LateAnswers::default();
        assert_eq!(passed(&mut none, text, now), events_of(text.as_bytes()));
    }

    #[test]
    fn an_answer_to_the_question_before_is_no_key_after_the_next_one() {
        let now = Instant::now();
        let mut late = LateAnswers::default().after(&LateAnswers::missing(now, None), now);
        assert_eq!(passed(&mut late, "\x1b_Gi=31;OK\x1b\\k", now), events_of(b"k"));
        let mut none = LateAnswers::default().after(&LateAnswers::missing(now, None), now + WAIT * 2);
        assert_eq!(passed(&mut none, "\x1b_Gk", now), events_of(b"\x1b_Gk"));
    }

    #[test]
    fn the_end_of_an_answer_is_no_key() {
        let now = Instant::now();
        let after = |begun, text: &str| passed(&mut LateAnswers::missing(now, Some(begun)), text, now);
        assert_eq!(after(Begun::Kitty, "1;OK\x1b\\qk"), events_of(b"qk"));
        assert_eq!(after(Begun::Numbers, ";8tqk"), events_of(b"qk"));
        assert_eq!(after(Begun::Numbers, "2;4cqk"), events_of(b"qk"));
        assert_eq!(after(Begun::Numbers, "q1;"), events_of(b"q1;"), "the end never came");
        assert_eq!(after(Begun::Kitty, "\rk"), events_of(b"\rk"));
        let endless = "x".repeat(LONGEST + 9);
        assert_eq!(after(Begun::Kitty, &endless).len(), 8);
        let mut late = LateAnswers::missing(now, Some(Begun::Kitty));
        assert_eq!(late.without_answers(Event::Resize(3, 4), now), [Event::Resize(3, 4)]);
    }
}

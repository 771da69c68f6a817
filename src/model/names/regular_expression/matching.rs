//! Matches a regular expression: all ways through it at once, so that the time is at most its size for each character.

use super::classes::{Class, Edge};
use super::extended::basic;
use super::fault::RegularExpressionError;
use super::parser::{Parser, Part};

/// A pattern may become a larger program than this only by counted repetitions of repetitions.
const MOST_STEPS: usize = 1 << 14;

/// A regular expression that is found anywhere in a text.
#[derive(Clone, Debug)]
pub struct RegularExpression {
    steps: Vec<Step>,
    ignores_case: bool,
}

/// A step of the program that matches it; programs without loops over characters take time in proportion to the text.
#[derive(Clone, Debug)]
enum Step {
    One(Class),
    At(Edge),
    /// Goes on at both.
    Both(usize, usize),
    Jump(usize),
}

impl RegularExpression {
    /// Parses a regular expression.
    pub fn parse(text: &str, ignores_case: bool) -> Result<Self, RegularExpressionError> {
        let whole = Parser::parse(text)?;
        let mut steps = Vec::new();
        let too_large = |message| RegularExpressionError { position: text.chars().count(), message };
        compile(&whole, &mut steps).map_err(too_large)?;
        Ok(Self { steps, ignores_case })
    }

    /// Parses an extended regular expression, in which `(`, `|` and `+` need no backslash.
    pub fn parse_extended(text: &str) -> Result<Self, RegularExpressionError> {
        Self::parse(&basic(text), false)
    }

    /// True if some part of the text matches.
    pub fn is_found_in(&self, text: &str) -> bool {
        let is_anchored = matches!(self.steps.first(), Some(Step::At(Edge::TextStart)));
        // Most names of a program begin with another letter.
        if is_anchored
            && let Some(Step::One(class)) = self.steps.get(1)
            && !text.chars().next().is_some_and(|first| class.has(first, self.ignores_case))
        {
            return false;
        }
        let characters: Vec<char> = text.chars().collect();
        let (mut now, mut next) = (States::new(self.steps.len()), States::new(self.steps.len()));
        for at in 0..=characters.len() {
            if at == 0 || !is_anchored {
                self.reach(0, at, &characters, &mut now);
            }
            if now.is_end {
                return true;
            }
            if is_anchored && now.list.is_empty() {
                break;
            }
            let Some(character) = characters.get(at) else { break };
            for state in &now.list {
                if let Some(Step::One(class)) = self.steps.get(*state)
                    && class.has(*character, self.ignores_case)
                {
                    self.reach(state + 1, at + 1, &characters, &mut next);
                }
            }
            std::mem::swap(&mut now, &mut next);
            next.clear();
            if now.is_end {
                return true;
            }
        }
        false
    }

    /// Adds a state, and those that it leads to without a character.
    fn reach(&self, state: usize, at: usize, text: &[char], states: &mut States) {
        states.open.push(state);
        while let Some(state) = states.open.pop() {
            let Some(step) = self.steps.get(state) else {
                states.is_end = true;
                continue;
            };
            if states.known.get_mut(state).is_none_or(|known| std::mem::replace(known, true)) {
                continue;
            }
            match step {
                Step::One(_) => states.list.push(state),
                Step::At(edge) => states.open.extend(edge.is_at(at, text).then_some(state + 1)),
                Step::Both(one, other) => states.open.extend([*one, *other]),
                Step::Jump(to) => states.open.push(*to),
            }
        }
    }
}

struct States {
    known: Vec<bool>,
    list: Vec<usize>,
    /// Those that are still to be added.
    open: Vec<usize>,
    is_end: bool,
}

impl States {
    fn new(count: usize) -> Self {
        Self { known: vec![false; count], list: Vec::new(), open: Vec::new(), is_end: false }
    }

    fn clear(&mut self) {
        self.known.fill(false);
        self.list.clear();
        self.is_end = false;
    }
}

fn compile(part: &Part, steps: &mut Vec<Step>) -> Result<(), &'static str> {
    if steps.len() > MOST_STEPS {
        return Err("the regular expression is too large");
    }
    match part {
        Part::One(class) => steps.push(Step::One(class.clone())),
        Part::At(edge) => steps.push(Step::At(*edge)),
        Part::Group(alternatives) => {
            let mut ends = Vec::new();
            for (number, alternative) in alternatives.iter().enumerate() {
                let is_last = number + 1 == alternatives.len();
                let fork = steps.len();
                if !is_last {
                    steps.push(Step::Both(fork + 1, fork));
                }
                for part in alternative {
                    compile(part, steps)?;
                }
                if !is_last {
                    ends.push(steps.len());
                    steps.push(Step::Jump(0));
                    let next = steps.len();
                    set(steps, fork, Step::Both(fork + 1, next));
                }
            }
            let end = steps.len();
            ends.into_iter().for_each(|at| set(steps, at, Step::Jump(end)));
        }
        Part::Repeated(part, least, most) => {
            for _ in 0..*least {
                compile(part, steps)?;
            }
            match most {
                None => {
                    let fork = steps.len();
                    steps.push(Step::Both(fork + 1, fork));
                    compile(part, steps)?;
                    steps.push(Step::Jump(fork));
                    let end = steps.len();
                    set(steps, fork, Step::Both(fork + 1, end));
                }
                Some(most) => {
                    let mut forks = Vec::new();
                    for _ in *least..*most {
                        forks.push(steps.len());
                        steps.push(Step::Both(0, 0));
                        compile(part, steps)?;
                    }
                    let end = steps.len();
                    forks.into_iter().for_each(|fork| set(steps, fork, Step::Both(fork + 1, end)));
                }
            }
        }
    }
    Ok(())
}

fn set(steps: &mut [Step], at: usize, step: Step) {
    if let Some(place) = steps.get_mut(at) {
        *place = step;
    }
}

//! Parses regular expressions.

use super::classes::{Class, Edge, Named};
use super::fault::RegularExpressionError;
use std::collections::VecDeque;

/// Groups within groups.
const DEEPEST: usize = 32;
/// The largest count in `\{m,n\}` (POSIX, `RE_DUP_MAX`).
const MOST_REPEATS: u32 = 255;

/// A part of a regular expression.
#[derive(Clone, Debug)]
pub(super) enum Part {
    One(Class),
    At(Edge),
    Group(Vec<Vec<Part>>),
    Repeated(Box<Part>, u32, Option<u32>),
}

/// Parses a regular expression.
pub(super) struct Parser {
    rest: VecDeque<char>,
    read: usize,
}

impl Parser {
    /// Parses the whole text.
    pub(super) fn parse(text: &str) -> Result<Part, RegularExpressionError> {
        let mut parser = Self { rest: text.chars().collect(), read: 0 };
        let alternatives = parser.alternatives(0)?;
        if !parser.rest.is_empty() {
            return Err(parser.fault("unmatched \\)"));
        }
        Ok(Part::Group(alternatives))
    }

    fn fault(&self, message: &'static str) -> RegularExpressionError {
        RegularExpressionError { position: self.read, message }
    }

    fn next(&mut self) -> Option<char> {
        let c = self.rest.pop_front()?;
        self.read += 1;
        Some(c)
    }

    /// Takes a character if it is the next one.
    fn takes(&mut self, c: char) -> bool {
        let is_next = self.rest.front() == Some(&c);
        if is_next {
            self.next();
        }
        is_next
    }

    /// True if this character comes next, with a backslash before it.
    fn is_escaped(&self, c: char) -> bool {
        self.rest.front() == Some(&'\\') && self.rest.get(1) == Some(&c)
    }

    fn takes_escaped(&mut self, c: char) -> bool {
        let is_next = self.is_escaped(c);
        if is_next {
            self.next();
            self.next();
        }
        is_next
    }

    fn is_at_end_of_alternative(&self) -> bool {
        self.rest.is_empty() || self.is_escaped('|') || self.is_escaped(')')
    }

    fn alternatives(&mut self, depth: usize) -> Result<Vec<Vec<Part>>, RegularExpressionError> {
        if depth > DEEPEST {
            return Err(self.fault("groups are nested too deeply"));
        }
        let mut alternatives = vec![self.sequence(depth)?];
        while self.takes_escaped('|') {
            alternatives.push(self.sequence(depth)?);
        }
        Ok(alternatives)
    }

    fn sequence(&mut self, depth: usize) -> Result<Vec<Part>, RegularExpressionError> {
        let mut parts = Vec::new();
        if self.takes('^') {
            parts.push(Part::At(Edge::TextStart));
        }
        // At the beginning, a star is a character like any other.
        let mut is_first = true;
        while !self.is_at_end_of_alternative() {
            let part = self.part(depth, is_first)?;
            let part = self.repeated(part)?;
            parts.push(part);
            is_first = false;
        }
        Ok(parts)
    }

    fn part(&mut self, depth: usize, is_first: bool) -> Result<Part, RegularExpressionError> {
        let c = self.next().ok_or_else(|| self.fault("expected a character"))?;
        Ok(match c {
            '.' => Part::One(Class::Any),
            '[' => Part::One(self.set()?),
            '$' if self.is_at_end_of_alternative() => Part::At(Edge::TextEnd),
            '\\' => {
                let escaped = self.next().ok_or_else(|| self.fault("trailing backslash"))?;
                match escaped {
                    '(' => {
                        let alternatives = self.alternatives(depth + 1)?;
                        if !self.takes_escaped(')') {
                            return Err(self.fault("unmatched \\("));
                        }
                        Part::Group(alternatives)
                    }
                    '{' if is_first => return Err(self.fault("nothing to repeat before \\{")),
                    '1'..='9' => return Err(self.fault("references to groups are not supported")),
                    'w' => Part::One(Class::Word(true)),
                    'W' => Part::One(Class::Word(false)),
                    's' => Part::One(Class::Space(true)),
                    'S' => Part::One(Class::Space(false)),
                    '<' => Part::At(Edge::WordStart),
                    '>' => Part::At(Edge::WordEnd),
                    'b' => Part::At(Edge::Word),
                    'B' => Part::At(Edge::NotWord),
                    '`' => Part::At(Edge::TextStart),
                    '\'' => Part::At(Edge::TextEnd),
                    other => Part::One(Class::Char(other)),
                }
            }
            other => Part::One(Class::Char(other)),
        })
    }

    fn repeated(&mut self, mut part: Part) -> Result<Part, RegularExpressionError> {
        loop {
            let (least, most) = if self.takes('*') {
                (0, None)
            } else if self.takes_escaped('+') {
                (1, None)
            } else if self.takes_escaped('?') {
                (0, Some(1))
            } else if self.takes_escaped('{') {
                self.counts()?
            } else {
                return Ok(part);
            };
            part = Part::Repeated(Box::new(part), least, most);
        }
    }

    /// Parses the rest of `\{m,n\}`.
    fn counts(&mut self) -> Result<(u32, Option<u32>), RegularExpressionError> {
        let least = self.number()?;
        let most =
            if self.takes(',') { if self.is_escaped('}') { None } else { Some(self.number()?) } } else { Some(least) };
        if !self.takes_escaped('}') {
            return Err(self.fault("unmatched \\{"));
        }
        if most.is_some_and(|most| most < least) {
            return Err(self.fault("the second count is less than the first"));
        }
        Ok((least, most))
    }

    fn number(&mut self) -> Result<u32, RegularExpressionError> {
        let mut number = None;
        while let Some(digit) = self.rest.front().and_then(|c| c.to_digit(10)) {
            self.next();
            let known: u32 = number.unwrap_or(0);
            number = Some(known.saturating_mul(10).saturating_add(digit));
        }
        match number {
            Some(number) if number <= MOST_REPEATS => Ok(number),
            Some(_) => Err(self.fault("a count may be at most 255")),
            None => Err(self.fault("expected a count")),
        }
    }

    /// Parses the rest of a set of characters.
    fn set(&mut self) -> Result<Class, RegularExpressionError> {
        let negated = self.takes('^');
        let (mut ranges, mut classes) = (Vec::new(), Vec::new());
        let mut is_first = true;
        loop {
            let c = self.next().ok_or_else(|| self.fault("unmatched ["))?;
            match c {
                ']' if !is_first => return Ok(Class::Set { negated, ranges, classes }),
                '[' if self.takes(':') => classes.push(self.named_class()?),
                from => {
                    let is_range = self.rest.front() == Some(&'-') && self.rest.get(1).is_some_and(|c| *c != ']');
                    let to = if is_range {
                        self.next();
                        self.next().unwrap_or(from)
                    } else {
                        from
                    };
                    if to < from {
                        return Err(self.fault("the end of a range is before its beginning"));
                    }
                    ranges.push((from, to));
                }
            }
            is_first = false;
        }
    }

    /// Parses the rest of `[:alpha:]`.
    fn named_class(&mut self) -> Result<Named, RegularExpressionError> {
        let mut name = String::new();
        loop {
            match self.next() {
                Some(':') if self.takes(']') => break,
                Some(c) if name.len() < 8 => name.push(c),
                _ => return Err(self.fault("unmatched [:")),
            }
        }
        let class: fn(char) -> bool = match name.as_str() {
            "alpha" => char::is_alphabetic,
            "digit" => |c| c.is_ascii_digit(),
            "alnum" => char::is_alphanumeric,
            "upper" => char::is_uppercase,
            "lower" => char::is_lowercase,
            "space" => char::is_whitespace,
            "punct" => |c| c.is_ascii_punctuation(),
            "xdigit" => |c| c.is_ascii_hexdigit(),
            "blank" => |c| c == ' ' || c == '\t',
            _ => return Err(self.fault("unknown class of characters")),
        };
        Ok(Named(class))
    }
}

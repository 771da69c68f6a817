//! The characters of a mangled symbol, read from left to right.

pub(super) struct Characters<'a> {
    rest: &'a [u8],
}

impl<'a> Characters<'a> {
    pub(super) fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    pub(super) fn at_end(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn peek(&self) -> u8 {
        self.rest.first().copied().unwrap_or(0)
    }

    pub(super) fn second(&self) -> u8 {
        self.rest.get(1).copied().unwrap_or(0)
    }

    pub(super) fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text.as_bytes());
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    pub(super) fn expect(&mut self, text: &str) -> Option<()> {
        self.eat(text).then_some(())
    }

    pub(super) fn starts_with(&self, text: &str) -> bool {
        self.rest.starts_with(text.as_bytes())
    }

    pub(super) fn take(&mut self, length: usize) -> Option<&'a str> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        std::str::from_utf8(taken).ok()
    }

    pub(super) fn digits(&mut self) -> Option<&'a str> {
        let length = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if length == 0 { None } else { self.take(length) }
    }

    pub(super) fn number(&mut self) -> Option<usize> {
        self.digits()?.parse().ok()
    }

    /// Reads a sequence number: `_` is 0, `0_` is 1, and so on in the given base.
    pub(super) fn sequence(&mut self, base: u32) -> Option<usize> {
        let length = self.rest.iter().position(|byte| *byte == b'_')?;
        let digits = self.take(length)?;
        self.expect("_")?;
        if digits.is_empty() {
            return Some(0);
        }
        usize::from_str_radix(digits, base).ok()?.checked_add(1)
    }
}

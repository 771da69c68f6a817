//! A terminal's answers about its graphics, among the bytes of its keyboard. The terminal may say anything.

/// The number of the picture in kitty's question.
const PICTURE: &str = "i=31";
/// The longest answer in kitty's protocol.
const LONGEST: usize = 256;

/// Asks whether the terminal has kitty's protocol (with a picture of one pixel that it does not keep), for the size of its
/// cells (xterm's window operation 16), and what it is (DA1), which every terminal answers.
pub(super) const QUESTION: &str = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[16t\x1b[c";

/// An answer that has begun, and whose end is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begun {
    /// One of kitty's protocol, up to `ESC \`.
    Kitty,
    /// Numbers, up to a letter.
    Numbers,
}

/// The terminal's answers so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Answers {
    /// True if it has kitty's protocol.
    pub(super) kitty: bool,
    /// The pixels of a cell, across and down.
    pub(super) cell: Option<(u32, u32)>,
    /// The numbers of its kind and abilities (DA1); `None` as long as the last answer is missing.
    pub(super) attributes: Option<Vec<u32>>,
    pub(super) begun: Option<Begun>,
    /// The bytes that belong to no answer.
    pub(super) typed: Vec<u8>,
}

/// The attribute of terminals with sixels (DA1).
const SIXEL: u32 = 4;

impl Answers {
    /// Finds the answers among what came from the keyboard.
    pub(super) fn among(bytes: &[u8]) -> Self {
        let mut answers = Self::default();
        let mut rest = bytes;
        while let Some((first, after)) = rest.split_first() {
            match answers.take(rest) {
                Some(length) => rest = rest.get(length.max(1)..).unwrap_or_default(),
                None => {
                    answers.typed.push(*first);
                    rest = after;
                }
            }
        }
        answers
    }

    /// True if the terminal says that it has sixels.
    pub(super) fn has_sixels(&self) -> bool {
        self.attributes.as_ref().is_some_and(|numbers| numbers.contains(&SIXEL))
    }

    /// Takes the answer at the beginning; returns its length, or `None` if there is none.
    fn take(&mut self, bytes: &[u8]) -> Option<usize> {
        if let Some(inside) = bytes.strip_prefix(b"\x1b_G") {
            let Some(end) = inside.windows(2).position(|pair| pair == b"\x1b\\") else {
                return (bytes.len() <= LONGEST).then(|| self.begins(Begun::Kitty, bytes));
            };
            let words = std::str::from_utf8(inside.get(..end)?).ok()?;
            let (about, message) = words.split_once(';')?;
            about.split(',').any(|word| word == PICTURE).then_some(())?;
            self.kitty = message == "OK";
            return Some(end + 5);
        }
        let inside = bytes.strip_prefix(b"\x1b[")?;
        let is_attributes = inside.first() == Some(&b'?');
        let digits = if is_attributes { inside.get(1..)? } else { inside };
        if !is_attributes && !digits.starts_with(b"6;") {
            return None;
        }
        let length = digits.iter().position(|byte| !byte.is_ascii_digit() && *byte != b';');
        let Some(length) = length.filter(|length| *length <= LONGEST) else {
            return (bytes.len() <= LONGEST).then(|| self.begins(Begun::Numbers, bytes));
        };
        let words = std::str::from_utf8(digits.get(..length)?).ok()?;
        // A number that is too large is none.
        let numbers: Vec<Option<u32>> = words.split(';').map(|word| word.parse().ok()).collect();
        match (is_attributes, digits.get(length)?, numbers.as_slice()) {
            (true, b'c', _) => self.attributes = Some(numbers.into_iter().flatten().collect()),
            (false, b't', [Some(6), height, width]) => {
                self.cell = Some((width.unwrap_or(u32::MAX), height.unwrap_or(u32::MAX)));
            }
            _ => return None,
        }
        Some(length + 3 + usize::from(is_attributes))
    }

    fn begins(&mut self, what: Begun, bytes: &[u8]) -> usize {
        self.begun = Some(what);
        bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn answers_of_terminals() {
        let kitty = Answers::among(b"\x1b_Gi=31;OK\x1b\\\x1b[6;20;10t\x1b[?62;c");
        let attributes = Some(vec![62]);
        assert_eq!(kitty, Answers { kitty: true, cell: Some((10, 20)), attributes, ..Answers::default() });
        let foot = Answers::among(b"\x1b[6;18;9t\x1b[?62;4;22;28c");
        assert!(!foot.kitty && foot.has_sixels() && foot.cell == Some((9, 18)) && foot.typed.is_empty());
        let refused = Answers::among(b"\x1b_Gi=31;EINVAL:no\x1b\\\x1b[?6c");
        assert!(!refused.kitty && !refused.has_sixels() && refused.typed.is_empty() && refused.attributes.is_some());
        // 4 is one number among others, not a part of one.
        assert!(!Answers::among(b"\x1b[?64;14;41c").has_sixels());
    }

    #[test]
    fn keys_between_the_answers_are_kept() {
        let mixed = Answers::among(b"j\x1b_Gi=31;OK\x1b\\k\x1b[A\x1b[6;16;8tl\x1b\x1b[?1;2c\x1b[6~\x1b[1;5C");
        assert!(mixed.kitty && mixed.cell == Some((8, 16)));
        assert_eq!(mixed.typed, b"jk\x1b[Al\x1b\x1b[6~\x1b[1;5C");
        let others = b"\x1b_Gi=30;OK\x1b\\\x1b_G\x1b\\\x1b[6;1t\x1b[4;1;1t\x1b[?1u\x1b[?25h\x1b[6;5;4R";
        assert_eq!(Answers::among(others), Answers { typed: others.to_vec(), ..Answers::default() });
    }

    #[test]
    fn an_answer_without_its_end_is_not_typed() {
        for (text, begun) in [
            (&b"x\x1b_Gi=31;O"[..], Begun::Kitty),
            (b"x\x1b[6;16", Begun::Numbers),
            (b"x\x1b[?62;4", Begun::Numbers),
            (b"x\x1b_Gi=31;OK\x1b", Begun::Kitty),
        ] {
            let answers = Answers::among(text);
            assert_eq!((answers.begun, answers.typed.as_slice()), (Some(begun), &b"x"[..]), "{text:?}");
        }
        let endless = [b"\x1b_G".as_slice(), &[b'9'; 9000]].concat();
        assert_eq!(Answers::among(&endless).typed, endless);
        let endless = [b"\x1b[?".as_slice(), &[b'9'; 9000], b"c"].concat();
        assert_eq!(Answers::among(&endless).typed, endless);
    }

    #[test]
    fn absurd_sizes_are_read_as_such() {
        let cell = |text: &str| Answers::among(text.as_bytes()).cell;
        assert_eq!(cell("\x1b[6;99999;0t"), Some((0, 99_999)));
        assert_eq!(cell("\x1b[6;99999999999;;t"), None);
        assert_eq!(cell("\x1b[6;99999999999;8t"), Some((8, u32::MAX)));
    }

    fn piece() -> impl Strategy<Value = (Vec<u8>, bool)> {
        prop_oneof![
            "[a-zA-Z0-9;:?\r\t äß€]{0,5}".prop_map(|text| (text.into_bytes(), false)),
            prop_oneof![Just("\x1b[A"), Just("\x1bOB"), Just("\x1b[5~"), Just("\x1b\x1b"), Just("\x1b[<0;3;4M")]
                .prop_map(|key| (key.as_bytes().to_vec(), false)),
            prop_oneof![Just("\x1b_Gi=31;OK\x1b\\"), Just("\x1b[6;16;8t"), Just("\x1b[?62;4c"), Just("\x1b[?c")]
                .prop_map(|answer| (answer.as_bytes().to_vec(), true)),
        ]
    }

    proptest! {
        #[test]
        fn every_byte_that_belongs_to_no_answer_is_kept(pieces in proptest::collection::vec(piece(), 0..12)) {
            let all: Vec<u8> = pieces.iter().flat_map(|piece| piece.0.clone()).collect();
            let typed: Vec<u8> = pieces.iter().filter(|piece| !piece.1).flat_map(|piece| piece.0.clone()).collect();
            let answers = Answers::among(&all);
            prop_assert_eq!((&answers.typed, answers.begun), (&typed, None));
            prop_assert_eq!(answers.attributes.is_some(), all.windows(3).any(|three| three == b"\x1b[?"));
        }

        #[test]
        fn no_bytes_make_it_fail(bytes in proptest::collection::vec(
            prop_oneof![any::<u8>(), Just(0x1b), Just(b'['), Just(b'_'), Just(b'G'), Just(b'6'), Just(b';'), Just(b'?')],
            0..400,
        )) {
            let answers = Answers::among(&bytes);
            prop_assert!(answers.typed.len() <= bytes.len());
            // What is kept is in the order in which it came.
            let mut rest = bytes.iter();
            prop_assert!(answers.typed.iter().all(|typed| rest.any(|byte| byte == typed)));
        }
    }
}

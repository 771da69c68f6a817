//! The two text forms of a process set: `0-3,7,10-90:5` for people, `NBITS:HEX` on the wire (wire, section 1).

use crate::{ProcessSet, Rank};
use std::fmt::{self, Write as _};

/// Limit on the job size in a text: a text must not decide how much we allocate.
const LARGEST: u32 = 1 << 24;

/// A syntax error in a process set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SetTextError {
    /// The message for the user.
    pub message: String,
    /// Position in the text, in bytes from 0.
    pub position: usize,
}

fn fault(message: impl Into<String>, position: usize) -> SetTextError {
    SetTextError { message: message.into(), position }
}

/// A run of equally spaced ranks.
struct Run {
    first: u32,
    last: u32,
    stride: u32,
}

/// Splits a set into runs, of which it returns the first ones. Two ranks do not make a stride: the second may begin a longer
/// run.
fn runs(set: &ProcessSet, most: usize) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut ranges = set.ranges().peekable();
    // What is left of a range whose first rank ended a stride.
    let mut rest = None;
    while runs.len() < most
        && let Some((first, end)) = rest.take().or_else(|| ranges.next())
    {
        let mut run = Run { first, last: end, stride: 1 };
        if first == end
            && let Some(&(second, second_end)) = ranges.peek()
            && second == second_end
        {
            let stride = second - first;
            let mut ahead = ranges.clone();
            ahead.next();
            let mut last = second;
            while let Some((next, next_end)) = ahead.peek().copied().filter(|(next, _)| next - last == stride) {
                last = next;
                ahead.next();
                if next < next_end {
                    rest = Some((next + 1, next_end));
                    break;
                }
            }
            if last > second {
                run = Run { first, last, stride };
                ranges = ahead;
            }
        }
        runs.push(run);
    }
    runs
}

impl fmt::Display for ProcessSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, run) in runs(self, usize::MAX).iter().enumerate() {
            if i > 0 {
                f.write_char(',')?;
            }
            match run {
                Run { first, last, .. } if first == last => write!(f, "{first}")?,
                Run { first, last, stride: 1 } => write!(f, "{first}-{last}")?,
                Run { first, last, stride } => write!(f, "{first}-{last}:{stride}")?,
            }
        }
        Ok(())
    }
}

impl ProcessSet {
    /// The text if it has no more than so many characters: that of a large scattered set is not written to find that out.
    pub fn to_text_within(&self, most: usize) -> Option<String> {
        let is_short = runs(self, most + 1).len() <= most;
        is_short.then(|| self.to_string()).filter(|text| text.len() <= most)
    }

    /// Parses the form that [`fmt::Display`] writes; allows blanks around commas, any order, and overlaps.
    pub fn parse(text: &str) -> Result<Self, SetTextError> {
        let mut set = Self::new();
        if text.trim().is_empty() {
            return Ok(set);
        }
        let mut position = 0;
        for part in text.split(',') {
            let lead = part.len() - part.trim_start().len();
            let at = position + lead;
            let item = part.trim();
            let (range, stride) = match item.split_once(':') {
                Some((range, stride)) => (range, number(stride, at + range.len() + 1)?),
                None => (item, 1),
            };
            let (first, last) = match range.split_once('-') {
                Some((first, last)) => (number(first, at)?, number(last, at + first.len() + 1)?),
                None => (number(range, at)?, number(range, at)?),
            };
            if stride == 0 {
                return Err(fault("the stride must be at least 1", at + range.len() + 1));
            }
            if last < first {
                return Err(fault(format!("invalid range {first}-{last}: its end is before its start"), at));
            }
            if stride == 1 {
                set.extend_with(&Self::range(first, last + 1));
            } else {
                (first..=last).step_by(stride as usize).for_each(|rank| {
                    set.insert(Rank(rank));
                });
            }
            position += part.len() + 1;
        }
        Ok(set)
    }

    /// Formats the wire's bitmap for a job of `size` ranks, highest digit first. Omits ranks from `size` up.
    pub fn to_bitmap(&self, size: u32) -> String {
        let mut digits = vec![0u8; (size as usize).div_ceil(8) * 2];
        let last = digits.len().saturating_sub(1);
        for rank in self.iter().map(|rank| rank.0).take_while(|&rank| rank < size) {
            if let Some(digit) = digits.get_mut(last - rank as usize / 4) {
                *digit |= 1 << (rank % 4);
            }
        }
        let digits = digits.into_iter().filter_map(|digit| char::from_digit(digit.into(), 16));
        format!("{size:x}:").chars().chain(digits).collect()
    }

    /// Parses a bitmap of any width; drops bits beyond the width it states.
    pub fn parse_bitmap(text: &str) -> Result<Self, SetTextError> {
        let (size, digits) = text.split_once(':').ok_or_else(|| fault("expected a bitmap NBITS:HEX", 0))?;
        let bits = u32::from_str_radix(size, 16)
            .ok()
            .filter(|&n| n <= LARGEST && !size.starts_with('+'))
            .ok_or_else(|| fault(format!("expected a number of bits, not {size:?}"), 0))?;
        let mut set = Self::new();
        for (i, digit) in digits.bytes().rev().enumerate() {
            let value = (digit as char).to_digit(16);
            let value = value.ok_or_else(|| fault("expected a hexadecimal digit", text.len() - 1 - i))?;
            let ranks = (0..4).filter(|bit| value & 1 << bit != 0).filter_map(|bit| u32::try_from(i * 4 + bit).ok());
            ranks.filter(|&rank| rank < bits).for_each(|rank| {
                set.insert(Rank(rank));
            });
        }
        Ok(set)
    }

    /// Formats the shorter of the two forms.
    pub fn to_compact(&self) -> String {
        let size = self.last().map_or(0, |rank| rank.0 + 1);
        let ranges = self.to_string();
        if ranges.len() <= size as usize / 4 + 8 { ranges } else { self.to_bitmap(size).replacen(':', "x", 1) }
    }

    /// Parses the form that [`Self::to_compact`] writes; a bitmap there has `x` in place of the colon, which marks
    /// strides.
    pub fn parse_compact(text: &str) -> Result<Self, SetTextError> {
        if text.contains('x') { Self::parse_bitmap(&text.replacen('x', ":", 1)) } else { Self::parse(text) }
    }
}

fn number(text: &str, position: usize) -> Result<u32, SetTextError> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(fault(format!("expected a rank, not {text:?}"), position));
    }
    text.parse()
        .ok()
        .filter(|&n| n < LARGEST)
        .ok_or_else(|| fault(format!("rank {text} exceeds the limit of {}", LARGEST - 1), position))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The runs of listed ranks, found one by one.
    fn plain_runs(ranks: &[u32]) -> String {
        let mut texts = Vec::new();
        let mut i = 0;
        while let Some(&first) = ranks.get(i) {
            let stride = ranks.get(i + 1).map_or(1, |second| second - first);
            let mut end = i;
            while ranks.get(end + 1).is_some_and(|next| next - ranks[end] == stride) {
                end += 1;
            }
            if stride > 1 && end - i < 2 {
                end = i;
            }
            texts.push(match ranks[end] {
                last if last == first => format!("{first}"),
                last if stride == 1 => format!("{first}-{last}"),
                last => format!("{first}-{last}:{stride}"),
            });
            i = end + 1;
        }
        texts.join(",")
    }

    proptest! {
        #[test]
        fn runs_are_those_of_the_listed_ranks(ranks in proptest::collection::btree_set(0u32..60, 0..40)) {
            let set: ProcessSet = ranks.iter().copied().map(Rank).collect();
            prop_assert_eq!(set.to_string(), plain_runs(&ranks.into_iter().collect::<Vec<_>>()));
        }
    }

    fn set(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    #[test]
    fn text_uses_ranges_and_strides() {
        for text in ["", "0", "0-3", "0-3,7", "0-3,7,10-90:5", "0-62:2", "1,3", "4-5,9"] {
            assert_eq!(set(text).to_string(), text);
        }
        assert_eq!(set(" 7 , 0-3 ,2-5").to_string(), "0-5,7");
        assert_eq!(set("0-65534:2").to_compact(), "0-65534:2");
    }

    #[test]
    fn bitmaps_are_those_of_the_wire_page() {
        for (size, ranks, bitmap) in [
            (4, "0-3", "4:0f"),
            (16, "0-15", "10:ffff"),
            (17, "0,2,3,4,6,8,10,12,13,15,16", "11:01b55d"),
            (64, "3-12,15-21", "40:00000000003f9ff8"),
            (4, "0", "4:01"),
        ] {
            assert_eq!(set(ranks).to_bitmap(size), bitmap);
            assert_eq!(ProcessSet::parse_bitmap(bitmap).unwrap(), set(ranks));
        }
        assert_eq!(ProcessSet::parse_bitmap("2:ff").unwrap(), set("0-1"));
    }

    #[test]
    fn faults_name_their_place() {
        assert_eq!(ProcessSet::parse("0-3,x").unwrap_err().position, 4);
        assert_eq!(ProcessSet::parse("3-1").unwrap_err().position, 0);
        assert_eq!(ProcessSet::parse("0-9:0").unwrap_err().position, 4);
        assert!(ProcessSet::parse("0-99999999999").is_err());
        assert!(ProcessSet::parse_bitmap("ffffffff:1").is_err());
        assert_eq!(ProcessSet::parse_bitmap("8:0g").unwrap_err().position, 3);
    }
}

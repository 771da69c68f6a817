//! The numbers of an array: their statistics, and a search among them.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A double that is compared and hashed by its bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Double(u64);

impl Double {
    /// Wraps a double.
    pub fn new(value: f64) -> Self {
        Self(value.to_bits())
    }

    /// Returns the double.
    pub fn get(self) -> f64 {
        f64::from_bits(self.0)
    }
}

impl fmt::Debug for Double {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// The place of an element, as its language writes it: `[3][0]`, `(1,4)`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ElementIndex {
    /// The subscripts in the order of the source; none for a number that is not in an array.
    pub subscripts: Vec<i64>,
    /// True for the notation of Fortran.
    pub parentheses: bool,
}

impl fmt::Display for ElementIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.parentheses {
            return self.subscripts.iter().try_for_each(|subscript| write!(f, "[{subscript}]"));
        }
        let subscripts: Vec<String> = self.subscripts.iter().map(i64::to_string).collect();
        if subscripts.is_empty() { Ok(()) } else { write!(f, "({})", subscripts.join(",")) }
    }
}

/// The smallest or the largest number of an array.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Extreme {
    /// The number, or the nearest double.
    pub value: Double,
    /// The digits of an integer that a double cannot represent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digits: Option<String>,
    /// The place of the first element with this value.
    pub at: ElementIndex,
}

/// Statistics of the finite numbers of an array.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FiniteNumbers {
    /// The smallest number.
    pub min: Extreme,
    /// The largest number.
    pub max: Extreme,
    /// The arithmetic mean.
    pub mean: Double,
    /// The standard deviation of the population.
    pub deviation: Double,
    /// The count of numbers in equal parts of the range from `min` to `max`; one part if all are equal.
    pub histogram: Vec<u64>,
}

/// Statistics of the numbers of an array.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ArrayStatistics {
    /// The count of elements.
    pub count: u64,
    /// The count of elements that are not a number (IEEE 754).
    pub nan: u64,
    /// The count of infinite elements.
    pub infinite: u64,
    /// Statistics of the others; `None` if there are none.
    pub finite: Option<FiniteNumbers>,
}

/// The elements that a search found.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ArrayFindings {
    /// The count of elements.
    pub count: u64,
    /// The count of those that meet the condition.
    pub found: u64,
    /// The places of the first of them, in the order of memory.
    pub first: Vec<ElementIndex>,
}

/// A comparison with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `==`
    Equal,
    /// `!=`
    Unequal,
}

impl Relation {
    /// Every relation; each one before those whose sign begins with its own.
    pub const ALL: [Self; 6] =
        [Self::LessOrEqual, Self::Less, Self::GreaterOrEqual, Self::Greater, Self::Equal, Self::Unequal];

    /// Returns the sign that the languages use.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Equal => "==",
            Self::Unequal => "!=",
        }
    }
}

/// The condition of a search.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ScanCondition {
    /// Not a number (IEEE 754).
    NotANumber,
    /// Infinite, with either sign.
    Infinite,
    /// Not zero, but smaller than the smallest normal number of the type.
    Denormal,
    /// Compared with the value of an expression.
    Compared(Relation, String),
}

impl ScanCondition {
    /// The conditions without a value, by the words of the command.
    pub const WORDS: [(&'static str, Self); 3] =
        [("nan", Self::NotANumber), ("inf", Self::Infinite), ("denormal", Self::Denormal)];
}

impl fmt::Display for ScanCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotANumber => f.write_str("nan"),
            Self::Infinite => f.write_str("inf"),
            Self::Denormal => f.write_str("denormal"),
            Self::Compared(relation, value) => write!(f, "{} {value}", relation.sign()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_written_as_in_the_source() {
        let index = |subscripts: &[i64], parentheses| ElementIndex { subscripts: subscripts.to_vec(), parentheses };
        assert_eq!(index(&[3, 0], false).to_string(), "[3][0]");
        assert_eq!(index(&[-1, 4], true).to_string(), "(-1,4)");
        assert_eq!(index(&[], true).to_string() + &index(&[], false).to_string(), "");
    }

    #[test]
    fn conditions_read_as_in_the_command() {
        assert!(ScanCondition::WORDS.iter().all(|(word, condition)| condition.to_string() == *word));
        assert_eq!(ScanCondition::Compared(Relation::Unequal, "n + 1".into()).to_string(), "!= n + 1");
    }
}

//! The values that functions have returned to ranks, in one notice: each rank may have its own.

use model::ProcessSet;

/// The values that the notice says.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReturnedValues {
    /// The words before the values, with their number in the value history.
    words: String,
    values: Vec<(String, ProcessSet)>,
}

impl ReturnedValues {
    /// Adds a value of ranks to the notice, and returns its new text; `None`: another notice stays until it has been
    /// read.
    pub(crate) fn told(
        &mut self,
        notice: Option<&str>,
        ranks: &ProcessSet,
        words: String,
        value: String,
    ) -> Option<String> {
        let is_own = notice.is_some_and(|notice| notice == self.text());
        if notice.is_some() && !is_own {
            return None;
        }
        if !is_own || self.words != words {
            *self = Self { words, values: Vec::new() };
        }
        match self.values.iter_mut().find(|(known, _)| *known == value) {
            Some((_, set)) => set.extend_with(ranks),
            None => self.values.push((value, ranks.clone())),
        }
        self.values.sort_by_key(|(_, ranks)| ranks.first());
        Some(self.text())
    }

    fn text(&self) -> String {
        match self.values.as_slice() {
            [(value, ranks)] => format!("[{ranks}] {}{value}", self.words),
            values => {
                let parts: Vec<String> = values.iter().map(|(value, ranks)| format!("{value} [{ranks}]")).collect();
                format!("{}{}", self.words, parts.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_that_return_different_values_share_a_notice() {
        let set = |text: &str| ProcessSet::parse(text).unwrap();
        let mut returned = ReturnedValues::default();
        let mut told = |notice: Option<&str>, ranks: &str, number: u32, value: &str| {
            returned.told(notice, &set(ranks), format!("Value returned is ${number} = "), value.to_owned())
        };
        let first = told(None, "0,2", 1, "5");
        assert_eq!(first.as_deref(), Some("[0,2] Value returned is $1 = 5"));
        let second = told(first.as_deref(), "1", 1, "7");
        assert_eq!(second.as_deref(), Some("Value returned is $1 = 5 [0,2], 7 [1]"));
        let third = told(second.as_deref(), "3", 1, "5");
        assert_eq!(third.as_deref(), Some("Value returned is $1 = 5 [0,2-3], 7 [1]"));
        let next = told(third.as_deref(), "0", 2, "9");
        assert_eq!(next.as_deref(), Some("[0] Value returned is $2 = 9"));
        assert_eq!(told(Some("failed"), "0", 3, "1"), None);
        assert_eq!(told(None, "1", 2, "8").as_deref(), Some("[1] Value returned is $2 = 8"), "the notice was read");
    }
}

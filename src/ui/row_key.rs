//! The identity of a row of the variables view, while it is expanded.

/// Names a value by the names of all that it is part of. An expression does not: a displayed expression may be a local
/// variable too, and a base class has that of its object.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RowKey(Vec<String>);

impl RowKey {
    /// The key of a displayed expression.
    pub(crate) fn of_display(number: u32) -> Self {
        Self(vec![format!("display {number}")])
    }

    /// The key of a variable; `outer`: the number of those before it that have its name, in inner blocks.
    pub(crate) fn of_variable(name: &str, outer: usize) -> Self {
        Self(vec![format!("{outer} {name}")])
    }

    /// The key of a part; members without a name are told apart by their number.
    pub(crate) fn part(&self, name: &str, number: usize) -> Self {
        let name = if name.is_empty() { format!("#{number}") } else { name.to_owned() };
        Self(self.0.iter().cloned().chain([name]).collect())
    }
}

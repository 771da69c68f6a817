//! Shows values, one for each distinct one.

use crate::command::PrintForm;
use crate::core::by_content::by_content;
use crate::core::interpreter::Interpreter;
use crate::core::tasks::task::Answers;
use crate::report::{Content, PrintedSummary, printed};
use model::aif::FormatOptions;
use model::{Answer, Datum};
use std::cell::OnceCell;
use std::hash::{Hash, Hasher};

pub(in crate::core) fn values(core: &Interpreter, expression: &str, form: PrintForm, good: Answers) -> Vec<Content> {
    let how = FormatOptions::within(form.changes.over(core.state.variables.print_options()));
    let how = FormatOptions { letter: form.letter, ..how };
    let mut summed = Vec::new();
    let values = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
        Answer::Summary(summary) => {
            let text = |datum: &Datum| printed(datum, form.letter, &how.on_one_line());
            summed.push(Content::Summary(ranks, expression.to_owned(), Box::new(PrintedSummary::new(&summary, text))));
            None
        }
        Answer::Data(datum) => {
            let text = printed(&datum, form.letter, &how);
            Some((ranks, Shown { text, datum, how, whole: OnceCell::new() }))
        }
        _ => None,
    });
    let values = by_content(values.collect::<Vec<_>>());
    let value = |(ranks, Shown { text, datum, .. })| Content::Value {
        ranks,
        expression: expression.to_owned(),
        text,
        datum,
        display: None,
    };
    values.into_iter().map(value).chain(summed).collect()
}

/// A value as it is printed. Two are the same if nothing of them differs that a print without limits would show: the
/// place of an object that a reference refers to is not shown where the object is shown in its stead.
struct Shown {
    text: String,
    datum: Datum,
    how: FormatOptions,
    /// The text without limits.
    whole: OnceCell<String>,
}

impl Shown {
    fn whole(&self) -> &str {
        let unlimited = FormatOptions { limit: usize::MAX, threshold: usize::MAX, max_depth: usize::MAX, ..self.how };
        self.whole.get_or_init(|| printed(&self.datum, self.how.letter, &unlimited))
    }
}

impl PartialEq for Shown {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && (self.datum == other.datum || self.whole() == other.whole())
    }
}

// Equal values have the same text, so the text alone is hashed.
impl Hash for Shown {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(descriptor: &str, data: &[u8], limit: usize) -> Shown {
        let datum = Datum { descriptor: descriptor.to_owned(), data: data.to_vec(), type_name: String::new() };
        let how = FormatOptions { limit, ..FormatOptions::default() };
        Shown { text: printed(&datum, None, &how), datum, how, whole: OnceCell::new() }
    }

    #[test]
    fn values_that_differ_beyond_the_limit_are_not_the_same() {
        let numbers = |last: u8, limit| shown("[r0,4is4]iu1", &[1, 2, 3, last], limit);
        assert_eq!((numbers(4, 2).text.as_str(), numbers(5, 9).text.as_str()), ("{1, 2...}", "{1, 2, 3, 5}"));
        assert_eq!(numbers(4, 2).text, numbers(5, 2).text);
        assert!(numbers(4, 2) == numbers(4, 2));
        assert!(numbers(4, 2) != numbers(5, 2));
    }
}

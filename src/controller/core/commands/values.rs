//! Shows values, one for each distinct one.

use crate::command::PrintForm;
use crate::core::by_content::by_content;
use crate::core::interpreter::Interpreter;
use crate::core::tasks::task::Answers;
use crate::report::{Content, printed};
use model::Answer;
use model::aif::FormatOptions;

pub(in crate::core) fn values(core: &Interpreter, expression: &str, form: PrintForm, good: Answers) -> Vec<Content> {
    let usual = core.state.format_options();
    let limits = FormatOptions {
        limit: form.elements.map_or(usual.limit, |limit| limit as usize),
        threshold: form.repeats.map_or(usual.threshold, |limit| limit as usize),
        ..usual
    };
    let values = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
        Answer::Data(datum) => Some((ranks, (printed(&datum, form.letter, &limits), datum))),
        _ => None,
    });
    let values = by_content(values.collect::<Vec<_>>()).into_iter();
    let expression = expression.to_owned();
    values.map(|(ranks, (text, datum))| Content::Value { ranks, expression: expression.clone(), text, datum }).collect()
}

//! Reports answers about the program's data.

use crate::command::{CommandId, PrintForm, VariableChoice};
use crate::core::by_content::by_content;
use crate::core::commands::{symbols, values};
use crate::core::interpreter::Interpreter;
use crate::core::tasks::task::Answers;
use crate::report::{
    ArraySum, Comparison, Content, FirstPage, PrintedRegister, PrintedVariable, Scope, printed, printed_register,
    printed_variable,
};
use model::aif::FormatLetter;
use model::{Answer, FindingsSum, ProcessSet, RegularExpression, ScanCondition, StatisticsSum};

pub(super) fn value(core: &mut Interpreter, id: CommandId, expression: &str, form: PrintForm, good: Answers) -> bool {
    let letter = form.letter;
    let shown = values::values(core, expression, form, good);
    core.views.stale_values();
    let is_address = letter == Some(FormatLetter::Address);
    symbols::say_with_symbols(core, id, shown.into_iter().map(|content| (content, is_address)).collect())
}

pub(super) fn comparison(core: &mut Interpreter, id: CommandId, expression: String, good: Answers) {
    let limits = core.state.format_options();
    let values = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
        Answer::Data(datum) => Some((ranks, printed(&datum, None, &limits), datum)),
        _ => None,
    });
    let comparison = Comparison::new(values.collect());
    if !comparison.ranks.is_empty() {
        core.say(id, Content::Comparison(expression, comparison));
    }
    core.views.stale_values();
}

/// The most distinct results that are shown without those of all ranks together; distinct statistics with histograms.
const MOST_APART: usize = 4;

pub(super) fn statistics(core: &mut Interpreter, id: CommandId, expression: &str, good: Answers) {
    let mut together: Option<(ProcessSet, Box<StatisticsSum>)> = None;
    let measured = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
        Answer::Statistics(statistics) => Some((ranks, *statistics)),
        Answer::StatisticsSum(sum) => {
            together = Some((ranks, sum));
            None
        }
        _ => None,
    });
    let measured = by_content(measured.collect::<Vec<_>>());
    let histogram = measured.len() <= MOST_APART;
    if !histogram {
        together = together.or(sum_of(&measured, |sum: &mut Box<StatisticsSum>, ranks, one| sum.add(ranks, one)));
    }
    for (ranks, statistics) in measured {
        core.say(id, Content::Statistics { ranks, expression: expression.to_owned(), statistics, histogram });
    }
    if let Some((ranks, sum)) = together {
        core.say(id, Content::ArraySum(ranks, expression.to_owned(), ArraySum::Statistics(sum)));
    }
}

/// Adds up what ranks say; `None` if it is of several threads of a rank.
fn sum_of<T, S: Default>(said: &[(ProcessSet, T)], add: impl Fn(&mut S, &ProcessSet, &T)) -> Option<(ProcessSet, S)> {
    let (mut all, mut sum) = (ProcessSet::new(), S::default());
    for (ranks, one) in said {
        if all.meets(ranks) {
            return None;
        }
        all.extend_with(ranks);
        add(&mut sum, ranks, one);
    }
    Some((all, sum))
}

pub(super) fn arrays(core: &mut Interpreter, id: CommandId, expression: &str, good: Answers) {
    let parts = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
        Answer::Array(part) => Some((ranks, part)),
        _ => None,
    });
    for (ranks, part) in by_content(parts.collect::<Vec<_>>()) {
        core.say(id, Content::Array(Box::new(FirstPage { ranks, expression: expression.to_owned(), part: *part })));
    }
}

pub(super) fn found(core: &mut Interpreter, id: CommandId, expression: &str, condition: &ScanCondition, good: Answers) {
    let mut together: Option<(ProcessSet, Box<FindingsSum>)> = None;
    let found = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
        Answer::Found(findings) => Some((ranks, findings)),
        Answer::FindingsSum(sum) => {
            together = Some((ranks, sum));
            None
        }
        _ => None,
    });
    let found = by_content(found.collect::<Vec<_>>());
    if found.len() > MOST_APART {
        together = together.or(sum_of(&found, |sum: &mut Box<FindingsSum>, ranks, one| sum.add(ranks, one)));
    }
    for (ranks, findings) in found {
        let (expression, condition) = (expression.to_owned(), condition.clone());
        core.say(id, Content::Found { ranks, expression, condition, findings });
    }
    if let Some((ranks, sum)) = together {
        core.say(id, Content::ArraySum(ranks, expression.to_owned(), ArraySum::Findings(condition.clone(), sum)));
    }
}

pub(super) fn types(core: &mut Interpreter, id: CommandId, expression: &str, good: Answers) {
    let types = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
        Answer::Type(text) => Some((ranks, text)),
        _ => None,
    });
    for (ranks, text) in by_content(types.collect::<Vec<_>>()) {
        core.say(id, Content::Type { ranks, expression: expression.to_owned(), text });
    }
}

pub(super) fn variables(core: &mut Interpreter, id: CommandId, scope: Scope, choice: &VariableChoice, good: Answers) {
    let limits = core.state.format_options();
    let expression = |text: &Option<String>| RegularExpression::parse(text.as_ref()?, false).ok();
    let (name, of_type) = (expression(&choice.pattern), expression(&choice.type_pattern));
    let is_chosen = |variable: &PrintedVariable| {
        name.as_ref().is_none_or(|name| name.is_found_in(&variable.name))
            && of_type.as_ref().is_none_or(|of_type| of_type.is_found_in(&variable.type_name))
    };
    let lists = good.into_iter().filter_map(|(_, ranks, answer)| {
        let list: Vec<PrintedVariable> = match answer {
            Answer::Variables(variables) => {
                variables.iter().map(|v| printed_variable(v, &limits)).filter(is_chosen).collect()
            }
            _ => return None,
        };
        (!choice.quiet || !list.is_empty()).then_some((ranks, list))
    });
    let lists = by_content(lists.collect::<Vec<_>>());
    if !lists.is_empty() {
        core.say(id, Content::Variables(scope, lists));
    }
}

pub(super) fn registers(core: &mut Interpreter, id: CommandId, good: Answers) {
    let limits = core.state.format_options();
    let lists = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
        Answer::Registers(registers) => {
            Some((ranks, registers.iter().map(|register| printed_register(register, &limits)).collect()))
        }
        _ => None,
    });
    let lists = by_content(lists.collect::<Vec<(ProcessSet, Vec<PrintedRegister>)>>());
    if !lists.is_empty() {
        core.say(id, Content::Registers(lists));
    }
}

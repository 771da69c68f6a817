//! `colour`: the colours of ranks on the screen, by the number that an expression has on each.

use crate::command::{Colouring, CommandId};
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::task::Answers;
use crate::core::tasks::then::Then;
use crate::report::{Content, PrintedSummary, printed};
use model::{Answer, Datum, Operation, ProcessSet, RankCells, RankPicture};

pub(in crate::core) fn colour(core: &mut Interpreter, id: CommandId, target: &Target, colouring: Colouring) {
    let before = core.state.colour.clone();
    let expression = match colouring {
        Colouring::By(expression) => expression,
        Colouring::Plain => {
            core.state.colour = None;
            core.acknowledge(id, "colour by none".to_owned());
            return core.done(id);
        }
        Colouring::Show => match before.clone() {
            Some(expression) => expression,
            None => {
                let words = "colour by none: ranks have the colours of their states".to_owned();
                core.say(id, Content::Text(ProcessSet::new(), words));
                return core.done(id);
            }
        },
    };
    core.state.colour = Some(expression.clone());
    // The colours are those of all ranks, whatever the focus.
    let ranks = if target.named { target.ranks.clone() } else { ProcessSet::all(core.state.size()) };
    let stopped = ranks.intersection(&core.state.ranks.at_rest());
    if stopped.is_empty() {
        core.acknowledge(id, format!("colour by {expression}: no rank is stopped; it is evaluated at each stop"));
        return core.done(id);
    }
    let operation = Operation::Print {
        context: core.context(target),
        expression: expression.clone(),
        raw: false,
        limits: None,
        unrecorded: true,
        most: None,
        // The screen asks for its cells itself.
        picture: Some(RankCells::default()),
    };
    core.ask(id, vec![(stopped, operation)], Then::Colours(expression, before));
}

/// Reports the numbers as a whole. An expression that has none anywhere is a mistake: the colours stay as they were.
pub(in crate::core) fn numbers_known(
    core: &mut Interpreter,
    id: CommandId,
    expression: String,
    before: Option<String>,
    good: Answers,
) {
    let mut known = ProcessSet::new();
    let mut picture = RankPicture::default();
    for (_, ranks, answer) in good {
        match answer {
            Answer::Picture(part) => picture.join(&part),
            Answer::Data(value) => picture.add(&RankCells::default(), &ranks, &value),
            _ => continue,
        }
        known.extend_with(&ranks);
    }
    let summary = &picture.summary;
    if summary.finite.is_none() && summary.nan == 0 && summary.infinite == 0 {
        core.state.colour = before;
        if !known.is_empty() {
            let position = core.position_in_line(id, &expression, Some(0));
            core.error(id, known, format!("{expression} is not a number: ranks are coloured by numbers"), position);
        }
        return;
    }
    let how = core.state.format_options().on_one_line();
    let summary = PrintedSummary::new(summary, |value: &Datum| printed(value, None, &how));
    core.say(id, Content::Colours(known, expression, Box::new(summary)));
    core.views.stale_values();
}

//! Displayed expressions: the screen shows them at every stop, scripts ask for them.

use crate::command::{CodeForm, CommandId, Form, MemoryFormat, PrintForm};
use crate::core::commands::scripting::{diverging, occasions};
use crate::core::commands::{examine, symbols, values};
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::asking::readable_of;
use crate::core::tasks::task::Answers;
use crate::core::tasks::then::Then;
use crate::report::{CodeLines, Content, printed_memory};
use crate::state::{Displayed, Place, Shown};
use model::aif::FormatLetter;
use model::{Answer, Context, Operation, ProcessSet};

/// Adds an expression to the displayed ones and shows it; without one, shows all.
pub(in crate::core) fn display(
    core: &mut Interpreter,
    id: CommandId,
    target: Target,
    displayed: Option<(Displayed, bool)>,
) {
    let (added, shown): (_, Vec<(u32, Displayed)>) = match displayed {
        Some((displayed, is_here)) => {
            let is_for_some = !is_here && diverging::is_on_its_own_way(core, id);
            let place = (is_here || is_for_some).then(|| Place { ranks: target.ranks.clone(), thread: target.thread });
            let displayed = Displayed { place, ..displayed };
            let displays = &mut core.state.displays;
            let added = if is_for_some { displays.add_for_some(&displayed) } else { displays.add(&displayed) };
            let number = displays.number_of(&displayed).unwrap_or_default();
            (added, vec![(number, displayed)])
        }
        None => (None, core.state.displays.enabled().map(|(number, displayed)| (number, displayed.clone())).collect()),
    };
    // The expression is kept for later stops; now it cannot be shown.
    let (at_rest, ended) = (core.state.ranks.at_rest(), core.state.ranks.with_files_only());
    let own = core.context(&target);
    // At a stop only what has stopped is shown.
    let at_stop = occasions::is_of_occasion(core, id);
    let ask = |displayed: &Displayed| {
        let (ranks, context) = match &displayed.place {
            Some(place) => (&place.ranks, Context { thread: place.thread, ..own }),
            None => (&target.ranks, own),
        };
        let ranks = if at_stop { ranks.intersection(&target.ranks) } else { ranks.clone() };
        let operation = asked_of(core, displayed, context);
        // Ranks that have ended show the values with which the variables begin, as in gdb.
        let has_ended = !at_stop && ranks.is_subset(&ended) && operation.outlives_the_process();
        (if has_ended { ranks } else { ranks.intersection(&at_rest) }, operation)
    };
    let questions: Vec<(ProcessSet, Operation)> = shown.iter().map(|(_, displayed)| ask(displayed)).collect();
    if questions.iter().all(|(ranks, _)| ranks.is_empty()) {
        for (number, displayed) in shown.into_iter().filter(|_| !at_stop) {
            let ranks = displayed.place.as_ref().map_or(&target.ranks, |place| &place.ranks).clone();
            core.say(id, Content::Text(ranks, format!("{number}: {displayed}")));
        }
        return core.done(id);
    }
    // The reason why other ranks of the target are left out is reported as for other commands.
    if shown.iter().any(|(_, displayed)| displayed.place.is_none()) && readable_of(core, id, &target).is_none() {
        return;
    }
    core.ask(id, questions, Then::Displays(shown, added));
}

fn asked_of(core: &Interpreter, displayed: &Displayed, context: Context) -> Operation {
    let expression = displayed.expression.clone();
    match (displayed.shown, memory_format(core, displayed.shown)) {
        (Shown::Memory { form, .. }, Some(format)) => {
            let flavor = core.state.variables.disassembly_flavor();
            let mut question = examine::question(form, format, expression, context, flavor);
            // `$_` stays the address that `x` showed last.
            if let Operation::ReadMemory { examined, .. } = &mut question {
                *examined = None;
            }
            question
        }
        _ => Operation::Evaluate { context, expression },
    }
}

fn memory_format(core: &Interpreter, shown: Shown) -> Option<MemoryFormat> {
    let Shown::Memory { count, unit, form } = shown else { return None };
    let format = match form {
        Form::Values(letter) => letter,
        Form::Instructions => FormatLetter::Hexadecimal,
    };
    Some(MemoryFormat { count, unit, format, limit: examine::text_limit(&core.state), back: false })
}

/// Shows the values and memory of displayed expressions; true if the command continues.
pub(in crate::core) fn displays_known(
    core: &mut Interpreter,
    id: CommandId,
    all: &[(u32, Displayed)],
    added: Option<u32>,
    mut good: Answers,
) -> bool {
    // A new expression that no rank can evaluate is a typing error.
    if let Some(number) = added.filter(|_| good.is_empty()) {
        core.state.displays.take_back(number);
    }
    let mut contents = Vec::new();
    for (slot, (number, displayed)) in all.iter().enumerate() {
        let (own, rest): (Vec<_>, Vec<_>) = good.into_iter().partition(|(known, _, _)| *known == slot);
        good = rest;
        match memory_format(core, displayed.shown) {
            None => {
                let Shown::Value(letter) = displayed.shown else { continue };
                let values =
                    values::values(core, &displayed.to_string(), PrintForm { letter, ..PrintForm::default() }, own);
                let is_address = letter == Some(FormatLetter::Address);
                contents.extend(values.into_iter().map(|content| (numbered(content, *number), is_address)));
            }
            Some(format) => {
                for (_, ranks, answer) in own {
                    contents.push((Content::Text(ranks.clone(), format!("{number}: {displayed}")), false));
                    match answer {
                        Answer::Memory(address, bytes) => {
                            let rows = printed_memory(address, &bytes, format, &core.state.format_options());
                            let is_address = format.format == FormatLetter::Address;
                            contents.push((Content::Memory { ranks, address, rows, bytes }, is_address));
                        }
                        Answer::Instructions(code) => {
                            contents.push((
                                Content::Instructions(ranks, code, CodeForm::default(), CodeLines::new()),
                                false,
                            ));
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    symbols::say_with_symbols(core, id, contents)
}

/// Returns the value of a displayed expression with its number, which `undisplay` takes.
fn numbered(content: Content, number: u32) -> Content {
    match content {
        Content::Value { ranks, expression, text, datum, .. } => {
            Content::Value { ranks, expression, text, datum, display: Some(number) }
        }
        other => other,
    }
}

/// Enables or disables displays by number; no number means all.
pub(in crate::core) fn enable(core: &mut Interpreter, id: CommandId, numbers: &[u32], enabled: bool) {
    let all: Vec<u32> = core.state.displays.iter().map(|(number, _)| number).collect();
    for number in if numbers.is_empty() { &all } else { numbers } {
        if !core.state.displays.enable(*number, enabled) {
            say_missing(core, id, *number);
        }
    }
    core.done(id);
}

/// Lists the displayed expressions as gdb does.
pub(in crate::core) fn list(core: &mut Interpreter, id: CommandId) {
    let displays = &core.state.displays;
    let row = |(number, displayed): (u32, &Displayed)| {
        let (mark, format) = (if displays.is_enabled(number) { 'y' } else { 'n' }, displayed.format());
        let format = if format.is_empty() { format } else { format!("{format} ") };
        let place = displayed.place.as_ref().map_or_else(String::new, |place| format!(" @ {place}"));
        let number = format!("{number}:");
        format!("{number:<4}{mark}  {format}{}{place}", displayed.expression)
    };
    let rows: Vec<String> = displays.iter().map(row).collect();
    let text = if rows.is_empty() {
        "no displayed expressions: \"display EXPRESSION\" adds one".to_owned()
    } else {
        format!("Num Enb Expression\n{}", rows.join("\n"))
    };
    core.say(id, Content::Text(ProcessSet::new(), text));
    core.done(id);
}

fn say_missing(core: &mut Interpreter, id: CommandId, number: u32) {
    let position = core.position_in_line(id, &number.to_string(), Some(0));
    let why = format!("no displayed expression {number}; \"info display\" lists them");
    core.error(id, ProcessSet::new(), why, position);
}

/// Ends displays by number; no number means all. Where the ranks are on different ways, those of the target end them.
pub(in crate::core) fn undisplay(core: &mut Interpreter, id: CommandId, target: &Target, numbers: Vec<u32>) {
    let others =
        diverging::is_on_its_own_way(core, id).then(|| ProcessSet::all(core.state.size()).difference(&target.ranks));
    let all = core.state.displays.iter().map(|(number, _)| number).collect();
    for number in if numbers.is_empty() { all } else { numbers } {
        let displays = &mut core.state.displays;
        let existed = match &others {
            Some(others) => displays.keep_for(number, others),
            None => displays.remove(number),
        };
        if !existed {
            say_missing(core, id, number);
        }
    }
    core.done(id);
}

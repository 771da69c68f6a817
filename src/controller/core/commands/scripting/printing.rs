//! `printf` and `echo`.

use crate::command::{CommandId, PrintForm, PrintFormat};
use crate::core::by_content::by_content;
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::script::ScriptLine;
use crate::core::tasks::task::Answers;
use crate::core::tasks::then::Then;
use crate::report::{Content, formatted, printed};
use model::aif::FormatOptions;
use model::{Answer, Datum, Operation, PrintOptions, ProcessSet, Severity, Trace, VariableValue};

pub(in crate::core) fn echo(core: &mut Interpreter, id: CommandId, text: String) {
    core.print(id, vec![(ProcessSet::new(), text)]);
    core.done(id);
}

/// Requests the values that `printf` prints.
pub(in crate::core) fn printf(
    core: &mut Interpreter,
    id: CommandId,
    target: Target,
    format: PrintFormat,
    expressions: &[String],
) {
    if expressions.is_empty() {
        let text = formatted(&format, &[]).unwrap_or_default();
        core.print(id, vec![(target.ranks, text)]);
        return core.done(id);
    }
    request(core, id, target, expressions, Then::Formatted(Box::new(format)));
}

/// Requests the values of which `eval` makes a line.
pub(in crate::core) fn eval(
    core: &mut Interpreter,
    id: CommandId,
    target: Target,
    format: PrintFormat,
    expressions: &[String],
) {
    if let Some(task) = core.tasks.get_mut(&id) {
        task.focus = Some(target.clone()).filter(|target| target.named);
    }
    if expressions.is_empty() {
        let text = formatted(&format, &[]).unwrap_or_default();
        core.run_lines(id, vec![ScriptLine::plain(text)], false);
        return;
    }
    request(core, id, target, expressions, Then::Line(Box::new(format)));
}

/// Requests the value that `output` prints.
pub(in crate::core) fn output(core: &mut Interpreter, id: CommandId, target: Target, form: PrintForm, text: String) {
    let limits = Some(form.changes.over(core.state.variables.print_options()));
    let operation = Operation::Print {
        context: core.context(&target),
        expression: text.clone(),
        raw: false,
        limits,
        unrecorded: true,
        most: None,
        picture: None,
    };
    core.ask_stopped(id, target, operation, Then::Output(text, form));
}

fn request(core: &mut Interpreter, id: CommandId, target: Target, expressions: &[String], then: Then) {
    let context = core.context(&target);
    // As in gdb, texts are printed whole.
    let limits = Some(PrintOptions { elements: u32::MAX, ..core.state.variables.print_options() });
    let operation = |expression: &String| {
        let expression = expression.clone();
        Operation::Print { context, expression, raw: false, limits, unrecorded: true, most: None, picture: None }
    };
    let operations = expressions.iter().map(operation).collect();
    core.ask_all_stopped(id, target, operations, then);
}

/// Prints the values of a tracepoint in its format.
pub(in crate::core) fn traced(core: &mut Interpreter, ranks: &ProcessSet, trace: &Trace) {
    let Some(text) = core.state.scripts.formats.get(&trace.id) else { return };
    let format = PrintFormat::parse_quoted(text).map(|(format, _)| format).unwrap_or_default();
    let known = trace.values.iter().map(|variable| match &variable.value {
        VariableValue::Known(datum) => Ok(datum.clone()),
        VariableValue::Unknown { why, .. } => Err(format!("{}: {why}", variable.name)),
    });
    match known.collect::<Result<Vec<Datum>, String>>().and_then(|values| formatted(&format, &values)) {
        Ok(text) => core.report(Content::Text(ranks.clone(), text.trim_end_matches('\n').to_owned())),
        Err(why) => core.tell(Severity::Error, ranks.clone(), &format!("dprintf {}: {why}", trace.id)),
    }
}

/// Returns the values of all slots, for the ranks that share them all.
fn rows(good: Answers, count: usize) -> Vec<(ProcessSet, Vec<Datum>)> {
    let mut slots: Vec<Vec<(ProcessSet, Datum)>> = vec![Vec::new(); count];
    for (slot, ranks, answer) in good {
        if let (Answer::Data(datum), Some(known)) = (answer, slots.get_mut(slot)) {
            known.push((ranks, datum));
        }
    }
    let mut slots = slots.into_iter().map(by_content);
    let first = slots.next().unwrap_or_default();
    let mut rows: Vec<(ProcessSet, Vec<Datum>)> =
        first.into_iter().map(|(ranks, datum)| (ranks, vec![datum])).collect();
    for slot in slots {
        let mut split = Vec::new();
        for (ranks, row) in &rows {
            for (those, datum) in &slot {
                let both = ranks.intersection(those);
                if !both.is_empty() {
                    split.push((both, row.iter().chain([datum]).cloned().collect()));
                }
            }
        }
        rows = split;
    }
    rows
}

/// Returns the distinct texts of the values; reports those that do not fit their conversions.
fn texts(core: &mut Interpreter, id: CommandId, format: &PrintFormat, good: Answers) -> Vec<(ProcessSet, String)> {
    let mut texts = Vec::new();
    for (ranks, row) in rows(good, format.fields()) {
        match formatted(format, &row) {
            Ok(text) => texts.push((ranks, text)),
            Err(message) => core.error(id, ranks, message, None),
        }
    }
    by_content(texts)
}

/// Prints the values, once per distinct text.
pub(in crate::core) fn values_known(core: &mut Interpreter, id: CommandId, format: &PrintFormat, good: Answers) {
    let texts = texts(core, id, format, good);
    core.print(id, texts);
}

/// Runs the lines that `eval` made; ranks with different values run different lines. True if there are any.
pub(in crate::core) fn lines_known(core: &mut Interpreter, id: CommandId, format: &PrintFormat, good: Answers) -> bool {
    let texts = texts(core, id, format, good);
    let line = |(ranks, text): (ProcessSet, String)| {
        let chooses = text.trim_start().starts_with('[');
        ScriptLine::plain(if chooses { text } else { format!("[{ranks}] {text}") })
    };
    let lines = match <[_; 1]>::try_from(texts) {
        Ok([(_, text)]) => vec![ScriptLine::plain(text)],
        Err(several) => several.into_iter().map(line).collect(),
    };
    !lines.is_empty() && core.run_lines(id, lines, false)
}

/// Prints the value of `output`, once per distinct text.
pub(in crate::core) fn output_known(core: &mut Interpreter, id: CommandId, form: PrintForm, good: Answers) {
    let limits = FormatOptions::within(form.changes.over(core.state.variables.print_options()));
    let values = good.into_iter().filter_map(|(_, ranks, answer)| match answer {
        Answer::Data(datum) => Some((ranks, printed(&datum, form.letter, &limits))),
        _ => None,
    });
    let texts = by_content(values);
    core.print(id, texts);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_split_by_all_their_values() {
        let datum = |value: u8| Datum { descriptor: "is1".into(), data: vec![value], type_name: "char".into() };
        let set = |text| ProcessSet::parse(text).unwrap();
        let good = vec![
            (0, set("0-3"), Answer::Data(datum(1))),
            (1, set("0,2"), Answer::Data(datum(2))),
            (1, set("1"), Answer::Data(datum(3))),
        ];
        let rows = rows(good, 2);
        assert_eq!(rows, [(set("0,2"), vec![datum(1), datum(2)]), (set("1"), vec![datum(1), datum(3)])]);
    }
}

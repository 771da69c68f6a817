//! `printf` and `echo`.

use crate::command::{CommandId, PrintFormat};
use crate::core::by_content::by_content;
use crate::core::interpreter::Interpreter;
use crate::core::target::Target;
use crate::core::tasks::task::Answers;
use crate::core::tasks::then::Then;
use crate::report::{Content, formatted};
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
    let context = core.context(&target);
    // As in gdb, texts are printed whole.
    let limits = Some(PrintOptions { elements: u32::MAX, ..core.state.variables.print_options() });
    let operation = |expression: &String| {
        let expression = expression.clone();
        Operation::Print { context, expression, raw: false, limits }
    };
    let operations = expressions.iter().map(operation).collect();
    core.ask_all_stopped(id, target, operations, Then::Formatted(Box::new(format)));
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

/// Prints the values, once per distinct text.
pub(in crate::core) fn values_known(core: &mut Interpreter, id: CommandId, format: &PrintFormat, good: Answers) {
    let mut texts = Vec::new();
    for (ranks, row) in rows(good, format.fields()) {
        match formatted(format, &row) {
            Ok(text) => texts.push((ranks, text)),
            Err(message) => core.error(id, ranks, message, None),
        }
    }
    core.print(id, by_content(texts));
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

//! The arguments of frames as text and JSON: one value, or how those of the ranks differ.

use crate::report::json_object::Object;
use crate::report::values::printed_variable;
use crate::state::FoldedStack;
use model::aif::FormatOptions;
use model::{ArgumentDetail, ArgumentValue, Datum, FrameArgument, FrameArguments, Variable, VariableValue};
use std::collections::BTreeMap;

/// The arguments of a frame, as its line shows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownArguments {
    /// What is shown of them.
    pub detail: ArgumentDetail,
    /// The arguments; `None` if they were not read.
    pub list: Option<Vec<FrameArgument>>,
}

/// The arguments of the shown frames of a stack, by level.
pub type StackArguments = BTreeMap<u32, ShownArguments>;

/// Returns a stack's frames whose arguments are to be read: those that are shown, and have lines.
pub(crate) fn wanted_arguments(stack: &FoldedStack, detail: ArgumentDetail) -> StackArguments {
    let is_folded = |at: usize| stack.folded().iter().any(|fold| fold.places.contains(&at));
    let frames = stack.iter().enumerate().filter(|(at, frame)| frame.source.is_some() && !is_folded(*at));
    frames.map(|(_, frame)| (frame.level, ShownArguments { detail, list: None })).collect()
}

/// Returns the first and the last of each run of levels.
pub(crate) fn runs_of_levels(arguments: &StackArguments) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for level in arguments.keys() {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(*level) => *last = *level,
            _ => runs.push((*level, *level)),
        }
    }
    runs
}

/// Adds the arguments that ranks have in their frames.
pub(crate) fn add_arguments(arguments: &mut StackArguments, frames: &[FrameArguments]) {
    for FrameArguments { level, arguments: list } in frames {
        if let Some(shown) = arguments.get_mut(level) {
            shown.include(&ShownArguments { detail: shown.detail, list: Some(list.clone()) });
        }
    }
}

impl ShownArguments {
    /// Adds the arguments of the same frame on other ranks or threads.
    pub(crate) fn include(&mut self, other: &Self) {
        let Some(also) = &other.list else { return };
        self.list = Some(match self.list.take() {
            None => also.clone(),
            Some(list) => {
                let mut both = FrameArguments { level: 0, arguments: list };
                both.keep_shared(&FrameArguments { level: 0, arguments: also.clone() });
                both.arguments
            }
        });
    }

    /// Formats them as gdb does: `(n=3, u=...)`.
    pub(crate) fn text(&self, limits: &FormatOptions) -> String {
        let Some(list) = &self.list else { return "(...)".to_owned() };
        if self.detail == ArgumentDetail::Presence {
            return if list.is_empty() { "()" } else { "(...)" }.to_owned();
        }
        arguments_text(list, limits)
    }

    /// Returns the arguments as JSON; `None` if they were not read.
    pub(in crate::report) fn json(&self, limits: &FormatOptions) -> Option<Vec<Object>> {
        let object = |argument: &FrameArgument| {
            let object = Object::default().with("name", &argument.name).with("value", value_text(argument, limits));
            let object = object.with("value_type", argument.value.type_name());
            match &argument.value {
                ArgumentValue::Range(ends) => {
                    let end = |datum| datum_text(argument, datum, limits);
                    object.with("differs", true).with("min", end(&ends.0)).with("max", end(&ends.1))
                }
                ArgumentValue::Differs { .. } => object.with("differs", true),
                ArgumentValue::Shared(_) | ArgumentValue::Hidden { .. } => object,
            }
        };
        self.list.as_ref().map(|list| list.iter().map(object).collect())
    }
}

/// Formats arguments as gdb does: `(n=3, u=...)`.
pub fn arguments_text(list: &[FrameArgument], limits: &FormatOptions) -> String {
    let argument = |argument: &FrameArgument| format!("{}={}", argument.name, value_text(argument, limits));
    format!("({})", list.iter().map(argument).collect::<Vec<_>>().join(", "))
}

fn datum_text(argument: &FrameArgument, datum: &Datum, limits: &FormatOptions) -> String {
    let value = VariableValue::Known(datum.clone());
    printed_variable(&Variable { name: argument.name.clone(), value }, &limits.on_one_line()).text
}

fn value_text(argument: &FrameArgument, limits: &FormatOptions) -> String {
    match &argument.value {
        ArgumentValue::Shared(VariableValue::Known(datum)) => datum_text(argument, datum, limits),
        ArgumentValue::Shared(VariableValue::Unknown { why, .. }) => format!("<{why}>"),
        ArgumentValue::Range(ends) => {
            format!("{}..{}", datum_text(argument, &ends.0, limits), datum_text(argument, &ends.1, limits))
        }
        ArgumentValue::Differs { .. } => "<differs>".to_owned(),
        ArgumentValue::Hidden { .. } => "...".to_owned(),
    }
}

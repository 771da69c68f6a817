//! Shows a value by a rule.

use super::pattern::Capture;
use super::rule::{Body, Part, Rule, TypeOf};
use super::scope::{Local, ReadOnly, Scope};
use super::walk;
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::operand::Operand;
use crate::printers::container::{Container, NamedPart};
use crate::types::stripped;
use crate::value::Value;
use debuginfo::types::builtin::Builtin;
use debuginfo::types::{Kind, TypeRef};
use model::PrinterHint;
use model::aif::ChildStyle;
use std::collections::BTreeMap;

/// Text without a given length is read up to this many units.
const LONGEST_TEXT: u64 = 65_536;

/// A value, and the name by which a rule was chosen.
pub(super) struct Subject<'a> {
    pub(super) value: &'a Value,
    pub(super) captures: &'a [Capture],
    pub(super) is_cpp: bool,
}

impl Rule {
    /// Calls `work` with the scope of a value, if the rule is for it.
    pub(super) fn with_scope<T>(
        &self,
        subject: &Subject<'_>,
        context: &EvalContext<'_>,
        work: impl FnOnce(&Scope<'_>) -> Result<T, EvalError>,
    ) -> Result<Option<T>, EvalError> {
        if let Some(fault) = &self.fault {
            return Err(error(fault.clone()));
        }
        let machine = ReadOnly(context.machine());
        let outer = context.in_printer(&machine);
        let mut types = BTreeMap::new();
        for (name, ty) in &self.names {
            let found = ty.find(&self.scope(subject, outer, &types));
            match found {
                Ok(found) => types.insert(name.clone(), found),
                // What lacks a member that a name needs is another version of the type.
                Err(_) if !self.has.is_empty() && !self.has_all(&self.scope(subject, outer, &types)) => {
                    return Ok(None);
                }
                Err(why) => return Err(why),
            };
        }
        let scope = self.scope(subject, outer, &types);
        if !self.has_all(&scope) {
            return Ok(None);
        }
        // Where only a type is needed, memory reads as zero.
        if let Some(when) = &self.when
            && context.has_effects()
            && !when.is_true(&scope.context())?
        {
            return Ok(None);
        }
        work(&scope).map(Some)
    }

    fn scope<'a>(
        &self,
        subject: &'a Subject<'_>,
        outer: EvalContext<'a>,
        types: &'a BTreeMap<String, TypeRef>,
    ) -> Scope<'a> {
        let (whole, captures, is_cpp) = (subject.value, subject.captures, subject.is_cpp);
        Scope { outer, object: whole.clone(), whole, local: Local::default(), captures, types, is_cpp }
    }

    fn has_all(&self, scope: &Scope<'_>) -> bool {
        self.has.iter().all(|path| path.evaluate(&scope.context()).is_ok())
    }

    /// Returns what the rule shows of a value; `None` if it is not for this value.
    pub(super) fn shown(
        &self,
        subject: &Subject<'_>,
        context: &EvalContext<'_>,
    ) -> Result<Option<Container>, EvalError> {
        self.with_scope(subject, context, |scope| self.container(scope))
    }

    fn container(&self, scope: &Scope<'_>) -> Result<Container, EvalError> {
        let context = scope.context();
        let title = self.title.as_ref().map_or_else(|| Ok(String::new()), |title| title.text(&context))?;
        Ok(match &self.body {
            Body::Nothing => Container::Words(title),
            Body::Shown(value) => {
                let value = value.evaluate(&context)?;
                if title.is_empty() { Container::Shown(value) } else { Container::Wrapped { title, value } }
            }
            Body::Text(pointer, length) => {
                let pointer = pointer.evaluate(&context)?;
                let Operand::Pointer { address, target: unit, .. } = Operand::of(&pointer, &context)? else {
                    return Err(error("The text of a printer is a pointer or an array."));
                };
                let unit = if stripped(&unit, &context).1.kind == Kind::Void { Builtin::Char.ty() } else { unit };
                let length = match length {
                    Some(length) => Operand::of(&length.evaluate(&context)?, &context)?.as_integer(),
                    None => i128::from(terminated(address, &unit, &context)?),
                };
                let length =
                    u64::try_from(length).map_err(|_| error(format!("The length of the text is {length}.")))?;
                let text = Container::Text { address, length, unit };
                if title.is_empty() { text } else { Container::Titled { title, container: Box::new(text) } }
            }
            Body::Parts(parts, None) => Container::Parts { title, parts: named(parts, scope)? },
            Body::Parts(parts, Some(children)) => {
                let found = walk::children(children, scope)?;
                let title = match &found.note {
                    Some(note) => noted(&title, &self.place, note),
                    None => title,
                };
                if !parts.is_empty() {
                    let mut all = named(parts, scope)?;
                    let children = found.values.into_iter().map(|(_, value)| value).enumerate();
                    all.extend(children.map(|(number, value)| (format!("[{number}]"), Ok(value))));
                    return Ok(Container::Parts { title, parts: all });
                }
                let style = match children.hint {
                    PrinterHint::Array => ChildStyle::Plain,
                    PrinterHint::List => ChildStyle::Numbered,
                    PrinterHint::Map if children.key.is_some() => ChildStyle::Keyed,
                    PrinterHint::Map => ChildStyle::Numbered,
                };
                Container::Held { title, style, values: found.values, more: found.more }
            }
        })
    }
}

/// Adds a note to a title.
pub(super) fn noted(title: &str, place: &str, note: &str) -> String {
    let note = note.replace(super::checked_expression::PREFIX, "$");
    let blank = if title.is_empty() { "" } else { " " };
    format!("{title}{blank}<{place}: {}>", note.trim_end_matches('.'))
}

/// Returns the named parts of a value; one that cannot be evaluated becomes the reason.
fn named(parts: &[Part], scope: &Scope<'_>) -> Result<Vec<NamedPart>, EvalError> {
    let context = scope.context();
    let mut all = Vec::new();
    for part in parts {
        if let Some(when) = &part.when
            && !when.is_true(&context)?
        {
            continue;
        }
        if part.name.is_empty() {
            own_members(scope.whole, &context, &mut all);
            continue;
        }
        let value = part.value.evaluate(&context).map_err(|why| why.message);
        all.push((part.name.clone(), value));
    }
    Ok(all)
}

/// Adds all members of a value.
fn own_members(value: &Value, context: &EvalContext<'_>, all: &mut Vec<NamedPart>) {
    let (_, ty) = stripped(value.ty(), context);
    let Kind::Aggregate { members, .. } = &ty.kind else { return };
    for member in members.iter().filter(|member| !member.is_static) {
        if context.budget().is_some_and(|budget| budget.part().is_err()) {
            return;
        }
        let base = || format!("<{}>", context.type_name(&stripped(&member.ty, context).0));
        let name = if member.base { base() } else { member.name.as_deref().unwrap_or_default().to_owned() };
        let part = match &member.name {
            Some(name) if !member.base => crate::eval::access::member(value, name, false, context),
            _ => crate::lang::cpp::base_classes::member_value(value, member, context),
        };
        all.push((name, part.map_err(|why| why.message)));
    }
}

/// Returns the number of units before a NUL.
fn terminated(address: u64, unit: &TypeRef, context: &EvalContext<'_>) -> Result<u64, EvalError> {
    let size = crate::types::size_of(unit, context).unwrap_or(1).clamp(1, 4);
    let most = LONGEST_TEXT.min(context.limits().fetched() + 1);
    let mut bytes = vec![0; size as usize];
    for number in 0..most {
        let at = address.wrapping_add(number.wrapping_mul(size));
        context.read(model::VirtualAddress(at), &mut bytes)?;
        if bytes.iter().all(|byte| *byte == 0) {
            return Ok(number);
        }
    }
    Ok(most)
}

impl TypeOf {
    fn find(&self, scope: &Scope<'_>) -> Result<TypeRef, EvalError> {
        let context = scope.context();
        let ty = match &self.of {
            Some(expression) => expression.evaluate(&context)?.ty().clone(),
            None => scope.whole.ty().clone(),
        };
        let Some(number) = self.argument else { return Ok(ty) };
        let (ty, found) = stripped(&ty, &context);
        let arguments = context.symbols().template_arguments(&ty);
        let name = found.name.as_deref().unwrap_or("the type").to_owned();
        arguments
            .into_iter()
            .nth(number)
            .ok_or_else(|| error(format!("{name} has no type as template argument {number}.")))
    }
}

//! Walks over the children of a value: arrays, indices, linked lists and trees. Garbage may form lists and trees without an
//! end.

use super::checked_expression::CheckedExpression;
use super::rule::{Children, Walk};
use super::scope::{Local, Scope};
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::operand::Operand;
use crate::printers::containers::behind_links;
use crate::printers::printer_members::PrinterMembers;
use crate::types::{size_of, stripped};
use crate::value::Value;
use debuginfo::types::{Kind, TypeRef};
use std::collections::HashSet;

/// Most elements looked at, shown or not: conditions may leave out any number.
const MOST_VISITED: u64 = 1 << 20;

/// The children of a value, as far as they are shown.
#[derive(Default)]
pub(super) struct Found {
    /// Keys and values.
    pub(super) values: Vec<(Option<Value>, Value)>,
    pub(super) more: bool,
    /// Why the walk ended before its end.
    pub(super) note: Option<String>,
}

/// A walk in progress.
struct Walker<'a, 'b> {
    children: &'a Children,
    scope: &'a Scope<'b>,
    /// The type of an element that is stored in a node.
    element: Option<TypeRef>,
    after: u64,
    found: Found,
    visited: u64,
    most: u64,
}

/// A part of a walk ends it, or goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Go,
    Stop,
}

/// Collects the children of the value whose scope is given.
pub(super) fn children(children: &Children, scope: &Scope<'_>) -> Result<Found, EvalError> {
    let context = scope.context();
    let most = context.limits().fetched() + 1;
    let element = element_type(children, &context)?;
    let after = children.after.as_ref().map_or(Ok(0), |after| number(after, &context))?;
    let mut walker = Walker { children, scope, element, after, found: Found::default(), visited: 0, most };
    let walked = match &children.walk {
        Walk::Array { .. } => walker.array(),
        Walk::Index { item, count } => walker.indices(item.as_ref(), count),
        Walk::List { first, next, end, count } => {
            let first = first.evaluate(&context)?;
            walker.list(first, next, end.as_ref(), count.as_ref())
        }
        Walk::Tree { root, ways, end, count } => walker.tree(root, ways, end.as_ref(), count.as_ref()),
    };
    match walked {
        Ok(_) => {}
        // What was found is shown, with the reason why there is no more.
        Err(why) if !walker.found.values.is_empty() => walker.found.note = Some(why.message),
        Err(why) => return Err(why),
    }
    Ok(walker.found)
}

/// Elements one after another.
pub(super) struct PlainArray {
    pub(super) element: TypeRef,
    /// Of an element.
    pub(super) size: u64,
    pub(super) first: u64,
    pub(super) count: u64,
}

/// Returns where the children are that lie one after another.
pub(super) fn plain_array(children: &Children, scope: &Scope<'_>) -> Result<PlainArray, EvalError> {
    let Walk::Array { first, count, end } = &children.walk else { return Err(error("The children are no array.")) };
    let context = scope.context();
    let pointer = first.evaluate(&context)?;
    let first = address_of(&pointer, &context)?;
    let element = element_type(children, &context)?.map_or_else(|| target_of(&pointer, &context), Ok)?;
    let size =
        size_of(&element, &context).filter(|size| *size > 0).ok_or_else(|| error("The elements have no size."))?;
    let count = match (count, end) {
        (Some(count), _) => number(count, &context)?,
        (None, Some(end)) => {
            let end = address_of(&end.evaluate(&context)?, &context)?;
            u64::try_from((end.wrapping_sub(first) as i64) / size as i64).unwrap_or(0)
        }
        (None, None) => 0,
    };
    Ok(PlainArray { element, size, first, count })
}

/// Returns the type of an element that a rule names.
fn element_type(children: &Children, context: &EvalContext<'_>) -> Result<Option<TypeRef>, EvalError> {
    let pointer = children.element.as_ref().map(|pointer| pointer.evaluate(context)).transpose()?;
    pointer.map(|pointer| target_of(&pointer, context)).transpose()
}

/// Returns the type that a pointer points to.
fn target_of(pointer: &Value, context: &EvalContext<'_>) -> Result<TypeRef, EvalError> {
    match Operand::of(pointer, context)? {
        Operand::Pointer { target, .. } if stripped(&target, context).1.kind != Kind::Void => Ok(target),
        _ => Err(error(format!("{} is no pointer to a node.", context.type_name(pointer.ty())))),
    }
}

pub(super) fn number(expression: &CheckedExpression, context: &EvalContext<'_>) -> Result<u64, EvalError> {
    let number = Operand::of(&expression.evaluate(context)?, context)?.as_integer();
    // What is negative is not constructed yet, or damaged.
    Ok(u64::try_from(number.max(0)).unwrap_or(u64::MAX))
}

fn address_of(pointer: &Value, context: &EvalContext<'_>) -> Result<u64, EvalError> {
    Ok(Operand::of(pointer, context)?.as_integer() as u64)
}

impl Walker<'_, '_> {
    fn array(&mut self) -> Result<Next, EvalError> {
        let PlainArray { element, size, first, count } = plain_array(self.children, self.scope)?;
        for index in 0..count {
            let item = PrinterMembers::placed(&element, first.wrapping_add(index.wrapping_mul(size)));
            if self.visit(item, Local { index: Some(index), ..Local::default() })? == Next::Stop {
                return Ok(Next::Stop);
            }
        }
        Ok(Next::Go)
    }

    fn indices(&mut self, item: Option<&CheckedExpression>, count: &CheckedExpression) -> Result<Next, EvalError> {
        let count = number(count, &self.scope.context())?;
        for index in 0..count {
            let local = Local { index: Some(index), ..Local::default() };
            let scope = self.scope_of(self.scope.object.clone(), local.clone());
            let item = item.map_or_else(|| Ok(self.scope.object.clone()), |item| item.evaluate(&scope.context()))?;
            if self.visit(item, local)? == Next::Stop {
                return Ok(Next::Stop);
            }
        }
        Ok(Next::Go)
    }

    fn list(
        &mut self,
        first: Value,
        next: &CheckedExpression,
        end: Option<&CheckedExpression>,
        count: Option<&CheckedExpression>,
    ) -> Result<Next, EvalError> {
        let context = self.scope.context();
        let end = end.map_or(Ok(0), |end| address_of(&end.evaluate(&context)?, &context))?;
        let count = count.map_or(Ok(u64::MAX), |count| number(count, &context))?;
        let mut seen = HashSet::new();
        let mut node = first;
        for index in 0..count {
            let address = address_of(&node, &context)?;
            if address == 0 || address == end {
                break;
            }
            if !seen.insert(address) {
                return Err(error(format!("the list has a loop at {address:#x}")));
            }
            let object = self.object(&node, address)?;
            let local = Local { index: Some(index), node: Some(node.clone()), ..Local::default() };
            if self.visit(self.stored(&object, address), local.clone())? == Next::Stop {
                return Ok(Next::Stop);
            }
            node = next.evaluate(&self.scope_of(object, local).context())?;
        }
        Ok(Next::Go)
    }

    fn tree(
        &mut self,
        root: &CheckedExpression,
        ways: &[CheckedExpression; 2],
        end: Option<&CheckedExpression>,
        count: Option<&CheckedExpression>,
    ) -> Result<Next, EvalError> {
        let context = self.scope.context();
        let end = end.map_or(Ok(0), |end| address_of(&end.evaluate(&context)?, &context))?;
        let count = count.map_or(Ok(u64::MAX), |count| number(count, &context))?;
        let [left, right] = ways;
        let mut seen = HashSet::new();
        // Nodes whose left side has been or is being shown.
        let mut open: Vec<(Value, u64)> = Vec::new();
        let mut node = root.evaluate(&context)?;
        let mut index = 0;
        while index < count {
            let address = address_of(&node, &context)?;
            if address != 0 && address != end {
                self.look()?;
                if !seen.insert(address) {
                    return Err(error(format!("the tree has a loop at {address:#x}")));
                }
                let object = self.object(&node, address)?;
                let local = Local { node: Some(node.clone()), ..Local::default() };
                let below = left.evaluate(&self.scope_of(object, local).context())?;
                open.push((std::mem::replace(&mut node, below), address));
                continue;
            }
            let Some((here, address)) = open.pop() else { break };
            let object = self.object(&here, address)?;
            let local = Local { index: Some(index), node: Some(here), ..Local::default() };
            if self.visit(self.stored(&object, address), local.clone())? == Next::Stop {
                return Ok(Next::Stop);
            }
            index += 1;
            node = right.evaluate(&self.scope_of(object, local).context())?;
        }
        Ok(Next::Go)
    }

    /// Returns the node that a pointer points to; one without a type is only the place of an element.
    fn object(&self, node: &Value, address: u64) -> Result<Value, EvalError> {
        match target_of(node, &self.scope.context()) {
            Ok(target) => Ok(PrinterMembers::placed(&target, address)),
            Err(_) if self.element.is_some() => Ok(self.scope.object.clone()),
            Err(why) => Err(why),
        }
    }

    /// Returns what is stored in a node: the node itself, or the element behind its links.
    fn stored(&self, object: &Value, address: u64) -> Value {
        match &self.element {
            Some(element) => {
                let behind = behind_links(&self.scope.context(), self.after, element);
                PrinterMembers::placed(element, address.wrapping_add(behind))
            }
            None => object.clone(),
        }
    }

    fn scope_of(&self, object: Value, local: Local) -> Scope<'_> {
        Scope { object, ..self.scope.at(local) }
    }

    /// Charges a look at an element.
    fn look(&mut self) -> Result<(), EvalError> {
        self.visited += 1;
        if self.visited > MOST_VISITED {
            return Err(error(format!("more than {MOST_VISITED} elements were looked at")));
        }
        self.scope.outer.budget().map_or(Ok(()), |budget| budget.read(8)).map_err(error)
    }

    /// Adds an element, or the chain that begins with it.
    fn visit(&mut self, item: Value, local: Local) -> Result<Next, EvalError> {
        let Some(chain) = &self.children.chain else { return self.add(item, local) };
        let context = self.scope.context();
        let mut seen = HashSet::new();
        let mut node = item;
        loop {
            let address = address_of(&node, &context)?;
            if address == 0 {
                return Ok(Next::Go);
            }
            if !seen.insert(address) {
                return Err(error(format!("a chain has a loop at {address:#x}")));
            }
            let object = PrinterMembers::placed(&target_of(&node, &context)?, address);
            let local = Local { node: Some(node), ..local.clone() };
            if self.add(object.clone(), local.clone())? == Next::Stop {
                return Ok(Next::Stop);
            }
            node = chain.evaluate(&self.scope_of(object, local).context())?;
        }
    }

    /// Adds an element, unless a condition leaves it out.
    fn add(&mut self, item: Value, local: Local) -> Result<Next, EvalError> {
        self.look()?;
        let Children { key, value, when, walk, chain, .. } = self.children;
        if key.is_none() && value.is_none() && when.is_none() {
            return Ok(self.put(None, item));
        }
        // The expressions of an index are about the whole value.
        let is_of_whole = matches!(walk, Walk::Index { .. }) && chain.is_none();
        let object = if is_of_whole { self.scope.object.clone() } else { item.clone() };
        let local = Local { item: Some(item.clone()), ..local };
        let scope = self.scope_of(object, local);
        let context = scope.context();
        if let Some(when) = when
            && !when.is_true(&context)?
        {
            return Ok(Next::Go);
        }
        let key = key.as_ref().map(|key| key.evaluate(&context)).transpose()?;
        let value = value.as_ref().map_or_else(|| Ok(item), |value| value.evaluate(&context))?;
        Ok(self.put(key, value))
    }

    fn put(&mut self, key: Option<Value>, value: Value) -> Next {
        if self.found.values.len() as u64 >= self.most {
            self.found.more = true;
            return Next::Stop;
        }
        self.found.values.push((key, value));
        Next::Go
    }
}

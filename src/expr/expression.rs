//! An expression, parsed once, evaluated often.

use super::context::EvalContext;
use super::{EvalError, Value};
use crate::eval::evaluator::Evaluator;
use crate::syntax::parser::{Parsed, parse};
use crate::syntax::token::Dialect;
use crate::syntax::tree::{BaseType, Node, NodeKind};
use crate::types::stripped;
use debuginfo::types::{Kind, Place, TypeRef};
use model::aif::Spelling;
use model::{ErrorCode, VirtualAddress};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A parsed expression. Evaluating it again costs no parsing.
#[derive(Debug)]
pub struct Expression {
    text: String,
    plain: Result<Parsed, EvalError>,
    /// As Fortran reads it; made where it is asked for.
    fortran: OnceLock<Result<Arc<Node>, EvalError>>,
    /// As Rust reads it, likewise.
    rust: OnceLock<Result<Arc<Node>, EvalError>>,
    /// The tree for the last set of names that turned out to be types: `(cell) - 1` can be a cast.
    with_types: Mutex<Option<(Vec<Arc<str>>, Arc<Node>)>>,
    /// What it means is what is there, whatever its names mean.
    fixed: Option<(TypeRef, VirtualAddress)>,
}

impl Clone for Expression {
    fn clone(&self) -> Self {
        Self {
            text: self.text.clone(),
            plain: self.plain.clone(),
            fortran: OnceLock::new(),
            rust: OnceLock::new(),
            with_types: Mutex::new(None),
            fixed: self.fixed.clone(),
        }
    }
}

/// What an expression is: a value, or a type that it names.
#[derive(Clone, Debug)]
pub(super) enum Subject {
    /// Its type is what is asked for.
    Value(TypeRef),
    /// The text is a type itself.
    Type(TypeRef),
}

impl Expression {
    /// Parses the syntax of C, or else that of Fortran or Rust: which holds is known where it is evaluated. Nothing is looked up,
    /// so that a condition can be parsed before its names exist.
    pub fn parse(text: &str) -> Result<Self, EvalError> {
        let plain = parse(text, &[], Dialect::C);
        if let Err(error) = &plain
            && [Dialect::Fortran, Dialect::Rust].into_iter().all(|dialect| parse(text, &[], dialect).is_err())
        {
            return Err(error.clone());
        }
        Ok(Self {
            text: text.to_owned(),
            plain,
            fortran: OnceLock::new(),
            rust: OnceLock::new(),
            with_types: Mutex::new(None),
            fixed: None,
        })
    }

    /// The same for what is at an address now, when its names will mean something else or nothing.
    #[must_use]
    pub fn fixed_at(self, ty: TypeRef, address: VirtualAddress) -> Self {
        Self { fixed: Some((ty, address)), ..self }
    }

    /// Whether it means what is at an address.
    pub fn is_fixed(&self) -> bool {
        self.fixed.is_some()
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its value here. Assignments in it are carried out.
    pub fn evaluate(&self, context: &EvalContext<'_>) -> Result<Value, EvalError> {
        if let Some((ty, address)) = &self.fixed {
            return Ok(Value::new(ty.clone(), Place::Memory(*address)));
        }
        let evaluator = Evaluator::new(context);
        self.with_tree(context, |root| evaluator.value(root))
    }

    /// Whether it is non-zero here: the condition of a breakpoint.
    pub fn condition(&self, context: &EvalContext<'_>) -> Result<bool, EvalError> {
        self.evaluate(context)?.as_bool(context)
    }

    /// Fails at the first name that means nothing here, and where no value of the variables could make it evaluate: a member
    /// that the type does not have, a call of what is no function. Nothing is evaluated: what the names stand for may
    /// have no value yet.
    pub fn check(&self, context: &EvalContext<'_>) -> Result<(), EvalError> {
        let evaluator = Evaluator::avoiding_side_effects(context);
        self.with_tree(context, |root| {
            check_names(root, &evaluator, context)?;
            check_types(root, &evaluator)
        })
    }

    /// The names that it looks up, when what it does depends on nothing else but memory and registers: it calls and
    /// changes nothing, and names no types.
    pub fn plain_names(&self) -> Option<Vec<Arc<str>>> {
        let plain = self.plain.as_ref().ok()?;
        let mut names = Vec::new();
        (plain.doubtful.is_empty() && collect_names(&plain.root, &mut names)).then_some(names)
    }

    /// Whether it is a variable, a component or an element of one: evaluating it changes nothing.
    pub(super) fn is_part_of_variable(&self, context: &EvalContext<'_>) -> bool {
        self.with_tree(context, |root| Ok(is_part(root, context))).unwrap_or(false)
    }

    /// Whether it says itself which type its value has.
    pub fn is_cast(&self, context: &EvalContext<'_>) -> bool {
        self.with_tree(context, |root| Ok(matches!(root.kind, NodeKind::Cast(..)))).unwrap_or(false)
    }

    /// What it is, without evaluating it: nothing is written, and memory is not read.
    pub(super) fn subject(&self, context: &EvalContext<'_>) -> Result<Subject, EvalError> {
        let evaluator = Evaluator::avoiding_side_effects(context);
        self.with_tree(context, |root| {
            if let NodeKind::Type(ty) = &root.kind {
                return evaluator.type_of_expression(ty).map(Subject::Type);
            }
            match (evaluator.value(root), &root.kind) {
                (Ok(value), _) => Ok(Subject::Value(value.ty().clone())),
                (Err(error), NodeKind::Name(name)) => match evaluator.undescribed(root) {
                    Some(data) => Ok(Subject::Value(data.ty().clone())),
                    None => context.type_named(name).map(Subject::Type).ok_or(error),
                },
                (Err(error), _) => Err(error),
            }
        })
    }

    /// Calls `work` with the tree that holds here.
    fn with_tree<T>(
        &self,
        context: &EvalContext<'_>,
        work: impl FnOnce(&Node) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        let own = match context.spelling() {
            Some(Spelling::Fortran) => Some((&self.fortran, Dialect::Fortran)),
            Some(Spelling::Rust) => Some((&self.rust, Dialect::Rust)),
            None => None,
        };
        if let Some((kept, dialect)) = own {
            let parsed = || parse(&self.text, &[], dialect).map(|parsed| Arc::new(parsed.root));
            return work(kept.get_or_init(parsed).as_ref().map_err(EvalError::clone)?);
        }
        let plain = self.plain.as_ref().map_err(EvalError::clone)?;
        let is_type = |name: &&Arc<str>| context.variable(name).is_none() && context.type_named(name).is_some();
        let types: Vec<Arc<str>> = plain.doubtful.iter().filter(is_type).cloned().collect();
        if types.is_empty() {
            return work(&plain.root);
        }
        let mut cached = self.with_types.lock().unwrap_or_else(PoisonError::into_inner);
        let tree = match cached.as_ref() {
            Some((known, tree)) if *known == types => tree.clone(),
            _ => {
                let tree = Arc::new(parse(&self.text, &types, Dialect::C)?.root);
                *cached = Some((types, tree.clone()));
                tree
            }
        };
        drop(cached);
        work(&tree)
    }
}

/// Whether a tree is of nothing but operators, numbers and names, which are collected.
fn collect_names(node: &Node, into: &mut Vec<Arc<str>>) -> bool {
    let known = match &node.kind {
        NodeKind::Name(name) => {
            if !into.contains(name) {
                into.push(Arc::clone(name));
            }
            true
        }
        NodeKind::Cast(ty, _) => matches!(ty.base, BaseType::Builtin(_)),
        NodeKind::Register(_) | NodeKind::Integer(..) | NodeKind::Float(..) | NodeKind::Character(..) => true,
        NodeKind::Member { .. } | NodeKind::Index(..) | NodeKind::Unary(..) | NodeKind::Binary(..) => true,
        NodeKind::And(..) | NodeKind::Or(..) | NodeKind::Conditional(..) => true,
        _ => false,
    };
    known && node.kind.parts().into_iter().all(|part| collect_names(part, into))
}

fn is_part(node: &Node, context: &EvalContext<'_>) -> bool {
    let is_array = |of: &Node| {
        let ty = Evaluator::avoiding_side_effects(context).value(of).map(|value| value.ty().clone());
        ty.is_ok_and(|ty| matches!(stripped(&ty, context).1.kind, Kind::Array { .. }))
    };
    match &node.kind {
        NodeKind::Name(name) => context.variable(name).is_some(),
        NodeKind::Member { of, .. } => is_part(of, context),
        NodeKind::Call(of, subscripts) => {
            let plain = |one: &Node| matches!(one.kind, NodeKind::Integer(..)) || is_part(one, context);
            is_part(of, context) && is_array(of) && subscripts.iter().all(plain)
        }
        _ => false,
    }
}

/// Looks at both sides of what takes only one when it is evaluated.
fn check_types(node: &Node, evaluator: &Evaluator<'_>) -> Result<(), EvalError> {
    match &node.kind {
        NodeKind::And(..) | NodeKind::Or(..) | NodeKind::Conditional(..) | NodeKind::Comma(..) => {
            node.kind.parts().into_iter().try_for_each(|part| check_types(part, evaluator))
        }
        NodeKind::Unary(_, of) if matches!(of.kind, NodeKind::And(..) | NodeKind::Or(..)) => check_types(of, evaluator),
        NodeKind::Type(ty) => evaluator.type_of_expression(ty).map(drop),
        // A convenience variable has another type whenever it is set.
        _ if has_dollar(node) => Ok(()),
        _ => match evaluator.value(node) {
            Err(error) if error.of_types => Err(error),
            _ => Ok(()),
        },
    }
}

fn has_dollar(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Register(_)) || node.kind.parts().into_iter().any(has_dollar)
}

fn check_names(node: &Node, evaluator: &Evaluator<'_>, context: &EvalContext<'_>) -> Result<(), EvalError> {
    match &node.kind {
        NodeKind::Name(_) => match evaluator.value(node) {
            Err(error) if error.code == ErrorCode::UNKNOWN_VARIABLE => Err(error),
            _ => Ok(()),
        },
        NodeKind::SizeOf(of) if matches!(&of.kind, NodeKind::Name(name) if context.type_named(name).is_some()) => {
            Ok(())
        }
        // Methods of the object are no variables.
        NodeKind::Call(of, arguments)
            if matches!(&of.kind, NodeKind::Name(name) if context.variable(name).is_none())
                && context.is_cplusplus()
                && evaluator.value(node).is_ok() =>
        {
            arguments.iter().try_for_each(|one| check_names(one, evaluator, context))
        }
        // Intrinsic functions are no variables.
        NodeKind::Call(of, arguments) if context.spelling() == Some(Spelling::Fortran) => {
            let own =
                matches!(&of.kind, NodeKind::Name(name) if context.variable(name).is_none() && evaluator.is_own(name));
            let called = if own { Ok(()) } else { check_names(of, evaluator, context) };
            called.and_then(|()| arguments.iter().try_for_each(|one| check_names(one, evaluator, context)))
        }
        kind => kind.parts().into_iter().try_for_each(|part| check_names(part, evaluator, context)),
    }
}

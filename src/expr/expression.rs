//! Expressions: parsed once, evaluated often.

use crate::EvalError;
use crate::arrays::array_value;
use crate::context::EvalContext;
use crate::eval::check::{check_calls, check_names, check_types};
use crate::eval::function_names::check_number;
use crate::eval::names::undescribed;
use crate::eval::node::value;
use crate::eval::type_expressions::resolve;
use crate::lang::languages::{language_of, language_with};
use crate::syntax::tree::{BaseType, Node, NodeKind, Parsed, Syntax};
use crate::types::stripped;
use crate::value::{Subject, Value};
use debuginfo::types::{Kind, Place, Symbols, TypeRef};
use model::VirtualAddress;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

#[derive(Debug)]
struct TreeWithTypes {
    types: Vec<Arc<str>>,
    tree: Arc<Parsed>,
}

/// A parsed expression. Evaluating it again needs no parsing.
#[derive(Debug)]
pub struct Expression {
    text: String,
    /// One tree for each grammar, in the order of [`Syntax::ALL`]; parsed on first use.
    parsed: [OnceLock<Result<Arc<Parsed>, EvalError>>; Syntax::ALL.len()],
    /// The tree for the last set of names that turned out to be types: `(cell) - 1` can be a cast.
    with_types: Mutex<Option<TreeWithTypes>>,
    /// Set if the expression stands for a type at an address, whatever its names mean.
    fixed: Option<(TypeRef, VirtualAddress)>,
}

impl Clone for Expression {
    fn clone(&self) -> Self {
        Self {
            text: self.text.clone(),
            parsed: self.parsed.clone(),
            with_types: Mutex::new(None),
            fixed: self.fixed.clone(),
        }
    }
}

impl Expression {
    /// Parses the text as C, or else as Fortran or Rust: the language is known only at evaluation. No name is looked
    /// up, so that a condition can be parsed before its names exist.
    pub fn parse(text: &str) -> Result<Self, EvalError> {
        let expression =
            Self { text: text.to_owned(), parsed: Default::default(), with_types: Mutex::new(None), fixed: None };
        let [first, others @ ..] = Syntax::ALL;
        if let Err(error) = expression.as_read_by(first)
            && others.into_iter().all(|syntax| expression.as_read_by(syntax).is_err())
        {
            return Err(error);
        }
        Ok(expression)
    }

    /// Returns the tree of one grammar.
    fn as_read_by(&self, syntax: Syntax) -> Result<&Arc<Parsed>, EvalError> {
        let [c, fortran, rust] = &self.parsed;
        let kept = match syntax {
            Syntax::C => c,
            Syntax::Fortran => fortran,
            Syntax::Rust => rust,
        };
        let parsed = kept.get_or_init(|| language_with(syntax).parse(&self.text, &[]).map(Arc::new));
        parsed.as_ref().map_err(EvalError::clone)
    }

    /// Ties the expression to an address, for use when its names mean something else or nothing.
    #[must_use]
    pub fn fixed_at(self, ty: TypeRef, address: VirtualAddress) -> Self {
        Self { fixed: Some((ty, address)), ..self }
    }

    /// True if it stands for an address, whatever its names mean.
    pub fn is_fixed(&self) -> bool {
        self.fixed.is_some()
    }

    /// The text as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Evaluates it in a context. Assignments in it are carried out.
    pub fn evaluate(&self, context: &EvalContext<'_>) -> Result<Value, EvalError> {
        if let Some((ty, address)) = &self.fixed {
            return Ok(Value::new(ty.clone(), Place::Memory(*address)));
        }
        self.with_tree(context, |root| value(root, context))
    }

    /// Evaluates it for a command that takes a whole array: a member of an array of structs is that member of each of
    /// them.
    pub fn evaluate_as_array(&self, context: &EvalContext<'_>) -> Result<Value, EvalError> {
        if self.fixed.is_some() {
            return self.evaluate(context);
        }
        self.with_tree(context, |root| array_value(root, context))
    }

    /// True if its value is not zero: the condition of a breakpoint.
    pub fn condition(&self, context: &EvalContext<'_>) -> Result<bool, EvalError> {
        if self.fixed.is_none() {
            self.with_tree(context, |root| check_number(root, context))?;
        }
        let context = &context.for_condition();
        self.evaluate(context)?.as_bool(context)
    }

    /// Fails at the first unknown name, at a call of a function of the program, and if no values of the variables could make it evaluate: a member that the
    /// type does not have, a call of something that is not a function. Nothing is evaluated: the variables may have no
    /// value yet.
    pub fn check(&self, context: &EvalContext<'_>) -> Result<(), EvalError> {
        let types = context.avoiding_side_effects().for_condition();
        self.with_tree(context, |root| {
            check_names(root, &types, context)?;
            check_calls(root, &types)?;
            check_number(root, &types)?;
            check_types(root, &types)
        })
    }

    /// Returns the names it looks up, if it depends on nothing but these, memory and registers: it calls and changes
    /// nothing, and names no types.
    pub fn plain_names(&self, symbols: &dyn Symbols) -> Option<Vec<Arc<str>>> {
        let language = language_of(symbols);
        let implied = language.implied_names()?;
        let plain = self.as_read_by(language.syntax()).ok()?;
        let mut names = Vec::new();
        if !plain.doubtful.is_empty() || !collect_names(&plain.root, &mut names) {
            return None;
        }
        names.extend(implied.iter().map(|name| Arc::from(*name)));
        Some(names)
    }

    /// True if evaluating it may change something, in any grammar that can read it.
    pub(crate) fn changes_something(&self) -> bool {
        Syntax::ALL.into_iter().filter_map(|syntax| self.as_read_by(syntax).ok()).any(|parsed| changes(&parsed.root))
    }

    /// True for a variable, or a component or element of one: evaluating it changes nothing.
    pub(crate) fn is_part_of_variable(&self, context: &EvalContext<'_>) -> bool {
        self.with_tree(context, |root| Ok(is_part(root, context))).unwrap_or(false)
    }

    /// True for a cast, which gives the type of its value.
    pub fn is_cast(&self, context: &EvalContext<'_>) -> bool {
        self.with_tree(context, |root| Ok(matches!(root.kind, NodeKind::Cast(..)))).unwrap_or(false)
    }

    /// Returns the type without evaluating: nothing is written, and memory is not read.
    pub(crate) fn subject(&self, context: &EvalContext<'_>) -> Result<Subject, EvalError> {
        let types = context.avoiding_side_effects();
        self.with_tree(context, |root| {
            if let NodeKind::Type(ty) = &root.kind {
                return resolve(ty, &types).map(Subject::Type);
            }
            match (value(root, &types), &root.kind) {
                (Ok(value), _) => Ok(Subject::Value(value.ty().clone())),
                (Err(error), NodeKind::Name(name)) => match undescribed(root, &types) {
                    Some(data) => Ok(Subject::Value(data.ty().clone())),
                    None => context.symbols().type_named(name).map(Subject::Type).ok_or(error),
                },
                (Err(error), _) => Err(error),
            }
        })
    }

    /// Calls `work` with the tree for this context: its grammar, and the names that are types in it.
    fn with_tree<T>(
        &self,
        context: &EvalContext<'_>,
        work: impl FnOnce(&Node) -> Result<T, EvalError>,
    ) -> Result<T, EvalError> {
        let language = context.language();
        let plain = self.as_read_by(language.syntax())?;
        let is_type =
            |name: &&Arc<str>| context.variable(name).is_none() && context.symbols().type_named(name).is_some();
        let types: Vec<Arc<str>> = plain.doubtful.iter().filter(is_type).cloned().collect();
        if types.is_empty() {
            return work(&plain.root);
        }
        let mut cached = self.with_types.lock().unwrap_or_else(PoisonError::into_inner);
        let tree = match cached.as_ref() {
            Some(known) if known.types == types => known.tree.clone(),
            _ => {
                let tree = Arc::new(language.parse(&self.text, &types)?);
                *cached = Some(TreeWithTypes { types, tree: tree.clone() });
                tree
            }
        };
        drop(cached);
        work(&tree.root)
    }
}

/// Collects the names in a tree of operators, numbers and names; returns `false` if it contains anything else.
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

/// True if a tree has an assignment.
fn changes(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Assign(..) | NodeKind::Step { .. }) || node.kind.parts().into_iter().any(changes)
}

fn is_part(node: &Node, context: &EvalContext<'_>) -> bool {
    let is_array = |of: &Node| {
        let ty = value(of, &context.avoiding_side_effects()).map(|value| value.ty().clone());
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

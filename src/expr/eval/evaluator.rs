//! Walks the tree of an expression.

use super::access::{address_of, contents, index, member, repeated};
use super::arithmetic::{binary, truth, unary};
use super::call_arguments::placed;
use super::convenience::{dollar, is_convenience, set_convenience};
use super::operand::{Operand, converted, dereferenced, float_value, integer_value};
use super::unknown_names::is_undescribed;
use crate::EvalError;
use crate::context::EvalContext;
use crate::lang::c::macros::with_advice;
use crate::lang::fortran::intrinsics::{has_place, intrinsic, is_intrinsic};
use crate::lang::fortran::sections::{Subscript, components, section};
use crate::long_double::Real;
use crate::syntax::tree::{BinaryOperator, Node, NodeKind, TypeExpression, UnaryOperator};
use crate::types::{resolve, size_of, stripped};
use crate::value::Value;
use debuginfo::types::builtin::{Builtin, array_of};
use debuginfo::types::{Encoding, Kind, NamedValue, Place, TypeRef};
use model::aif::Spelling;
use model::{ErrorCode, VirtualAddress};
use std::sync::Arc;

/// One evaluation.
pub(crate) struct Evaluator<'a> {
    pub(crate) context: EvalContext<'a>,
}

pub(crate) fn error(message: impl Into<String>) -> EvalError {
    EvalError::new(ErrorCode::DEBUGGER, message)
}

fn floating(value: Real, ty: Builtin) -> Value {
    let size = match ty {
        Builtin::Float => 4,
        Builtin::LongDouble => 16,
        _ => 8,
    };
    float_value(value, size)
}

impl<'a> Evaluator<'a> {
    /// Evaluates in earnest.
    pub(crate) fn new(context: &EvalContext<'a>) -> Self {
        Self { context: *context }
    }

    /// Finds types only.
    pub(crate) fn avoiding_side_effects(context: &EvalContext<'a>) -> Self {
        Self { context: context.avoiding_side_effects() }
    }

    pub(crate) fn type_of_expression(&self, ty: &TypeExpression) -> Result<TypeRef, EvalError> {
        resolve(ty, &self.context)
    }

    /// The value of a part of an expression; an error is at that part unless it is at one within.
    pub(crate) fn value(&self, node: &Node) -> Result<Value, EvalError> {
        let value = self.kind(node).map_err(|error| error.at(node.position))?;
        Ok(if self.context.has_effects() { value } else { value.with_zeros_for_holes() })
    }

    pub(crate) fn operand(&self, node: &Node) -> Result<Operand, EvalError> {
        Operand::of(&self.value(node)?, &self.context).map_err(|error| error.at(node.position))
    }

    /// Each kind has a function of its own: in one, the stack of all of them would be taken on every level.
    fn kind(&self, node: &Node) -> Result<Value, EvalError> {
        if self.is_rust()
            && let Some(value) = self.in_rust(node)
        {
            return value;
        }
        match &node.kind {
            NodeKind::Name(name) => self.name(name),
            NodeKind::Register(name) => dollar(name, &self.context),
            NodeKind::Integer(value, ty) => Ok(integer_value(i128::from(*value), *ty)),
            NodeKind::Float(value, ty) => Ok(floating(*value, *ty)),
            NodeKind::Character(value, ty) => Ok(integer_value(i128::from(*value), *ty)),
            NodeKind::Text(units, ty) => Ok(self.text(units, *ty)),
            NodeKind::Member { of, name, arrow } => self.member(of, name, *arrow),
            NodeKind::Index(of, at) => self.index(of, at),
            NodeKind::Slice(of, first, last) => self.slice(of, first, last),
            NodeKind::Call(of, arguments) => self.call(of, arguments, None),
            NodeKind::Unary(operator, of) => self.unary(*operator, of),
            NodeKind::Step { of, by, postfix } => self.step(of, *by, *postfix),
            NodeKind::Binary(operator, left, right) => self.binary(*operator, left, right),
            NodeKind::And(left, right) => self.logic(left, right, false),
            NodeKind::Or(left, right) => self.logic(left, right, true),
            NodeKind::Conditional(condition, yes, no) => {
                if self.truth(condition)? {
                    self.value(yes)
                } else {
                    self.value(no)
                }
            }
            NodeKind::Comma(left, right) if self.context.spelling() == Some(Spelling::Fortran) => {
                self.complex_number(left, right)
            }
            NodeKind::Comma(left, right) => self.value(left).and_then(|_| self.value(right)),
            NodeKind::Repeat(first, count) => self.repeat(first, count),
            NodeKind::Assign(operator, to, from) => self.assignment(*operator, to, from),
            NodeKind::Cast(ty, of) => self.type_of_expression(ty).and_then(|ty| self.cast(of, ty)),
            NodeKind::SizeOf(of) => self.size_of(of),
            NodeKind::SizeOfType(ty) => self.type_of_expression(ty).and_then(|ty| self.size(&ty)),
            NodeKind::Rust(_) => Err(error("This is an expression of Rust.")),
            NodeKind::Range(..) => Err(error("A range is a subscript of an array.")),
            NodeKind::Type(_) => Err(error("Attempt to use a type name as an expression")),
        }
    }

    fn truth(&self, node: &Node) -> Result<bool, EvalError> {
        self.operand(node).map(|operand| operand.is_true())
    }

    /// An operand of an operator; aggregates have none in C.
    pub(crate) fn operand_of(&self, node: &Node, sign: &str) -> Result<Operand, EvalError> {
        let value = self.value(node)?;
        if matches!(stripped(value.ty(), &self.context).1.kind, Kind::Aggregate { .. }) {
            return Err(error(format!("Structure has no component named operator{sign}.")).of_types());
        }
        Operand::of(&self.located(value)?, &self.context).map_err(|error| error.at(node.position))
    }

    /// An array that is nowhere, such as a literal, gets memory of the program where its address is what counts.
    fn located(&self, value: Value) -> Result<Value, EvalError> {
        let s = &self.context;
        let (_, ty) = stripped(value.ty(), s);
        let (Kind::Array { .. }, None, true) = (&ty.kind, value.address(), s.has_effects()) else { return Ok(value) };
        let address = placed(&value, s)?;
        Ok(Value::new(value.ty().clone(), Place::Memory(VirtualAddress(address))))
    }

    /// `&&`, and `||` when `or`: the right side only when the left does not decide.
    fn logic(&self, left: &Node, right: &Node, or: bool) -> Result<Value, EvalError> {
        let sign = if or { "||" } else { "&&" };
        let left = self.operand_of(left, sign)?.is_true();
        let result = if left == or { or } else { self.operand_of(right, sign)?.is_true() };
        Ok(truth(result, &self.context))
    }

    fn member(&self, of: &Node, name: &str, arrow: bool) -> Result<Value, EvalError> {
        let of = self.value(of)?;
        if self.context.spelling() == Some(Spelling::Fortran)
            && let Some(components) = components(&of, name, &self.context)
        {
            return components;
        }
        let to = if arrow { self.operator_on(&of, "->", None)? } else { None };
        member(&to.unwrap_or(of), name, arrow, &self.context)
    }

    fn index(&self, of: &Node, at: &Node) -> Result<Value, EvalError> {
        let of = self.value(of)?;
        if let Some(value) = self.operator_on(&of, "[]", Some(at))? {
            return Ok(value);
        }
        index(&of, &self.operand(at)?, &self.context)
    }

    /// `of[first:last]`, both included.
    fn slice(&self, of: &Node, first: &Node, last: &Node) -> Result<Value, EvalError> {
        let s = &self.context;
        let of = self.value(of)?;
        let (low, high) = (self.operand(first)?, self.operand(last)?);
        let (Operand::Integer { value: from, .. }, Operand::Integer { value: to, .. }) = (&low, &high) else {
            return Err(error("The bounds of a slice must be integers."));
        };
        let count = to.saturating_sub(*from).saturating_add(1);
        if count <= 0 && s.has_effects() {
            return Err(error("array or string index out of range"));
        }
        repeated(&index(&of, &low, s)?, count, s.has_effects(), s)
    }

    fn unary(&self, operator: UnaryOperator, of: &Node) -> Result<Value, EvalError> {
        match operator {
            UnaryOperator::Dereference => {
                let of = self.value(of)?;
                self.operator_on(&of, "*", None)?.map_or_else(|| contents(&of, &self.context), Ok)
            }
            UnaryOperator::AddressOf => self.address_of(of),
            _ => unary(operator, &self.operand_of(of, operator.sign())?, &self.context),
        }
    }

    fn address_of(&self, of: &Node) -> Result<Value, EvalError> {
        let value = self.undescribed(of).map_or_else(|| self.value(of), Ok)?;
        // What a reference refers to has a place, even if the reference itself has none.
        let refers = matches!(stripped(value.ty(), &self.context).1.kind, Kind::Reference(..));
        match (&of.kind, value.place()) {
            (NodeKind::Name(name), Place::Bytes(_)) if !refers => {
                Err(error(format!("Can't take address of \"{name}\" which isn't an lvalue.")))
            }
            _ => address_of(&value, &self.context),
        }
    }

    fn repeat(&self, first: &Node, count: &Node) -> Result<Value, EvalError> {
        let first = dereferenced(&self.value(first)?, &self.context)?;
        let Operand::Integer { value: count, .. } = self.operand(count)? else {
            return Err(error("Invalid number of repetitions."));
        };
        repeated(&first, count, self.context.has_effects(), &self.context)
    }

    fn step(&self, of: &Node, by: i8, postfix: bool) -> Result<Value, EvalError> {
        let s = &self.context;
        let target = dereferenced(&self.value(of)?, s)?;
        let before = self.frozen(&target)?;
        let operator = if by > 0 { BinaryOperator::Add } else { BinaryOperator::Subtract };
        let one = Operand::Integer { value: 1, size: 4, signed: true };
        let sum = binary(operator, &Operand::of(&before, s)?, &one, s)?;
        let after = self.assign_to(of, &target, &sum)?;
        Ok(if postfix { before } else { after })
    }

    /// An element or a section of a Fortran array.
    pub(crate) fn element(&self, of: &Value, subscripts: &[Node]) -> Result<Value, EvalError> {
        let number = |node: &Node| match self.operand(node)? {
            Operand::Integer { value, .. } => i64::try_from(value).map_err(|_| error("no such vector element")),
            _ => Err(error("Argument to arithmetic operation not a number or boolean.")),
        };
        let bound = |node: &Option<Box<Node>>| node.as_deref().map(number).transpose();
        let subscript = |node: &Node| match &node.kind {
            NodeKind::Range(low, high, stride) => {
                let stride = bound(stride)?.unwrap_or(1);
                Ok(Subscript::Range { low: bound(low)?, high: bound(high)?, stride })
            }
            _ => number(node).map(Subscript::At),
        };
        let subscripts = subscripts.iter().map(subscript).collect::<Result<Vec<_>, EvalError>>()?;
        section(of, &subscripts, &self.context)
    }

    /// Whether a name is that of a function that the language has itself.
    pub(crate) fn is_own(&self, name: &str) -> bool {
        let own = is_intrinsic(name) || matches!(&*name.to_ascii_lowercase(), "allocated" | "associated");
        own && self.context.spelling() == Some(Spelling::Fortran)
    }

    pub(crate) fn intrinsic(&self, name: &str, arguments: &[Node]) -> Result<Value, EvalError> {
        if !is_intrinsic(name) {
            let [Node { kind: NodeKind::Name(variable), .. }] = arguments else {
                return Err(error(format!("{} is of a variable", name.to_uppercase())));
            };
            let known = has_place(variable, &self.context);
            return known.ok_or_else(|| error(self.missing(variable)));
        }
        let values = arguments.iter().map(|one| self.value(one)).collect::<Result<Vec<_>, _>>()?;
        intrinsic(name, &values, &self.context)
    }

    fn binary(&self, operator: BinaryOperator, left: &Node, right: &Node) -> Result<Value, EvalError> {
        if let Some(value) = self.operator_of(left, operator.sign(), Some(right))? {
            return Ok(value);
        }
        if let Some(value) = self.of_arrays(operator, left, right)? {
            return Ok(value);
        }
        let left = self.operand_of(left, operator.sign())?;
        let mut right = self.operand_of(right, operator.sign())?;
        // Memory reads as zero when only the type is wanted.
        if let (BinaryOperator::Divide | BinaryOperator::Remainder, Operand::Integer { value, .. }) =
            (operator, &mut right)
            && !self.context.has_effects()
        {
            *value = 1;
        }
        binary(operator, &left, &right, &self.context)
    }

    pub(crate) fn assignment(
        &self,
        operator: Option<BinaryOperator>,
        to: &Node,
        from: &Node,
    ) -> Result<Value, EvalError> {
        let s = &self.context;
        let target = dereferenced(&self.value(to)?, s)?;
        let from = self.value(from)?;
        match operator {
            Some(operator) => {
                let result = binary(operator, &Operand::of(&target, s)?, &Operand::of(&from, s)?, s)?;
                self.assign_to(to, &target, &result)
            }
            None if matches!(stripped(target.ty(), s).1.kind, Kind::Pointer(_)) => {
                self.assign_to(to, &target, &self.located(from)?)
            }
            None => self.assign_to(to, &target, &from),
        }
    }

    /// Assigns to what a node stands for: a convenience variable takes the type of the value, too.
    fn assign_to(&self, node: &Node, to: &Value, from: &Value) -> Result<Value, EvalError> {
        match &node.kind {
            NodeKind::Register(name) if is_convenience(name, &self.context) => {
                if !self.context.has_effects() {
                    return Ok(to.clone());
                }
                set_convenience(name, from, &self.context)
            }
            _ => self.assign(to, from),
        }
    }

    fn size_of(&self, of: &Node) -> Result<Value, EvalError> {
        if let NodeKind::Name(name) = &of.kind
            && self.is_function_or_nothing(name)
            && let Some(ty) = self.context.type_named(name)
        {
            return self.size(&ty);
        }
        let of = Self::avoiding_side_effects(&self.context).value(of)?;
        self.size(of.ty())
    }

    /// An `int`, as in gdb.
    fn size(&self, ty: &TypeRef) -> Result<Value, EvalError> {
        let ty = match &stripped(ty, &self.context).1.kind {
            Kind::Reference(target, _) => target.clone(),
            _ => ty.clone(),
        };
        // As gdb, which takes what it does not know for nothing.
        let incomplete = matches!(stripped(&ty, &self.context).1.kind, Kind::Aggregate { declaration: true, .. });
        let size = size_of(&ty, &self.context).or(incomplete.then_some(0));
        let size = size.ok_or_else(|| error("The type is incomplete here: it has no size."))?;
        Ok(integer_value(i128::from(size), Builtin::Int))
    }

    fn name(&self, name: &Arc<str>) -> Result<Value, EvalError> {
        let s = &self.context;
        if let Some(found) = s.variable(name) {
            return self.of_variable(found);
        }
        if let Some(this) = self.this()?
            && let Ok(found) = member(&this, name, true, s)
        {
            return Ok(found);
        }
        match &**name {
            "true" | "false" => Ok(integer_value(i128::from(&**name == "true"), Builtin::CplusplusBool)),
            _ if s.type_named(name).is_some() => Err(error("Attempt to use a type name as an expression").of_types()),
            _ => {
                let message = with_advice(self.missing(name), name);
                Err(EvalError::new(ErrorCode::UNKNOWN_VARIABLE, message).of_types())
            }
        }
    }

    pub(crate) fn of_variable(&self, found: NamedValue) -> Result<Value, EvalError> {
        if is_undescribed(&found) {
            let message = format!("'{}' has unknown type; cast it to its declared type", found.name);
            return Err(EvalError::new(ErrorCode::UNKNOWN_TYPE, message).of_types());
        }
        match found.place {
            Ok(place) => Ok(Value::new(found.ty, place)),
            // A type can be had of what has no place.
            Err(_) if !self.context.has_effects() => Ok(Value::new(found.ty, Place::Memory(VirtualAddress(0)))),
            Err(why) => Err(error(why)),
        }
    }

    fn text(&self, units: &[u32], ty: Builtin) -> Value {
        let size = size_of(&ty.ty(), &self.context).unwrap_or(1);
        // Texts of Fortran have no NUL behind them.
        let end: &[u32] = if self.context.spelling() == Some(Spelling::Fortran) { &[] } else { &[0] };
        let bytes =
            units.iter().chain(end).flat_map(|unit| unit.to_le_bytes().into_iter().take(size as usize)).collect();
        Value::known(array_of(ty.ty(), Some(size), Some((units.len() + end.len()) as u64)), bytes)
    }

    /// The value as it is now, independent of where it came from.
    fn frozen(&self, value: &Value) -> Result<Value, EvalError> {
        let bytes = converted(value, value.ty(), &self.context)?;
        Ok(Value::known(value.ty().clone(), bytes))
    }

    fn assign(&self, to: &Value, from: &Value) -> Result<Value, EvalError> {
        let s = &self.context;
        if !to.is_assignable() {
            let modifiable = if matches!(to.place(), Place::Past(..)) { "a modifiable" } else { "an" };
            return Err(error(format!("Left operand of assignment is not {modifiable} lvalue.")));
        }
        match stripped(to.ty(), s).1.kind {
            Kind::Function { .. } => return Err(error("Invalid cast.")),
            Kind::Void | Kind::Unknown(_) => {
                return Err(error("Left operand of assignment is not a modifiable lvalue."));
            }
            _ => {}
        }
        let bytes = converted(from, to.ty(), s)?;
        to.write(&bytes, s)?;
        Ok(match to.place() {
            Place::Convenience(..) => Value::known(to.ty().clone(), bytes),
            _ => to.clone(),
        })
    }

    fn cast(&self, of: &Node, ty: TypeRef) -> Result<Value, EvalError> {
        let s = &self.context;
        if let Some(data) = self.undescribed(of) {
            return Ok(data.retyped(ty));
        }
        let value = match &of.kind {
            NodeKind::Call(function, arguments) => self.call(function, arguments, Some(&ty)),
            _ => self.value(of),
        };
        let value = dereferenced(&value?, s)?;
        match &stripped(&ty, s).1.kind {
            // Arrays and aggregates of the same size keep their place.
            Kind::Aggregate { .. } | Kind::Array { .. } if size_of(&ty, s) == size_of(value.ty(), s) => {
                Ok(value.retyped(ty))
            }
            Kind::Base(Encoding::Other(_)) | Kind::Unknown(_) | Kind::Function { .. } => Err(error("Invalid cast.")),
            _ => {
                let bytes = converted(&value, &ty, s)?;
                Ok(Value::known(ty, bytes))
            }
        }
    }
}

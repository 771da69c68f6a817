//! Evaluates Rust expressions where they differ from C's.

use super::access::{Elements, behind, field};
use super::literals::{slice_of, structure, text_reference, unit};
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::access::{address_of, contents, index};
use crate::eval::arithmetic::{binary, truth, unary};
use crate::eval::assignment::assignment;
use crate::eval::call_arguments::placed;
use crate::eval::calls::{call_of_own, called_name, called_with};
use crate::eval::function_names::check_operands;
use crate::eval::names::of_variable;
use crate::eval::node::{operand, operand_of, value};
use crate::eval::operand::{Operand, converted, dereferenced, integer_value};
use crate::eval::type_expressions::resolve;
use crate::lang::c::evaluate::value_in_c;
use crate::printers::rust_library::text_bytes;
use crate::syntax::tree::{BinaryOperator, Node, NodeKind, RustNode, UnaryOperator};
use crate::types::{MAX_DEPTH, size_of, stripped, type_of};
use crate::value::Value;
use debuginfo::types::builtin::{Builtin, array_of};
use debuginfo::types::{Encoding, Kind, NamedValue, Place, TypeRef};
use model::{ErrorCode, VirtualAddress};

/// The result of a node that Rust evaluates differently; `None`: as in C.
type Otherwise = Option<Result<Value, EvalError>>;

pub(super) fn value_in_rust(node: &Node, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    otherwise(node, s).unwrap_or_else(|| value_in_c(node, s))
}

pub(super) fn call_in_rust(of: &Node, arguments: &[Node], s: &EvalContext<'_>) -> Result<Value, EvalError> {
    match (call_of_own(of, arguments, s), &of.kind) {
        (Some(own), _) => own,
        (None, NodeKind::Register(name)) => Err(error(format!("There is no function ${name}."))),
        _ => called_with(&value(of, s)?, called_name(of), None, arguments, s),
    }
}

/// Evaluates a node that means something else in Rust than in C; `None` for the others.
fn otherwise(node: &Node, s: &EvalContext<'_>) -> Otherwise {
    Some(match &node.kind {
        NodeKind::Name(name) => named(name, s),
        NodeKind::Text(units, ty) => literal(units, *ty, s),
        NodeKind::Member { of, name, .. } => value(of, s).and_then(|of| field(&of, name, s)),
        NodeKind::Index(_, at) if matches!(at.kind, NodeKind::Rust(RustNode::Span { .. })) => {
            Err(error("Can't take slice of array without '&'"))
        }
        NodeKind::Index(of, at) => element(of, at, s),
        NodeKind::Unary(UnaryOperator::AddressOf, of) => return slice_taken(of, s),
        NodeKind::Unary(UnaryOperator::Dereference, of) => value(of, s).and_then(|of| behind(&of, s)),
        NodeKind::Unary(operator, of) => prefixed(*operator, of, s),
        NodeKind::Binary(operator, left, right) => infix(*operator, left, right, s),
        NodeKind::Assign(operator, to, from) => assignment(*operator, to, from, s).map(|_| unit()),
        NodeKind::Cast(ty, of) => resolve(ty, s).and_then(|ty| cast(of, ty, s)),
        NodeKind::Call(of, arguments) => return construction_or_method(of, arguments, s),
        NodeKind::Rust(node) => own_node(node, s),
        _ => return None,
    })
}

fn own_node(node: &RustNode, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    match node {
        RustNode::Unit => Ok(unit()),
        RustNode::Span { low, high, inclusive } => {
            let bound = |node: &Option<Box<Node>>| node.as_deref().map(|one| value(one, s)).transpose();
            super::literals::span(bound(low)?, bound(high)?, *inclusive, s)
        }
        RustNode::Array(elements) => {
            let values = elements.iter().map(|one| value(one, s)).collect::<Result<Vec<_>, _>>()?;
            super::literals::array(&values, s)
        }
        RustNode::Repeated(first, count) => {
            let Operand::Integer { value: count, .. } = operand(count, s)? else {
                return Err(error("Array length is not an integer"));
            };
            let count = u64::try_from(count).map_err(|_| error("Array with negative number of elements"))?;
            if let (false, NodeKind::Name(name)) = (s.has_effects(), &first.kind)
                && s.variable(name).is_none()
                && let Some(ty) = s.symbols().type_named(name)
            {
                let size = size_of(&ty, s);
                return Ok(Value::new(array_of(ty, size, Some(count)), Place::Memory(VirtualAddress(0))));
            }
            super::literals::repeated(&value(first, s)?, count, s)
        }
        RustNode::Struct { ty, fields, base } => {
            let ty = resolve(ty, s)?;
            let fields = fields.iter().map(|(name, one)| Ok((name.to_string(), value(one, s)?)));
            let fields = fields.collect::<Result<Vec<_>, EvalError>>()?;
            let base = base.as_deref().map(|base| value(base, s)).transpose()?;
            structure(&ty, &fields, base.as_ref(), s)
        }
    }
}

/// Turns a path that begins with `self`, `super`, `crate` or `::` into one that begins with the crate's name.
fn absolute(name: &str, s: &EvalContext<'_>) -> Result<String, EvalError> {
    if let Some(name) = name.strip_prefix("::") {
        return Ok(name.to_owned());
    }
    let Some((first, mut rest)) = name.split_once("::") else { return Ok(name.to_owned()) };
    if !matches!(first, "self" | "super" | "crate") {
        return Ok(name.to_owned());
    }
    let module = s.symbols().module().ok_or_else(|| error("Couldn't find namespace scope for self::"))?;
    if first == "crate" {
        return Ok(format!("{}::{rest}", module.split("::").next().unwrap_or_default()));
    }
    let mut scope = module.as_str();
    if first == "super" {
        rest = name;
    }
    while let Some(further) = rest.strip_prefix("super::") {
        let outer = scope.rsplit_once("::");
        scope = outer.ok_or_else(|| error(format!("Too many super:: uses from '{module}'")))?.0;
        rest = further;
    }
    Ok(format!("{scope}::{rest}"))
}

/// Looks up a name; a function without a path is searched in this module and in those around it.
fn variable(name: &str, s: &EvalContext<'_>) -> Option<NamedValue> {
    let found = s.variable(name)?;
    let is_described = |found: &NamedValue| {
        let (_, ty) = stripped(&found.ty, s);
        matches!(ty.kind, Kind::Function { .. }) && ty.name.is_none()
    };
    let (false, true, Some(module)) = (name.contains("::"), is_described(&found), s.symbols().module()) else {
        return Some(found);
    };
    let mut scope = module.as_str();
    loop {
        if let Some(found) = s.variable(&format!("{scope}::{name}")) {
            return Some(found);
        }
        scope = scope.rsplit_once("::")?.0;
    }
}

fn named(name: &str, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    if matches!(name, "true" | "false") {
        return Ok(integer_value(i128::from(name == "true"), Builtin::CplusplusBool));
    }
    let full = absolute(name, s)?;
    if let Some(found) = variable(&full, s) {
        return of_variable(found, s);
    }
    if let Some(value) = enumerator(&full, s) {
        return Ok(value);
    }
    let Some(ty) = s.symbols().type_named(&full) else {
        return Err(EvalError::new(ErrorCode::UNKNOWN_VARIABLE, format!("No symbol '{name}' in current context")));
    };
    match &stripped(&ty, s).1.kind {
        Kind::Aggregate { members, declaration: false, .. } if members.is_empty() => Ok(Value::known(ty, Vec::new())),
        _ => Err(error("Attempt to use a type name as an expression")),
    }
}

/// Evaluates a literal; a reference to a string needs memory in the program.
fn literal(units: &[u32], ty: Builtin, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let bytes: Vec<u8> = units.iter().map(|unit| *unit as u8).collect();
    let array = Value::known(array_of(Builtin::U8.ty(), Some(1), Some(bytes.len() as u64)), bytes);
    if ty == Builtin::U8 {
        return Ok(array);
    }
    let address = if s.has_effects() { placed(&array, s)? } else { 0 };
    Ok(text_reference(address, units.len() as u64, s))
}

fn element(of: &Node, at: &Node, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let of = dereferenced(&value(of, s)?, s)?;
    let operand = operand(at, s)?;
    let at = operand.as_integer();
    if matches!(stripped(of.ty(), s).1.kind, Kind::Pointer(_)) {
        return index(&of, &Operand::Integer { value: at, size: 8, signed: true }, s);
    }
    let elements = Elements::of(&of, s)?;
    if s.has_effects() && at < 0 {
        return Err(error("Index less than zero"));
    }
    if s.has_effects() && elements.count.is_some_and(|count| at >= i128::from(count)) {
        return Err(error("Index greater than length"));
    }
    Ok(elements.first.part(elements.element, elements.size.wrapping_mul(at as u64), None))
}

/// Evaluates `&of[low..high]`.
fn slice_taken(node: &Node, s: &EvalContext<'_>) -> Otherwise {
    let NodeKind::Index(of, span) = &node.kind else { return None };
    let NodeKind::Rust(RustNode::Span { low, high, inclusive }) = &span.kind else { return None };
    Some(slice_between(of, low.as_deref(), high.as_deref(), *inclusive, s))
}

fn slice_between(
    of: &Node,
    low: Option<&Node>,
    high: Option<&Node>,
    inclusive: bool,
    s: &EvalContext<'_>,
) -> Result<Value, EvalError> {
    let of = dereferenced(&value(of, s)?, s)?;
    let elements = Elements::of(&of, s)?;
    let number = |node: &Node| operand(node, s).map(|operand| operand.as_integer());
    let low = low.map(number).transpose()?.unwrap_or(0);
    let high = match (high.map(number).transpose()?, elements.count) {
        (Some(high), _) => high + i128::from(inclusive),
        (None, Some(count)) => i128::from(count),
        (None, None) => return Err(error("A slice of a pointer needs a high bound.")),
    };
    if low < 0 {
        return Err(error("Index less than zero"));
    }
    if elements.count.is_some_and(|count| i64::try_from(count).is_err()) {
        // No slice is that long: it is not initialized yet.
        return Err(error("Index greater than length"));
    }
    if low > high {
        return Err(error("Low index greater than high index"));
    }
    if elements.count.is_some_and(|count| high > i128::from(count)) {
        return Err(error("High index greater than length"));
    }
    let address = elements.first.address().ok_or_else(|| error("Can't take slice of a value that is not in memory"))?;
    let start = address.0.wrapping_add(elements.size.wrapping_mul(low as u64));
    Ok(slice_of(elements.slice, &elements.element, start, (high - low) as u64))
}

fn prefixed(operator: UnaryOperator, of: &Node, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    if operator == UnaryOperator::Not {
        return complement(&value(of, s)?, s);
    }
    let value = dereferenced(&value(of, s)?, s)?;
    let result = unary(operator, &operand_of(of, operator.sign(), s)?, s)?;
    Ok(kept(result, value.ty(), s))
}

fn infix(operator: BinaryOperator, left: &Node, right: &Node, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    if let (BinaryOperator::Equal | BinaryOperator::NotEqual, Some(a), Some(b)) =
        (operator, text_of(left, s)?, text_of(right, s)?)
    {
        return Ok(truth((a == b) == (operator == BinaryOperator::Equal), s));
    }
    let (a, mut b) = (operand_of(left, operator.sign(), s)?, operand_of(right, operator.sign(), s)?);
    check_operands(operator, (left, &a), (right, &b), s)?;
    if let (BinaryOperator::Divide | BinaryOperator::Remainder, Operand::Integer { value, .. }, false) =
        (operator, &mut b, s.has_effects())
    {
        *value = 1;
    }
    match operator {
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => {
            Ok(kept(binary(operator, &a, &b, s)?, value(left, s)?.ty(), s))
        }
        BinaryOperator::BitAnd | BinaryOperator::BitOr | BinaryOperator::BitXor
            if is_boolean_operand(left, s)? && is_boolean_operand(right, s)? =>
        {
            Ok(truth(binary(operator, &a, &b, s)?.as_bool(s)?, s))
        }
        _ => {
            let (a, b) = promoted(a, b);
            binary(operator, &a, &b, s)
        }
    }
}

fn is_boolean_operand(node: &Node, s: &EvalContext<'_>) -> Result<bool, EvalError> {
    let value = value(node, s)?;
    Ok(is_boolean(&value, s))
}

/// Returns the text of a string value of any type; `None` for other values.
fn text_of(node: &Node, s: &EvalContext<'_>) -> Result<Option<Vec<u8>>, EvalError> {
    match &node.kind {
        NodeKind::Text(units, _) => Ok(Some(units.iter().map(|unit| *unit as u8).collect())),
        NodeKind::Name(_) | NodeKind::Member { .. } | NodeKind::Index(..) | NodeKind::Unary(..) => {
            let mut value = dereferenced(&value(node, s)?, s)?;
            // References to a string count as the string.
            for _ in 0..MAX_DEPTH {
                let (_, ty) = stripped(value.ty(), s);
                let Kind::Pointer(target) = &ty.kind else { break };
                if !is_library_text(target, s) {
                    break;
                }
                value = contents(&value, s)?;
            }
            text_bytes(&value, s)
        }
        _ => Ok(None),
    }
}

fn cast(of: &Node, ty: TypeRef, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let value = dereferenced(&value(of, s)?, s)?;
    let whole = matches!(stripped(value.ty(), s).1.kind, Kind::Aggregate { .. } | Kind::Variants(_));
    if whole && value.address().is_some() {
        return Ok(value.retyped(ty));
    }
    if whole || matches!(stripped(&ty, s).1.kind, Kind::Aggregate { .. } | Kind::Variants(_) | Kind::Array { .. }) {
        return Err(error("Invalid cast."));
    }
    if matches!(stripped(&ty, s).1.kind, Kind::Base(Encoding::Boolean)) {
        return Ok(truth(Operand::of(&value, s)?.is_true(), s).retyped(ty));
    }
    let bytes = converted(&value, &ty, s)?;
    Ok(Value::known(ty, bytes))
}

/// Evaluates the construction of a tuple struct, or a call of a method.
fn construction_or_method(of: &Node, arguments: &[Node], s: &EvalContext<'_>) -> Otherwise {
    match &of.kind {
        NodeKind::Name(name) => {
            let full = match absolute(name, s) {
                Ok(full) => full,
                Err(error) => return Some(Err(error)),
            };
            if variable(&full, s).is_some() {
                return None;
            }
            let ty = s.symbols().type_named(&full)?;
            let values = arguments.iter().enumerate();
            let values = values.map(|(number, one)| Ok((number.to_string(), value(one, s)?)));
            let values = values.collect::<Result<Vec<_>, EvalError>>();
            Some(values.and_then(|fields| structure(&ty, &fields, None, s)))
        }
        NodeKind::Member { of, name, .. } => Some(method_call(of, name, arguments, s)),
        _ => None,
    }
}

fn method_call(of: &Node, name: &str, arguments: &[Node], s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let mut object = dereferenced(&value(of, s)?, s)?;
    while let Kind::Pointer(_) = stripped(object.ty(), s).1.kind {
        object = contents(&object, s)?;
    }
    let method = format!("{}::{name}", s.type_name(object.ty()));
    let found = s.variable(&method).and_then(|found| Some(Value::new(found.ty, found.place.ok()?)));
    let Some(function) = found else {
        if let Ok(function) = field(&object, name, s) {
            return called_with(&function, name, None, arguments, s);
        }
        return Err(error(format!("Could not find function named '{method}'")));
    };
    let first = match &stripped(function.ty(), s).1.kind {
        Kind::Function { parameters, .. } => parameters.first().cloned(),
        _ => None,
    };
    let first = first.ok_or_else(|| error(format!("'{method}' takes no object.")))?;
    let this = match &stripped(&first, s).1.kind {
        Kind::Pointer(_) => address_of(&object, s)?,
        _ => object,
    };
    called_with(&function, &method, Some(this), arguments, s)
}

/// Looks up `Type::NAME`.
fn enumerator(name: &str, s: &EvalContext<'_>) -> Option<Value> {
    let (of, name) = name.rsplit_once("::")?;
    let ty = s.symbols().type_named(of)?;
    let (_, found) = stripped(&ty, s);
    let Kind::Enumeration { enumerators, .. } = &found.kind else { return None };
    let (_, number) = enumerators.iter().find(|(own, _)| **own == *name)?;
    let bytes = number.to_le_bytes();
    Some(Value::known(ty, bytes.get(..found.size? as usize)?.to_vec()))
}

/// True for the library's string types.
fn is_library_text(ty: &TypeRef, s: &EvalContext<'_>) -> bool {
    let name = type_of(ty, s).name.clone();
    name.is_some_and(|name| matches!(&*name, "&str" | "alloc::string::String"))
        || matches!(stripped(ty, s).1.kind, Kind::Pointer(_))
}

/// Restores the operand's own type after arithmetic, which promotes numbers narrower than an `int`.
fn kept(result: Value, own: &TypeRef, s: &EvalContext<'_>) -> Value {
    let is_number = matches!(stripped(own, s).1.kind, Kind::Base(_));
    if is_number && size_of(own, s) == size_of(result.ty(), s) { result.retyped(own.clone()) } else { result }
}

fn is_boolean(value: &Value, s: &EvalContext<'_>) -> bool {
    matches!(stripped(value.ty(), s).1.kind, Kind::Base(Encoding::Boolean))
}

fn complement(value: &Value, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let value = dereferenced(value, s)?;
    if is_boolean(&value, s) {
        return Ok(truth(!value.as_bool(s)?, s));
    }
    let operand = match stripped(value.ty(), s).1.kind {
        Kind::Base(_) => Operand::of(&value, s)?,
        _ => return Err(error("Argument to complement operation not an integer, boolean.")),
    };
    let Operand::Integer { value: number, size, .. } = operand else {
        return Err(error("Argument to complement operation not an integer, boolean."));
    };
    let bytes = (!number).to_le_bytes();
    Ok(Value::known(value.ty().clone(), bytes.get(..size as usize).unwrap_or(&bytes).to_vec()))
}

/// Promotes operands as gdb does: to 8 bytes, unsigned if the wider of the two is.
fn promoted(a: Operand, b: Operand) -> (Operand, Operand) {
    let rank = |operand: &Operand| match operand {
        Operand::Integer { size, signed, .. } if *size >= 4 => Some((*size, *signed)),
        Operand::Integer { .. } => Some((4, true)),
        _ => None,
    };
    let widened = |operand: Operand| match operand {
        Operand::Float { value, size } => Operand::Float { value, size: size.max(8) },
        other => other,
    };
    let (Some(left), Some(right)) = (rank(&a), rank(&b)) else { return (widened(a), widened(b)) };
    if left.0 > 8 || right.0 > 8 {
        return (a, b);
    }
    let signed = match left.0.cmp(&right.0) {
        std::cmp::Ordering::Greater => left.1,
        std::cmp::Ordering::Less => right.1,
        std::cmp::Ordering::Equal => left.1 && right.1,
    };
    let wide = |operand: Operand| Operand::Integer { value: operand.as_integer(), size: 8, signed };
    (wide(a), wide(b))
}

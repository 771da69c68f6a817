//! What expressions do in Rust otherwise than in C.

use super::access::{Elements, behind, field};
use super::literals::{slice_of, structure, text_reference, unit};
use crate::EvalError;
use crate::context::EvalContext;
use crate::eval::access::{contents, index};
use crate::eval::arithmetic::{binary, truth, unary};
use crate::eval::call_arguments::placed;
use crate::eval::evaluator::{Evaluator, error};
use crate::eval::operand::{Operand, converted, dereferenced, integer_value};
use crate::syntax::tree::{BinaryOperator, Node, NodeKind, RustNode, UnaryOperator};
use crate::types::{MAX_DEPTH, size_of, stripped, type_of};
use crate::value::Value;
use debuginfo::types::builtin::{Builtin, array_of};
use debuginfo::types::{Encoding, Kind, NamedValue, Place, TypeRef};
use model::aif::Spelling;
use model::{ErrorCode, VirtualAddress};

/// What every node of a tree may be asked to do otherwise.
type Otherwise = Option<Result<Value, EvalError>>;

impl Evaluator<'_> {
    pub(crate) fn is_rust(&self) -> bool {
        self.context.spelling() == Some(Spelling::Rust)
    }

    /// The value of a node that means something else in Rust than in C; `None` for the others.
    pub(crate) fn in_rust(&self, node: &Node) -> Otherwise {
        let s = &self.context;
        Some(match &node.kind {
            NodeKind::Name(name) => self.rust_name(name),
            NodeKind::Text(units, ty) => self.rust_literal(units, *ty),
            NodeKind::Member { of, name, .. } => self.value(of).and_then(|of| field(&of, name, s)),
            NodeKind::Index(_, at) if matches!(at.kind, NodeKind::Rust(RustNode::Span { .. })) => {
                Err(error("Can't take slice of array without '&'"))
            }
            NodeKind::Index(of, at) => self.rust_element(of, at),
            NodeKind::Unary(UnaryOperator::AddressOf, of) => return self.slice_taken(of),
            NodeKind::Unary(UnaryOperator::Dereference, of) => self.value(of).and_then(|of| behind(&of, s)),
            NodeKind::Unary(operator, of) => self.rust_unary(*operator, of),
            NodeKind::Binary(operator, left, right) => self.rust_binary(*operator, left, right),
            NodeKind::Assign(operator, to, from) => self.assignment(*operator, to, from).map(|_| unit()),
            NodeKind::Cast(ty, of) => self.type_of_expression(ty).and_then(|ty| self.rust_cast(of, ty)),
            NodeKind::Call(of, arguments) => return self.rust_call(of, arguments),
            NodeKind::Rust(node) => self.rust_value(node),
            _ => return None,
        })
    }

    fn rust_value(&self, node: &RustNode) -> Result<Value, EvalError> {
        let s = &self.context;
        match node {
            RustNode::Unit => Ok(unit()),
            RustNode::Span { low, high, inclusive } => {
                let bound = |node: &Option<Box<Node>>| node.as_deref().map(|node| self.value(node)).transpose();
                super::literals::span(bound(low)?, bound(high)?, *inclusive, s)
            }
            RustNode::Array(elements) => {
                let values = elements.iter().map(|one| self.value(one)).collect::<Result<Vec<_>, _>>()?;
                super::literals::array(&values, s)
            }
            RustNode::Repeated(first, count) => {
                let Operand::Integer { value: count, .. } = self.operand(count)? else {
                    return Err(error("Array length is not an integer"));
                };
                let count = u64::try_from(count).map_err(|_| error("Array with negative number of elements"))?;
                if let (false, NodeKind::Name(name)) = (s.has_effects(), &first.kind)
                    && s.variable(name).is_none()
                    && let Some(ty) = s.type_named(name)
                {
                    let size = size_of(&ty, s);
                    return Ok(Value::new(array_of(ty, size, Some(count)), Place::Memory(VirtualAddress(0))));
                }
                super::literals::repeated(&self.value(first)?, count, s)
            }
            RustNode::Struct { ty, fields, base } => {
                let ty = self.type_of_expression(ty)?;
                let fields = fields.iter().map(|(name, value)| Ok((name.to_string(), self.value(value)?)));
                let fields = fields.collect::<Result<Vec<_>, EvalError>>()?;
                let base = base.as_deref().map(|base| self.value(base)).transpose()?;
                structure(&ty, &fields, base.as_ref(), s)
            }
        }
    }

    /// A path that begins at a module of the crate, with the words for it, as it is written from the crate on.
    fn absolute(&self, name: &str) -> Result<String, EvalError> {
        if let Some(name) = name.strip_prefix("::") {
            return Ok(name.to_owned());
        }
        let Some((first, mut rest)) = name.split_once("::") else { return Ok(name.to_owned()) };
        if !matches!(first, "self" | "super" | "crate") {
            return Ok(name.to_owned());
        }
        let module = self.context.module().ok_or_else(|| error("Couldn't find namespace scope for self::"))?;
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

    /// What a name means: a function that is named without its module is of the one here or of those around it.
    fn rust_variable(&self, name: &str) -> Option<NamedValue> {
        let s = &self.context;
        let found = s.variable(name)?;
        let is_described = |found: &NamedValue| {
            let (_, ty) = stripped(&found.ty, s);
            matches!(ty.kind, Kind::Function { .. }) && ty.name.is_none()
        };
        let (false, true, Some(module)) = (name.contains("::"), is_described(&found), s.module()) else {
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

    fn rust_name(&self, name: &str) -> Result<Value, EvalError> {
        let s = &self.context;
        if matches!(name, "true" | "false") {
            return Ok(integer_value(i128::from(name == "true"), Builtin::CplusplusBool));
        }
        let full = self.absolute(name)?;
        if let Some(found) = self.rust_variable(&full) {
            return self.of_variable(found);
        }
        if let Some(value) = enumerator(&full, s) {
            return Ok(value);
        }
        let Some(ty) = s.type_named(&full) else {
            return Err(EvalError::new(ErrorCode::UNKNOWN_VARIABLE, format!("No symbol '{name}' in current context")));
        };
        match &stripped(&ty, s).1.kind {
            Kind::Aggregate { members, declaration: false, .. } if members.is_empty() => {
                Ok(Value::known(ty, Vec::new()))
            }
            _ => Err(error("Attempt to use a type name as an expression")),
        }
    }

    /// A text, which needs memory to be referred to.
    fn rust_literal(&self, units: &[u32], ty: Builtin) -> Result<Value, EvalError> {
        let s = &self.context;
        let bytes: Vec<u8> = units.iter().map(|unit| *unit as u8).collect();
        let array = Value::known(array_of(Builtin::U8.ty(), Some(1), Some(bytes.len() as u64)), bytes);
        if ty == Builtin::U8 {
            return Ok(array);
        }
        let address = if s.has_effects() { placed(&array, s)? } else { 0 };
        Ok(text_reference(address, units.len() as u64, s))
    }

    fn rust_element(&self, of: &Node, at: &Node) -> Result<Value, EvalError> {
        let s = &self.context;
        let of = dereferenced(&self.value(of)?, s)?;
        let operand = self.operand(at)?;
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

    /// `&of[low..high]`.
    fn slice_taken(&self, node: &Node) -> Otherwise {
        let NodeKind::Index(of, span) = &node.kind else { return None };
        let NodeKind::Rust(RustNode::Span { low, high, inclusive }) = &span.kind else { return None };
        Some(self.slice_between(of, low.as_deref(), high.as_deref(), *inclusive))
    }

    fn slice_between(
        &self,
        of: &Node,
        low: Option<&Node>,
        high: Option<&Node>,
        inclusive: bool,
    ) -> Result<Value, EvalError> {
        let s = &self.context;
        let of = dereferenced(&self.value(of)?, s)?;
        let elements = Elements::of(&of, s)?;
        let number = |node: &Node| self.operand(node).map(|operand| operand.as_integer());
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
            // Nothing is so long: nobody has set it yet.
            return Err(error("Index greater than length"));
        }
        if low > high {
            return Err(error("Low index greater than high index"));
        }
        if elements.count.is_some_and(|count| high > i128::from(count)) {
            return Err(error("High index greater than length"));
        }
        let address = elements.first.address().ok_or_else(|| error("Can't take slice of what is not in memory"))?;
        let start = address.0.wrapping_add(elements.size.wrapping_mul(low as u64));
        Ok(slice_of(elements.slice, &elements.element, start, (high - low) as u64))
    }

    fn rust_unary(&self, operator: UnaryOperator, of: &Node) -> Result<Value, EvalError> {
        let s = &self.context;
        if operator == UnaryOperator::Not {
            return complement(&self.value(of)?, s);
        }
        let value = dereferenced(&self.value(of)?, s)?;
        let result = unary(operator, &self.operand_of(of, operator.sign())?, s)?;
        Ok(kept(result, value.ty(), s))
    }

    fn rust_binary(&self, operator: BinaryOperator, left: &Node, right: &Node) -> Result<Value, EvalError> {
        let s = &self.context;
        if let (BinaryOperator::Equal | BinaryOperator::NotEqual, Some(a), Some(b)) =
            (operator, self.text_of(left)?, self.text_of(right)?)
        {
            return Ok(truth((a == b) == (operator == BinaryOperator::Equal), s));
        }
        let (a, mut b) = (self.operand_of(left, operator.sign())?, self.operand_of(right, operator.sign())?);
        if let (BinaryOperator::Divide | BinaryOperator::Remainder, Operand::Integer { value, .. }, false) =
            (operator, &mut b, s.has_effects())
        {
            *value = 1;
        }
        match operator {
            BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => {
                Ok(kept(binary(operator, &a, &b, s)?, self.value(left)?.ty(), s))
            }
            BinaryOperator::BitAnd | BinaryOperator::BitOr | BinaryOperator::BitXor
                if self.is_boolean(left)? && self.is_boolean(right)? =>
            {
                Ok(truth(binary(operator, &a, &b, s)?.as_bool(s)?, s))
            }
            _ => {
                let (a, b) = promoted(a, b);
                binary(operator, &a, &b, s)
            }
        }
    }

    fn is_boolean(&self, node: &Node) -> Result<bool, EvalError> {
        let value = self.value(node)?;
        Ok(is_boolean(&value, &self.context))
    }

    /// The text that a value is, whichever type has it.
    fn text_of(&self, node: &Node) -> Result<Option<Vec<u8>>, EvalError> {
        let s = &self.context;
        match &node.kind {
            NodeKind::Text(units, _) => Ok(Some(units.iter().map(|unit| *unit as u8).collect())),
            NodeKind::Name(_) | NodeKind::Member { .. } | NodeKind::Index(..) | NodeKind::Unary(..) => {
                let mut value = dereferenced(&self.value(node)?, s)?;
                // A reference to a text is as good as the text.
                for _ in 0..MAX_DEPTH {
                    let (_, ty) = stripped(value.ty(), s);
                    let Kind::Pointer(target) = &ty.kind else { break };
                    if !is_library_text(target, s) {
                        break;
                    }
                    value = contents(&value, s)?;
                }
                crate::printers::rust_library::text_bytes(&value, s)
            }
            _ => Ok(None),
        }
    }

    fn rust_cast(&self, of: &Node, ty: TypeRef) -> Result<Value, EvalError> {
        let s = &self.context;
        let value = dereferenced(&self.value(of)?, s)?;
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

    /// A tuple struct made, or a method called.
    fn rust_call(&self, of: &Node, arguments: &[Node]) -> Otherwise {
        let s = &self.context;
        match &of.kind {
            NodeKind::Name(name) => {
                let full = match self.absolute(name) {
                    Ok(full) => full,
                    Err(error) => return Some(Err(error)),
                };
                if self.rust_variable(&full).is_some() {
                    return None;
                }
                let ty = s.type_named(&full)?;
                let values = arguments.iter().enumerate();
                let values = values.map(|(number, one)| Ok((number.to_string(), self.value(one)?)));
                let values = values.collect::<Result<Vec<_>, EvalError>>();
                Some(values.and_then(|fields| structure(&ty, &fields, None, s)))
            }
            NodeKind::Member { of, name, .. } => Some(self.rust_method(of, name, arguments)),
            _ => None,
        }
    }

    fn rust_method(&self, of: &Node, name: &str, arguments: &[Node]) -> Result<Value, EvalError> {
        let s = &self.context;
        let mut object = dereferenced(&self.value(of)?, s)?;
        while let Kind::Pointer(_) = stripped(object.ty(), s).1.kind {
            object = contents(&object, s)?;
        }
        let method = format!("{}::{name}", crate::type_name(object.ty(), s));
        let found = s.variable(&method).and_then(|found| Some(Value::new(found.ty, found.place.ok()?)));
        let Some(function) = found else {
            if let Ok(function) = field(&object, name, s) {
                return self.called_with(&function, name, None, arguments);
            }
            return Err(error(format!("Could not find function named '{method}'")));
        };
        let first = match &stripped(function.ty(), s).1.kind {
            Kind::Function { parameters, .. } => parameters.first().cloned(),
            _ => None,
        };
        let first = first.ok_or_else(|| error(format!("'{method}' takes no object.")))?;
        let this = match &stripped(&first, s).1.kind {
            Kind::Pointer(_) => crate::eval::access::address_of(&object, s)?,
            _ => object,
        };
        self.called_with(&function, &method, Some(this), arguments)
    }
}

/// `Type::NAME`.
fn enumerator(name: &str, s: &EvalContext<'_>) -> Option<Value> {
    let (of, name) = name.rsplit_once("::")?;
    let ty = s.type_named(of)?;
    let (_, found) = stripped(&ty, s);
    let Kind::Enumeration { enumerators, .. } = &found.kind else { return None };
    let (_, number) = enumerators.iter().find(|(own, _)| **own == *name)?;
    let bytes = number.to_le_bytes();
    Some(Value::known(ty, bytes.get(..found.size? as usize)?.to_vec()))
}

/// Types of the library that are texts.
fn is_library_text(ty: &TypeRef, s: &EvalContext<'_>) -> bool {
    let name = type_of(ty, s).name.clone();
    name.is_some_and(|name| matches!(&*name, "&str" | "alloc::string::String"))
        || matches!(stripped(ty, s).1.kind, Kind::Pointer(_))
}

/// With its own type where arithmetic leaves that: numbers narrower than an `int` become one.
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

/// Operands as gdb widens them: to 8 bytes, without sign where the wider of both is.
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

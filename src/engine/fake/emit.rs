//! Compiles expressions to instructions.

use super::builtin::{self, builtin};
use super::code::{Arithmetic, Op, Place};
use super::ctype::{CType, DOUBLE, INT, LONG, Scalar, UNSIGNED_LONG};
use super::parse::Names;
use super::parse::lex::Fault;
use super::parse::syntax::{Expression, ExpressionKind as Kind};
use model::ErrorCode;
use std::sync::Arc;

/// Resolves the names of an expression.
pub(super) trait Scope {
    fn variable(&self, name: &str) -> Option<(Place, CType)>;
    /// Returns a function's index, parameters, result type and code address.
    fn function(&self, name: &str) -> Option<(u16, Vec<CType>, CType, u64)>;
    /// Stores a string constant and returns its address; `None` if there is no room.
    fn text(&mut self, text: &[u8]) -> Option<u64>;
}

pub(super) struct Emitter<'a> {
    pub(super) ops: Vec<Op>,
    pub(super) lines: Vec<u32>,
    pub(super) scope: &'a mut dyn Scope,
    pub(super) names: &'a Names,
    pub(super) line: u32,
}

const ADDRESS: Scalar = Scalar::Unsigned(8);

impl Emitter<'_> {
    pub(super) fn emit(&mut self, op: Op) -> u32 {
        self.ops.push(op);
        self.lines.push(self.line);
        self.ops.len() as u32 - 1
    }

    pub(super) fn patch(&mut self, at: u32) {
        let here = self.ops.len() as u32;
        if let Some(Op::Jump(to) | Op::JumpIfZero(to)) = self.ops.get_mut(at as usize) {
            *to = here;
        }
    }

    fn resolved(&self, ty: CType) -> CType {
        match &ty {
            CType::Tag(tag) => self.names.structures.get(tag).map_or(ty.clone(), |s| CType::Structure(s.clone())),
            _ => ty,
        }
    }

    /// Emits code that leaves the value; for arrays and structures their address. Returns the type; arrays stay arrays.
    pub(super) fn value(&mut self, e: &Expression) -> Result<CType, Fault> {
        match &e.kind {
            Kind::Integer(value, ty) => {
                self.emit(Op::Push(*value as u64));
                Ok(ty.clone())
            }
            Kind::Float(value) => {
                self.emit(Op::Push(value.to_bits()));
                Ok(DOUBLE)
            }
            Kind::Text(text) => {
                let at = self.scope.text(text).ok_or_else(|| {
                    fault(
                        e,
                        "string literals are not supported in this \
                    expression",
                    )
                })?;
                self.emit(Op::Push(at));
                Ok(super::ctype::CHAR.pointer())
            }
            Kind::Name(name) if self.scope.variable(name).is_none() => {
                if let Some((_, _, returns, address)) = self.scope.function(name) {
                    self.emit(Op::Push(address));
                    return Ok(returns.pointer());
                }
                let value = builtin::constant(name).ok_or_else(|| unknown(e, name))?;
                self.emit(Op::Push(value as u64));
                Ok(if &**name == "NULL" { CType::Void.pointer() } else { LONG })
            }
            Kind::Name(_) | Kind::Index(..) | Kind::Member(..) | Kind::Unary("*", _) => {
                let ty = self.address(e)?;
                if let Some(scalar) = ty.scalar() {
                    self.emit(Op::Load(scalar));
                }
                Ok(ty)
            }
            Kind::Unary("&", operand) => Ok(self.address(operand)?.pointer()),
            Kind::Unary(sign, operand) => {
                let ty = self.value(operand)?;
                let scalar = decayed(&ty).ok_or_else(|| fault(e, format!("{sign:?} needs a number")))?;
                if *sign == "!" {
                    self.emit(Op::Not(scalar));
                    return Ok(INT);
                }
                let promoted = promote(&ty);
                let scalar = promoted.scalar().unwrap_or(scalar);
                self.emit(if *sign == "-" { Op::Negate(scalar) } else { Op::Invert(scalar) });
                Ok(promoted)
            }
            Kind::Binary("&&" | "||", ..) => self.logic(e),
            Kind::Binary(sign, left, right) => self.binary(e, sign, left, right),
            Kind::Assign(operation, left, right) => self.assign(e, *operation, left, right),
            Kind::Choice(condition, yes, no) => {
                self.condition(condition)?;
                let to_no = self.emit(Op::JumpIfZero(0));
                let left = self.type_of(yes)?;
                let right = self.type_of(no)?;
                let ty = if left.scalar().is_some() && right.scalar().is_some() && left.element().is_none() {
                    common(&left, &right)
                } else {
                    left
                };
                self.converted(yes, &ty)?;
                let to_end = self.emit(Op::Jump(0));
                self.patch(to_no);
                self.converted(no, &ty)?;
                self.patch(to_end);
                Ok(ty)
            }
            Kind::Call(name, arguments) => self.call(e, name, arguments),
            Kind::Cast(ty, operand) => {
                if *ty == CType::Void {
                    self.value(operand)?;
                    return Ok(CType::Void);
                }
                self.converted(operand, ty)?;
                Ok(ty.clone())
            }
            Kind::SizeOfType(ty) => {
                let size = self.resolved(ty.clone()).size();
                self.emit(Op::Push(u64::from(size)));
                Ok(UNSIGNED_LONG)
            }
            Kind::SizeOf(operand) => {
                let size = self.type_of(operand)?.size();
                self.emit(Op::Push(u64::from(size)));
                Ok(UNSIGNED_LONG)
            }
            Kind::Increment(operand, by, before) => {
                let ty = self.address(operand)?;
                let scalar = ty.scalar().ok_or_else(|| fault(e, "only numbers and pointers can be incremented"))?;
                let by = by * ty.element().map_or(1, |of| i64::from(of.size()));
                self.emit(Op::Increment(scalar, by, *before));
                Ok(ty)
            }
        }
    }

    /// Emits code that leaves the address of the object that the expression names.
    pub(super) fn address(&mut self, e: &Expression) -> Result<CType, Fault> {
        match &e.kind {
            Kind::Name(name) => {
                let Some((place, ty)) = self.scope.variable(name) else {
                    let (_, _, returns, address) = self.scope.function(name).ok_or_else(|| unknown(e, name))?;
                    self.emit(Op::Push(address));
                    return Ok(returns);
                };
                self.emit(match place {
                    Place::Frame(offset) => Op::Local(offset),
                    Place::Fixed(address) => Op::Push(address),
                });
                Ok(self.resolved(ty))
            }
            Kind::Unary("*", pointer) => {
                let ty = self.value(pointer)?;
                self.target(e, &ty)
            }
            Kind::Index(array, index) => {
                let ty = self.value(array)?;
                let element = self.target(e, &ty)?;
                self.converted(index, &LONG)?;
                self.emit(Op::Push(u64::from(element.size())));
                self.emit(Op::Binary(Arithmetic::Multiply, Scalar::Signed(8)));
                self.emit(Op::Binary(Arithmetic::Add, ADDRESS));
                Ok(element)
            }
            Kind::Member(object, name, arrow) => {
                let ty = if *arrow {
                    let ty = self.value(object)?;
                    self.target(e, &ty)?
                } else {
                    let ty = self.address(object)?;
                    // gdb accepts a dot after a pointer, too.
                    if matches!(ty.plain(), CType::Pointer(_)) {
                        self.emit(Op::Load(ADDRESS));
                        self.target(e, &ty)?
                    } else {
                        ty
                    }
                };
                let CType::Structure(structure) = ty.plain() else {
                    return Err(fault(e, format!("{} has no members", ty.spelling())));
                };
                let field = structure
                    .fields
                    .iter()
                    .find(|f| f.name == *name)
                    .ok_or_else(|| Fault { code: ErrorCode::NO_SYMBOL, ..fault(e, structure.no_member(name)) })?;
                if field.offset > 0 {
                    self.emit(Op::Push(u64::from(field.offset)));
                    self.emit(Op::Binary(Arithmetic::Add, ADDRESS));
                }
                Ok(self.resolved(field.ty.clone()))
            }
            _ => Err(fault(e, "this value is not in memory")),
        }
    }

    fn target(&self, e: &Expression, ty: &CType) -> Result<CType, Fault> {
        let element = ty.element().filter(|of| **of != CType::Void).cloned();
        let element = element.ok_or_else(|| fault(e, format!("a value of type {} is not a pointer", ty.spelling())))?;
        Ok(self.resolved(element))
    }

    /// Returns the type of an expression without emitting code.
    pub(super) fn type_of(&mut self, e: &Expression) -> Result<CType, Fault> {
        let length = self.ops.len();
        let ty = self.value(e);
        self.ops.truncate(length);
        self.lines.truncate(length);
        ty
    }

    /// Emits code that leaves the value converted to another type.
    pub(super) fn converted(&mut self, e: &Expression, ty: &CType) -> Result<(), Fault> {
        let from = self.value(e)?;
        if let (Some(from), Some(to)) = (decayed(&from), ty.scalar()) {
            if from != to {
                self.emit(Op::Convert(from, to));
            }
            return Ok(());
        }
        if from.plain() == ty.plain() {
            return Ok(());
        }
        Err(fault(e, format!("a {} is no {}", from.spelling(), ty.spelling())))
    }

    /// Emits code that leaves zero for false, and another number for true.
    pub(super) fn condition(&mut self, e: &Expression) -> Result<(), Fault> {
        let ty = self.value(e)?;
        match decayed(&ty) {
            Some(Scalar::Float(size)) => {
                self.emit(Op::Push(0f64.to_bits()));
                self.emit(Op::Binary(Arithmetic::NotEqual, Scalar::Float(size)));
                Ok(())
            }
            Some(_) => Ok(()),
            None => Err(fault(e, format!("a {} is neither true nor false", ty.spelling()))),
        }
    }

    fn logic(&mut self, e: &Expression) -> Result<CType, Fault> {
        let Kind::Binary(sign, left, right) = &e.kind else { return Ok(INT) };
        self.condition(left)?;
        if *sign == "||" {
            self.emit(Op::Not(Scalar::Signed(8)));
        }
        let decided = self.emit(Op::JumpIfZero(0));
        self.condition(right)?;
        self.emit(Op::Push(0));
        self.emit(Op::Binary(Arithmetic::NotEqual, Scalar::Signed(8)));
        let end = self.emit(Op::Jump(0));
        self.patch(decided);
        self.emit(Op::Push(u64::from(*sign == "||")));
        self.patch(end);
        Ok(INT)
    }

    fn binary(&mut self, e: &Expression, sign: &str, left: &Expression, right: &Expression) -> Result<CType, Fault> {
        let (lt, rt) = (self.type_of(left)?, self.type_of(right)?);
        let needs_numbers =
            || fault(e, format!("{sign:?} cannot be applied to {} and {}", lt.spelling(), rt.spelling()));
        let (Some(ls), Some(rs)) = (decayed(&lt), decayed(&rt)) else { return Err(needs_numbers()) };
        let operation = arithmetic(sign).ok_or_else(needs_numbers)?;
        let compares = matches!(sign, "==" | "!=" | "<" | ">" | "<=" | ">=");
        match (lt.element(), rt.element()) {
            (Some(of), Some(_)) if sign == "-" => {
                let size = of.size();
                self.value(left)?;
                self.value(right)?;
                self.emit(Op::Binary(operation, Scalar::Signed(8)));
                self.emit(Op::Push(u64::from(size)));
                self.emit(Op::Binary(Arithmetic::Divide, Scalar::Signed(8)));
                Ok(LONG)
            }
            (left_of, right_of) if left_of.or(right_of).is_some() && compares => {
                self.value(left)?;
                self.value(right)?;
                self.emit(Op::Binary(operation, ADDRESS));
                Ok(INT)
            }
            (Some(of), None) if matches!(sign, "+" | "-") => {
                let of = self.resolved(of.clone());
                self.value(left)?;
                self.scaled(right, rs, of.size())?;
                self.emit(Op::Binary(operation, ADDRESS));
                Ok(of.pointer())
            }
            (None, Some(of)) if sign == "+" => {
                let of = self.resolved(of.clone());
                self.scaled(left, ls, of.size())?;
                self.value(right)?;
                self.emit(Op::Binary(operation, ADDRESS));
                Ok(of.pointer())
            }
            (None, None) => {
                let ty = if matches!(sign, "<<" | ">>") { promote(&lt) } else { common(&lt, &rt) };
                let scalar = ty.scalar().ok_or_else(needs_numbers)?;
                if matches!(scalar, Scalar::Float(_)) && matches!(sign, "%" | "&" | "|" | "^") {
                    return Err(needs_numbers());
                }
                self.converted(left, &ty)?;
                self.converted(right, &ty)?;
                self.emit(Op::Binary(operation, scalar));
                Ok(if compares { INT } else { ty })
            }
            _ => Err(needs_numbers()),
        }
    }

    fn scaled(&mut self, index: &Expression, from: Scalar, size: u32) -> Result<(), Fault> {
        self.value(index)?;
        self.emit(Op::Convert(from, Scalar::Signed(8)));
        self.emit(Op::Push(u64::from(size)));
        self.emit(Op::Binary(Arithmetic::Multiply, Scalar::Signed(8)));
        Ok(())
    }

    fn assign(
        &mut self,
        e: &Expression,
        operation: Option<&'static str>,
        left: &Expression,
        right: &Expression,
    ) -> Result<CType, Fault> {
        let ty = self.address(left)?;
        let Some(scalar) = ty.scalar() else {
            if operation.is_some() || !matches!(ty.plain(), CType::Structure(_)) {
                return Err(fault(e, format!("cannot assign to a {}", ty.spelling())));
            }
            self.converted(right, &ty)?;
            self.emit(Op::Copy(ty.size()));
            return Ok(ty);
        };
        let value = match operation {
            None => right.clone(),
            Some(sign) => Expression {
                kind: Kind::Binary(sign, Box::new(left.clone()), Box::new(right.clone())),
                line: e.line,
                position: e.position,
            },
        };
        self.converted(&value, &ty)?;
        self.emit(Op::Store(scalar));
        Ok(ty)
    }

    fn call(&mut self, e: &Expression, name: &Arc<str>, arguments: &[Expression]) -> Result<CType, Fault> {
        let count = |wanted: usize, at_least: bool| {
            if arguments.len() == wanted || (at_least && arguments.len() > wanted) {
                Ok(())
            } else {
                Err(fault(e, format!("{name} takes {wanted} arguments, not {}", arguments.len())))
            }
        };
        if let Some((index, parameters, returns, _)) = self.scope.function(name) {
            count(parameters.len(), false)?;
            for (argument, ty) in arguments.iter().zip(&parameters) {
                self.converted(argument, ty)?;
            }
            self.emit(Op::Call(index));
            return Ok(self.resolved(returns));
        }
        let signature = builtin(name).ok_or_else(|| unknown(e, name))?;
        let fixed = signature.parameters.trim_end_matches('*');
        count(fixed.len(), fixed.len() < signature.parameters.len())?;
        for (i, argument) in arguments.iter().enumerate() {
            match fixed.as_bytes().get(i) {
                Some(b'i') => self.converted(argument, &INT)?,
                Some(b'l') => self.converted(argument, &LONG)?,
                Some(b'd') => self.converted(argument, &DOUBLE)?,
                _ => {
                    self.value(argument)?;
                }
            }
        }
        let arguments = u8::try_from(arguments.len()).map_err(|_| fault(e, "too many arguments"))?;
        self.emit(Op::Builtin(signature.builtin, arguments));
        Ok(signature.returns)
    }
}

/// Returns the scalar type of a value in arithmetic; arrays decay to addresses.
fn decayed(ty: &CType) -> Option<Scalar> {
    ty.scalar().or_else(|| ty.element().map(|_| ADDRESS))
}

fn promote(ty: &CType) -> CType {
    match ty.scalar() {
        Some(Scalar::Signed(1 | 2) | Scalar::Unsigned(1 | 2)) => INT,
        _ => ty.plain().clone(),
    }
}

/// Applies the usual arithmetic conversions (C11, 6.3.1.8).
fn common(left: &CType, right: &CType) -> CType {
    let (left, right) = (promote(left), promote(right));
    let rank = |ty: &CType| match ty.scalar() {
        Some(Scalar::Float(size)) => 100 + u32::from(size),
        Some(Scalar::Unsigned(size)) => u32::from(size) * 2 + 1,
        Some(Scalar::Signed(size)) => u32::from(size) * 2,
        None => 0,
    };
    if rank(&right) > rank(&left) { right } else { left }
}

fn arithmetic(sign: &str) -> Option<Arithmetic> {
    Some(match sign {
        "+" => Arithmetic::Add,
        "-" => Arithmetic::Subtract,
        "*" => Arithmetic::Multiply,
        "/" => Arithmetic::Divide,
        "%" => Arithmetic::Remainder,
        "&" => Arithmetic::And,
        "|" => Arithmetic::Or,
        "^" => Arithmetic::Xor,
        "<<" => Arithmetic::ShiftLeft,
        ">>" => Arithmetic::ShiftRight,
        "==" => Arithmetic::Equal,
        "!=" => Arithmetic::NotEqual,
        "<" => Arithmetic::Less,
        "<=" => Arithmetic::LessEqual,
        ">" => Arithmetic::Greater,
        ">=" => Arithmetic::GreaterEqual,
        _ => return None,
    })
}

fn fault(e: &Expression, message: impl Into<String>) -> Fault {
    Fault { code: ErrorCode::DEBUGGER, message: message.into(), line: e.line, position: e.position }
}

fn unknown(e: &Expression, name: &str) -> Fault {
    let message = format!("No symbol \"{name}\" in current context.");
    Fault { code: ErrorCode::UNKNOWN_VARIABLE, message, line: e.line, position: e.position }
}

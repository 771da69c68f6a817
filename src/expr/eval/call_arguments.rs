//! Calls of program functions: the callee and its arguments.

use super::access::contents;
use super::operand::{converted, dereferenced};
use crate::EvalError;
use crate::call_request::{CallRequest, Convention, PassedCopy, Slot};
use crate::context::EvalContext;
use crate::lang::c::abi::{Class, eightbytes, register_classes};
use crate::lang::c::macros::with_advice;
use crate::lang::fortran::arguments::{Argument, fortran_arguments};
use crate::lang::rust::abi::{Passed, is_returned_as_known, is_returned_in_memory, passed_by_rust};
use crate::types::{element_of, size_of, stripped};
use crate::value::{LONGEST, Value};
use debuginfo::types::builtin::{Builtin, pointer_to};
use debuginfo::types::parameters::Parameter;
use debuginfo::types::{Encoding, INDIRECT_CODE, Kind, Place, Type, TypeRef, UNDESCRIBED_CODE};
use model::{ErrorCode, VirtualAddress};

/// General registers that pass integers.
const INTEGERS: usize = 6;
/// Vector registers that pass floating-point numbers.
const VECTORS: usize = 8;

fn error(message: impl Into<String>) -> EvalError {
    EvalError::new(ErrorCode::DEBUGGER, message)
}

pub(crate) struct Callee {
    name: String,
    address: VirtualAddress,
    returns: TypeRef,
    parameters: Vec<TypeRef>,
    prototyped: bool,
    convention: Convention,
    /// How the parameters are passed, if not by value.
    passed: Option<Vec<Parameter>>,
    /// True if the address is that of a resolver (ifunc), which returns the function's address.
    indirect: bool,
}

impl Callee {
    /// Returns the function that a value is or points to. `returns` is the type that a cast around the call gives.
    pub(crate) fn of(
        value: &Value,
        name: &str,
        returns: Option<&TypeRef>,
        arguments: usize,
        context: &EvalContext<'_>,
    ) -> Result<Self, EvalError> {
        let mut function = dereferenced(value, context)?;
        if matches!(stripped(function.ty(), context).1.kind, Kind::Pointer(_)) {
            function = contents(&function, context)?;
        }
        let (_, ty) = stripped(function.ty(), context);
        let Kind::Function { returns: declared, parameters, prototyped, .. } = &ty.kind else {
            let fault = error("Attempt to call something that is not a function.");
            return Err(if matches!(ty.kind, Kind::Base(_)) { fault.of_types() } else { fault });
        };
        let address = function.address().ok_or_else(|| error("The address of the function is not known."))?;
        let indirect = ty.name.as_deref() == Some(INDIRECT_CODE);
        let is_void = || stripped(declared, context).1.kind == Kind::Void;
        // Assembly functions are described as taking and returning nothing.
        let bare = parameters.is_empty() && arguments > 0 && is_void();
        let unsaid = context.has_effects() && is_unsaid(declared, context);
        // Otherwise the type that it returns has been made up.
        let chosen = indirect && !matches!(declared, TypeRef::Made(_));
        let described = (!indirect || chosen) && !bare && !unsaid && ty.name.as_deref() != Some(UNDESCRIBED_CODE);
        let returns = match (described, returns) {
            (true, _) => declared.clone(),
            (false, Some(said)) => said.clone(),
            (false, None) => {
                let message = format!("'{name}' has unknown return type; cast the call to its declared return type");
                return Err(error(with_advice(message, name)).of_types());
            }
        };
        let prototyped = *prototyped && described;
        let convention = if described { context.language().convention() } else { Convention::C };
        let (name, parameters) = (name.to_owned(), parameters.clone());
        let passed = context.symbols().parameters(function.ty()).filter(|_| described);
        Ok(Self { name, address, returns, parameters, prototyped, convention, passed, indirect })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn returns(&self) -> &TypeRef {
        &self.returns
    }

    /// Builds the call with its arguments; strings and other values without an address get memory in the program.
    pub(crate) fn request(&self, arguments: &[Value], s: &EvalContext<'_>) -> Result<CallRequest, EvalError> {
        let arguments = match &self.passed {
            Some(passed) => fortran_arguments(&self.name, &self.parameters, passed, arguments, s)?,
            None if arguments.len() < self.parameters.len() => {
                return Err(error("Too few arguments in function call."));
            }
            None => arguments.iter().cloned().map(Argument::Value).collect(),
        };
        if self.convention == Convention::Rust && !is_returned_as_known(&self.returns, s) {
            return Err(error(format!("It is unknown how {} returns its value.", self.name)));
        }
        let function = if self.indirect { self.resolved(s)? } else { self.address };
        let mut layout = Layout::default();
        let hidden = self.hidden(s);
        if hidden.is_some() {
            layout.integers.push(0);
        }
        for (number, argument) in arguments.iter().enumerate() {
            let (ty, bytes) = match argument {
                Argument::Value(value) => self.argument(value, self.parameters.get(number), s)?,
                Argument::Address(address) => (pointer_to(TypeRef::Void), address.to_le_bytes().to_vec()),
                Argument::Copy(bytes) => {
                    layout.add_address_of(bytes.clone());
                    continue;
                }
            };
            match self.convention {
                Convention::C => layout.add(&ty, &bytes, s),
                Convention::Rust => layout.add_of_rust(&ty, &bytes, s)?,
            }
        }
        Ok(CallRequest {
            name: self.name.clone(),
            function,
            integers: layout.integers,
            vectors: layout.vectors,
            stack: layout.stack,
            copies: layout.copies,
            hidden,
            convention: self.convention,
            returns: self.returns.clone(),
        })
    }

    /// Returns the function's address, calling the resolver of an ifunc.
    fn resolved(&self, s: &EvalContext<'_>) -> Result<VirtualAddress, EvalError> {
        let request = plain(&format!("the resolver of {}", self.name), self.address, Vec::new());
        Ok(VirtualAddress(word(&s.call(&request)?)))
    }

    /// Bytes of a result that is returned in memory.
    fn hidden(&self, s: &EvalContext<'_>) -> Option<u64> {
        let size = size_of(&self.returns, s)?;
        if self.convention == Convention::Rust {
            return is_returned_in_memory(&self.returns, s).then_some(size);
        }
        match stripped(&self.returns, s).1.kind {
            Kind::Aggregate { .. } if register_classes(&self.returns, size, s).is_none() => Some(size),
            _ => None,
        }
    }

    /// Converts an argument to the parameter's type, or else by the default promotions (C17, 6.5.2.2).
    fn argument(
        &self,
        value: &Value,
        parameter: Option<&TypeRef>,
        s: &EvalContext<'_>,
    ) -> Result<(TypeRef, Vec<u8>), EvalError> {
        if let Some(parameter) = parameter
            && let Kind::Reference(target, _) = &stripped(parameter, s).1.kind
        {
            let address = self.referred(value, target, s)?;
            return Ok((parameter.clone(), address.to_le_bytes().to_vec()));
        }
        let value = dereferenced(value, s)?;
        let (_, found) = stripped(value.ty(), s);
        if let (Kind::Array { .. }, Some((element, ..)), Convention::C) =
            (&found.kind, element_of(&found, s), self.convention)
        {
            let address = placed(&value, s)?;
            return Ok((pointer_to(element), address.to_le_bytes().to_vec()));
        }
        let own = value.ty().clone();
        let whole = matches!(found.kind, Kind::Aggregate { .. } | Kind::Variants(_) | Kind::Array { .. });
        if whole && self.convention == Convention::Rust {
            if parameter.is_some_and(|parameter| size_of(parameter, s) != size_of(&own, s)) {
                return Err(error(format!("An argument of {} has the wrong type.", self.name)));
            }
            let bytes = value.raw_bytes(s)?;
            return Ok((own, bytes));
        }
        let target = match (parameter, &found.kind) {
            (Some(parameter), Kind::Aggregate { .. }) if size_of(parameter, s) == size_of(&own, s) => own,
            (Some(parameter), _) if self.prototyped => parameter.clone(),
            (_, Kind::Base(Encoding::Float)) if found.size == Some(4) => Builtin::Double.ty(),
            (_, Kind::Base(encoding)) if found.size.is_some_and(|size| size < 4) && is_integer(*encoding) => {
                Builtin::Int.ty()
            }
            (_, Kind::Function { .. }) => pointer_to(own),
            _ => own,
        };
        let bytes = converted(&value, &target, s)?;
        Ok((target, bytes))
    }

    /// Returns the address passed for a parameter that is a reference.
    fn referred(&self, value: &Value, target: &TypeRef, s: &EvalContext<'_>) -> Result<u64, EvalError> {
        let value = dereferenced(value, s)?;
        if let (Some(address), None) = (value.address(), value.bit_field()) {
            return Ok(address.0);
        }
        let bytes = converted(&value, target, s)?;
        allocated(&bytes, s)
    }
}

/// True for the type that functions written in assembly are described to return: none that is specified, which is not
/// `void`.
fn is_unsaid(returns: &TypeRef, context: &EvalContext<'_>) -> bool {
    let (reference, ty) = stripped(returns, context);
    ty.kind == Kind::Void && ty.name.is_none() && matches!(reference, TypeRef::Entry(_))
}

fn is_integer(encoding: Encoding) -> bool {
    !matches!(encoding, Encoding::Float | Encoding::Complex | Encoding::Other(_))
}

/// Returns the address of an array, which gets memory in the program if it has none.
pub(crate) fn placed(array: &Value, s: &EvalContext<'_>) -> Result<u64, EvalError> {
    if let Some(address) = array.address() {
        return Ok(address.0);
    }
    let size = size_of(array.ty(), s).filter(|size| *size <= LONGEST);
    let size = size.ok_or_else(|| error("The value is too long to be passed."))?;
    let (bytes, _) = array.read_known(size, s)?;
    allocated(&bytes, s)
}

/// Copies the bytes into memory from the program's malloc(3). It is never freed: the program may have kept the address.
fn allocated(bytes: &[u8], s: &EvalContext<'_>) -> Result<u64, EvalError> {
    let malloc = s.variable("malloc").and_then(|found| match found.place {
        Ok(Place::Memory(address)) => Some(address),
        _ => None,
    });
    let missing = || error("evaluation of this expression requires the program to have a function \"malloc\".");
    let request = plain("malloc", malloc.ok_or_else(missing)?, vec![bytes.len().max(1) as u64]);
    let address = word(&s.call(&request)?);
    if address == 0 {
        return Err(error("No memory available to program: call to malloc failed"));
    }
    s.write(VirtualAddress(address), bytes)?;
    Ok(address)
}

/// Builds a call of a function that takes integers and returns an address.
fn plain(name: &str, function: VirtualAddress, integers: Vec<u64>) -> CallRequest {
    CallRequest {
        name: name.to_owned(),
        function,
        integers,
        vectors: Vec::new(),
        stack: Vec::new(),
        copies: Vec::new(),
        hidden: None,
        convention: Convention::C,
        returns: pointer_to(TypeRef::Void),
    }
}

fn word(bytes: &[u8]) -> u64 {
    bytes.first_chunk().map_or(0, |word| u64::from_le_bytes(*word))
}

/// Assigns arguments to registers as long as there are any, then to the stack.
#[derive(Default)]
struct Layout {
    integers: Vec<u64>,
    vectors: Vec<u64>,
    stack: Vec<u8>,
    copies: Vec<PassedCopy>,
}

impl Layout {
    /// Passes the address of a copy, which is known when the call begins.
    fn add_address_of(&mut self, bytes: Vec<u8>) {
        let slot = if self.integers.len() < INTEGERS {
            self.integers.push(0);
            Slot::Integer(self.integers.len() - 1)
        } else {
            self.push(&[0]);
            Slot::Stack(self.stack.len() - 8)
        };
        self.copies.push(PassedCopy { bytes, slot });
    }

    fn add(&mut self, ty: &TypeRef, bytes: &[u8], s: &EvalContext<'_>) {
        let words = eightbytes(bytes);
        if let Some(classes) = register_classes(ty, bytes.len() as u64, s) {
            let integers = classes.iter().filter(|class| **class == Class::Integer).count();
            let vectors = classes.len() - integers;
            // A value goes to registers as a whole or not at all.
            if self.integers.len() + integers <= INTEGERS && self.vectors.len() + vectors <= VECTORS {
                for (class, word) in classes.into_iter().zip(words) {
                    match class {
                        Class::Integer => self.integers.push(word),
                        Class::Sse => self.vectors.push(word),
                    }
                }
                return;
            }
        }
        if alignment(&stripped(ty, s).1, ty, s) > 8 && !self.stack.len().is_multiple_of(16) {
            self.stack.extend([0; 8]);
        }
        self.push(&words);
    }

    fn push(&mut self, words: &[u64]) {
        self.stack.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    }

    /// As [`Layout::add`], for a function of Rust.
    fn add_of_rust(&mut self, ty: &TypeRef, bytes: &[u8], s: &EvalContext<'_>) -> Result<(), EvalError> {
        let numbers = match passed_by_rust(ty, bytes, s) {
            Passed::Numbers(numbers) => numbers,
            Passed::Address => vec![(false, vec![allocated(bytes, s)?])],
        };
        for (floating, words) in numbers {
            let (registers, most) =
                if floating { (&mut self.vectors, VECTORS) } else { (&mut self.integers, INTEGERS) };
            if registers.len() + words.len() <= most {
                registers.extend(words);
            } else if let [word] = words.as_slice() {
                self.push(&[*word]);
            } else {
                return Err(error("Cannot pass a 128-bit number that does not fit into the registers."));
            }
        }
        Ok(())
    }
}

fn alignment(found: &Type, ty: &TypeRef, s: &EvalContext<'_>) -> u64 {
    match &found.kind {
        Kind::Base(_) => found.size.unwrap_or(8),
        Kind::Aggregate { .. } => s.symbols().alignment_of(ty),
        _ => 8,
    }
}

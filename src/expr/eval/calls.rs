//! Calls in expressions: of functions, of methods, of operators that classes define.

use super::call_arguments::{Callee, own_function};
use super::evaluator::{Evaluator, error};
use super::operand::dereferenced;
use crate::EvalError;
use crate::context::EvalContext;
use crate::lang::cpp::methods::{Method, method, overload};
use crate::printers::xmethods::library_method;
use crate::syntax::tree::{Node, NodeKind};
use crate::types::stripped;
use crate::value::Value;
use debuginfo::types::{Kind, Place, TypeRef};
use model::VirtualAddress;
use model::aif::Spelling;

impl Evaluator<'_> {
    /// A call of a function; in Fortran also an element of an array. `returns` is what a cast around it says.
    pub(crate) fn call(&self, of: &Node, arguments: &[Node], returns: Option<&TypeRef>) -> Result<Value, EvalError> {
        let s = &self.context;
        if let NodeKind::Register(name) = &of.kind {
            let values = arguments.iter().map(|one| self.value(one)).collect::<Result<Vec<_>, _>>()?;
            match own_function(name, &values, s) {
                Some(own) => return own,
                None if s.spelling() == Some(Spelling::Fortran) => {}
                None => return Err(error(format!("There is no function ${name}."))),
            }
        }
        if let NodeKind::Name(name) = &of.kind
            && self.is_own(name)
            && s.variable(name).is_none_or(|found| !matches!(stripped(&found.ty, s).1.kind, Kind::Array { .. }))
        {
            return self.intrinsic(name, arguments);
        }
        if let Some(method) = self.method_call(of, arguments)? {
            return Ok(method);
        }
        let function = self.value(of)?;
        let bare = dereferenced(&function, s)?;
        if s.spelling() == Some(Spelling::Fortran) && !is_function(&bare, s) {
            return self.element(&bare, arguments);
        }
        let name = if let NodeKind::Name(name) = &of.kind { name } else { "function" };
        if self.is_rust() {
            return self.called_with(&function, name, None, arguments);
        }
        let values = arguments.iter().map(|one| self.value(one)).collect::<Result<Vec<_>, _>>()?;
        let function = overload(name, &values, s)?.unwrap_or(function);
        self.called(&Callee::of(&function, name, returns, values.len(), s)?, &values)
    }

    /// A call of a function with an object, if it is of one, and arguments.
    pub(crate) fn called_with(
        &self,
        function: &Value,
        name: &str,
        object: Option<Value>,
        arguments: &[Node],
    ) -> Result<Value, EvalError> {
        let s = &self.context;
        let arguments = arguments.iter().map(|one| self.value(one));
        let values = object.into_iter().map(Ok).chain(arguments).collect::<Result<Vec<_>, _>>()?;
        self.called(&Callee::of(function, name, None, values.len(), s)?, &values)
    }

    fn called(&self, callee: &Callee, arguments: &[Value]) -> Result<Value, EvalError> {
        let s = &self.context;
        if !s.has_effects() {
            return Ok(Value::new(callee.returns().clone(), Place::Memory(VirtualAddress(0))));
        }
        let bytes = s.call(&callee.request(arguments, s)?)?;
        Ok(Value::known(callee.returns().clone(), bytes))
    }

    /// A call of a method: of an object, or of the one that the frame's function is a method of.
    fn method_call(&self, of: &Node, arguments: &[Node]) -> Result<Option<Value>, EvalError> {
        let s = &self.context;
        if !s.is_cplusplus() {
            return Ok(None);
        }
        let (object, name) = match &of.kind {
            NodeKind::Member { of, name, .. } => (self.value(of)?, name),
            NodeKind::Name(name) if self.is_function_or_nothing(name) => match self.this()? {
                Some(this) => (this, name),
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        let values = arguments.iter().map(|one| self.value(one)).collect::<Result<Vec<_>, _>>()?;
        self.method(&object, name, values)
    }

    /// Whether a name is that of no variable: a method of the object, or a type, may be meant.
    pub(crate) fn is_function_or_nothing(&self, name: &str) -> bool {
        let s = &self.context;
        s.variable(name).is_none_or(|found| matches!(stripped(&found.ty, s).1.kind, Kind::Function { .. }))
    }

    /// The object that the frame's function is a method of.
    pub(crate) fn this(&self) -> Result<Option<Value>, EvalError> {
        let Some(this) = self.context.variable("this") else { return Ok(None) };
        if self.context.has_effects() {
            return Ok(this.place.ok().map(|place| Value::new(this.ty, place)));
        }
        // Where the program is elsewhere the object is nowhere, and its type is known.
        Ok(Some(Value::new(this.ty, Place::Memory(VirtualAddress(0)))))
    }

    fn method(&self, object: &Value, name: &str, arguments: Vec<Value>) -> Result<Option<Value>, EvalError> {
        let s = &self.context;
        if let Some(value) = library_method(object, name, &arguments, s)? {
            return Ok(Some(value));
        }
        let Some(Method { function, this }) = method(object, name, &arguments, s)? else { return Ok(None) };
        let mut all = vec![this];
        all.extend(arguments);
        self.called(&Callee::of(&function, name, None, all.len(), s)?, &all).map(Some)
    }

    /// An operator that the class of an object defines.
    pub(crate) fn operator_of(
        &self,
        left: &Node,
        sign: &str,
        right: Option<&Node>,
    ) -> Result<Option<Value>, EvalError> {
        if !matches!(left.kind, NodeKind::Name(_) | NodeKind::Member { .. } | NodeKind::Unary(..)) {
            return Ok(None);
        }
        if self.context.is_cplusplus() { self.operator_on(&self.value(left)?, sign, right) } else { Ok(None) }
    }

    /// An operator that the class of a value defines.
    pub(crate) fn operator_on(
        &self,
        left: &Value,
        sign: &str,
        right: Option<&Node>,
    ) -> Result<Option<Value>, EvalError> {
        let s = &self.context;
        if !s.is_cplusplus() {
            return Ok(None);
        }
        let object = dereferenced(left, s)?;
        if !matches!(stripped(object.ty(), s).1.kind, Kind::Aggregate { .. }) || object.address().is_none() {
            return Ok(None);
        }
        if sign == "[]" && matches!(right.map(|right| &right.kind), Some(NodeKind::Text(..))) {
            let name = crate::type_name(object.ty(), s);
            return Err(error(format!(
                "Cannot index {name} with a text: the key would have to be made in the program. \
                 Print the container to see its elements."
            )));
        }
        let arguments = right.map(|right| self.value(right)).transpose()?.into_iter().collect();
        self.method(&object, &format!("operator{sign}"), arguments)
    }
}

/// Whether it can be called.
fn is_function(value: &Value, context: &EvalContext<'_>) -> bool {
    match &stripped(value.ty(), context).1.kind {
        Kind::Function { .. } => true,
        Kind::Pointer(target) => matches!(stripped(target, context).1.kind, Kind::Function { .. }),
        _ => false,
    }
}

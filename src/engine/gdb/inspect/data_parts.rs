//! Reads data of the program for files: gdb knows the type and the place, the bytes are read as in the native engine.

use super::memory::Memory;
use super::queries::Inspector;
use super::script_answers::{TypeTold, ValueTold};
use crate::gdb::session::fault::{GdbError, failure, failure_in};
use debuginfo::UnitLanguage;
use debuginfo::types::{Kind, MemoryFault, Type, TypeRef};
use expr::{EvalContext, EvalError, Machine as _, Value, read_data_part};
use model::{Answer, Context, DataPart, DataShape, DataSource, ErrorCode, Failure, VirtualAddress};
use std::collections::HashMap;
use std::sync::Arc;

impl Inspector<'_> {
    /// Reads up to `length` bytes from byte `from` on.
    pub(super) fn read_data(
        &mut self,
        context: Context,
        source: &DataSource,
        (from, length): (u64, u32),
    ) -> Result<Answer, GdbError> {
        let part = match source {
            DataSource::Memory { start, end } => {
                let start = self.address(context, start, 0)?;
                let end = self.address(context, end, 0)?;
                self.memory_part(start, end, (from, length))?
            }
            DataSource::Value(text) | DataSource::Contents(text) | DataSource::Numbers { expression: text, .. } => {
                self.value_part(context, text, source, (from, length))?
            }
        };
        Ok(part.map_or_else(Answer::Failed, |part| Answer::DataPart(Box::new(part))))
    }

    fn memory_part(
        &mut self,
        start: VirtualAddress,
        end: VirtualAddress,
        (from, length): (u64, u32),
    ) -> Result<Result<DataPart, Failure>, GdbError> {
        let shape = match DataShape::of_memory(start, end) {
            Ok(shape) => shape,
            Err(failure) => return Ok(Err(failure)),
        };
        let mut bytes = vec![0; shape.part(from, length)];
        let memory = Memory::new(self.gdb, HashMap::new());
        let read = memory.read(VirtualAddress(start.0.wrapping_add(from)), &mut bytes);
        if let Some(gone) = memory.into_gone() {
            return Err(gone);
        }
        let fault = |fault: MemoryFault| Failure::new(ErrorCode::MEMORY, fault.to_string());
        Ok(read.map(|()| DataPart { shape, bytes }).map_err(fault))
    }

    fn value_part(
        &mut self,
        context: Context,
        expression: &str,
        source: &DataSource,
        (from, length): (u64, u32),
    ) -> Result<Result<DataPart, Failure>, GdbError> {
        if !self.gdb.has_python() {
            let why = "saving a value needs a gdb with Python: \"dump memory FILE START END\" does not, or use \"engine \
                use native\" first";
            return Ok(Err(Failure::new(ErrorCode::NOT_IMPLEMENTED, why)));
        }
        let thread = self.inferior.checked_thread(self.gdb, context.thread)?;
        let digits = model::aif::to_hex(expression.as_bytes());
        let told: ValueTold = match self.gdb.script(&format!("place({thread}, {}, \"{digits}\")", context.frame))? {
            Ok(told) => told,
            Err(error) => return Ok(Err(failure_in(expression, &error))),
        };
        if let Some(why) = told.error.as_deref().or(told.text.as_deref()) {
            return Ok(Err(failure(why)));
        }
        let (Some(ty), Some(place)) = (&told.ty, told.place()) else {
            return Ok(Err(failure("gdb reports no place of the value")));
        };
        let memory = Memory::new(self.gdb, HashMap::new()).written_in(language(&told.language));
        let part = {
            let eval = EvalContext::new(&memory, &memory);
            read_data_part(&Value::new(whole_type(ty, &told.language), place), source, (from, length), &eval)
        };
        match memory.into_gone() {
            Some(gone) => Err(gone),
            None => Ok(part.map_err(|error: EvalError| Failure { position: None, ..Failure::from(error) })),
        }
    }
}

fn language(name: &str) -> UnitLanguage {
    match name {
        "c++" => UnitLanguage::Cplusplus,
        "fortran" => UnitLanguage::Fortran,
        _ => UnitLanguage::C,
    }
}

/// Returns a type; to gdb an array of Fortran with several dimensions is an array of arrays.
fn whole_type(told: &TypeTold, language: &str) -> TypeRef {
    let ty = told.reference();
    if language == "fortran" { joined(&ty) } else { ty }
}

fn joined(ty: &TypeRef) -> TypeRef {
    let TypeRef::Made(made) = ty else { return ty.clone() };
    let Kind::Array { element, dimensions } = &made.kind else { return ty.clone() };
    let element = joined(element);
    let kind = match &element {
        TypeRef::Made(inner) => match &inner.kind {
            Kind::Array { element, dimensions: others } => {
                Kind::Array { element: element.clone(), dimensions: [dimensions.as_slice(), others].concat() }
            }
            _ => Kind::Array { element: element.clone(), dimensions: dimensions.clone() },
        },
        _ => Kind::Array { element: element.clone(), dimensions: dimensions.clone() },
    };
    TypeRef::Made(Arc::new(Type { kind, ..Type::clone(made) }))
}

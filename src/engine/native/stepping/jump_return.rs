//! The commands `jump` and `return`, which move a thread elsewhere.

use crate::native::calls::return_value::return_type_in;
use crate::native::inspect::StoppedThread;
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::Tid;
use crate::unreasonable_jump::unreasonable;
use debuginfo::types::{Encoding, Kind, Place, TypeRef};
use debuginfo::{Registers, registers_of_caller};
use expr::EvalContext;
use expr::lang::c::abi::{bare, register_classes};
use expr::{Value, converted};
use model::{Context, ErrorCode, Failure, LocationSpec, VirtualAddress};

/// The last number of the general registers, which is the program counter's (System V ABI, figure 3.36).
const LAST_GENERAL: u16 = 16;

fn refused(why: impl Into<String>) -> Failure {
    Failure::new(ErrorCode::DEBUGGER, why)
}

/// The value that a function is made to return, and its place.
struct Returned {
    bytes: Vec<u8>,
    place: Place,
    ty: TypeRef,
}

impl Inferior {
    /// Moves a thread to the one of these addresses that is in its function. A literal address may be anywhere.
    pub(in crate::native) fn jump_to(
        &mut self,
        addresses: &[u64],
        location: &LocationSpec,
        context: Context,
    ) -> Result<(), Failure> {
        let tid = self.thread(context.thread)?;
        let pc = self.pc(tid)?;
        let here = self.function_entry(Some(VirtualAddress(pc)));
        let literal = matches!(location, LocationSpec::Address(_));
        let inside = |at: u64| here.is_some() && self.function_entry(Some(VirtualAddress(at))) == here;
        let wanted: Vec<u64> = addresses.iter().copied().filter(|at| literal || inside(*at)).collect();
        let [address] = wanted[..] else {
            let function = self.look(tid, |thread| thread.physical_function());
            return Err(refused(unreasonable(location, function.as_deref(), addresses, &wanted)));
        };
        let unknown = |errno: nix::errno::Errno| refused(format!("The registers cannot be changed: {}", errno.desc()));
        let mut registers = self.process.registers(tid).map_err(unknown)?;
        registers.rip = address;
        self.process.set_registers(tid, registers).map_err(unknown)?;
        if let Some(thread) = self.process.thread_mut(tid) {
            // The pending signal belongs to the old place; a breakpoint at the new one is hit, even if it is the same.
            (thread.delivery, thread.passes) = (0, false);
        }
        self.current = tid;
        Ok(())
    }
}

/// Sets the known registers of a caller in a thread.
fn take_registers(inferior: &mut Inferior, tid: Tid, caller: &Registers) -> Result<(), Failure> {
    let written = inferior.look(tid, |thread| {
        let known = (0..=LAST_GENERAL).filter_map(|number| Some((number, caller.get(number)?)));
        known.into_iter().all(|(number, value)| thread.access.set_register(number, &value.to_le_bytes()))
    });
    if written { Ok(()) } else { Err(refused("The registers cannot be changed.")) }
}

/// Pops a frame without executing the rest of its code: the thread is then in the caller.
pub(in crate::native) fn return_from(
    inferior: &mut Inferior,
    expression: Option<&str>,
    context: Context,
) -> Result<Tid, Failure> {
    let tid = inferior.thread(context.thread)?;
    if !inferior.left_calls.is_empty() {
        return Err(refused("A function that an expression called has not returned: \"finish\" it first."));
    }
    let (caller, returned) = inferior.look(tid, |thread| {
        let caller = caller_of(thread, context.frame)?;
        let returned = expression.map(|text| value_to_return(thread, context.frame, text)).transpose()?;
        Ok::<_, Failure>((caller, returned))
    })?;
    take_registers(inferior, tid, &caller)?;
    if let Some(Returned { bytes, place, ty }) = returned {
        let wrote = inferior.look(tid, |thread| {
            thread.at_no_frame(|view| Ok(Value::new(ty.clone(), place.clone()).write(&bytes, &view.eval())?))
        });
        wrote?;
    }
    Ok(tid)
}

/// Returns the registers in the caller of a frame.
fn caller_of(thread: &StoppedThread<'_>, level: u32) -> Result<Registers, Failure> {
    let frame = thread.frame(level)?;
    if frame.frame.inlined {
        return Err(refused("Can not force return from an inlined function."));
    }
    let caller = registers_of_caller(thread.images, &frame, thread.access);
    let known = caller.filter(|caller| caller.pc().is_some() && caller.sp().is_some());
    known.ok_or_else(|| refused("Can not force return: the return address is unknown."))
}

/// Evaluates an expression in a frame and converts it to the return type of its function.
fn value_to_return(thread: &StoppedThread<'_>, level: u32, expression: &str) -> Result<Returned, Failure> {
    let returns = return_type_in(thread, level);
    thread.at(level, |view| {
        let expression = view.parse(expression)?;
        if returns.is_none() && !expression.is_cast(&view.eval()) {
            return Err(refused(
                "Return value type not available for selected stack frame.\nPlease use an explicit cast of the value to return.",
            ));
        }
        let value = expression.evaluate(&view.eval())?;
        let ty = returns.unwrap_or_else(|| value.ty().clone());
        let bytes = converted(&value, &ty, &view.eval())?;
        Ok(Returned { bytes, place: place_to_return(&ty, &view.eval())?, ty })
    })
}

/// Returns the register that holds a returned value of this type; fails if the value is returned in memory.
fn place_to_return(ty: &TypeRef, view: &EvalContext<'_>) -> Result<Place, Failure> {
    let found = bare(ty, view);
    let size = found.size.unwrap_or(0);
    let in_memory = || {
        refused(
            "The value is returned in memory at an address only the caller knows: use \"return\" without a \
            value.",
        )
    };
    match &found.kind {
        Kind::Void => return Err(refused("The function returns no value: use \"return\" without one.")),
        Kind::Base(Encoding::Float) if size >= 10 => {
            return Err(refused("A long double cannot be returned: use \"return\" without a value."));
        }
        Kind::Aggregate { .. } if register_classes(ty, size, view).is_none() => return Err(in_memory()),
        _ => {}
    }
    view.returned_place(ty).filter(|place| !matches!(place, Place::Memory(_))).ok_or_else(in_memory)
}

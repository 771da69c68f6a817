//! The dependences of a watched expression: the memory that is read for its value, or more than that.

use crate::native::ptrace::{Access, Region, regions};
use debuginfo::FrameView;
use debuginfo::types::{MemoryFault, NamedValue, Place, Symbols as _};
use expr::call_request::CallRequest;
use expr::{EvalError, Expression, FrameContext, Machine, Value, not_called, type_text};
use model::{Datum, ErrorCode, Failure, TypeDetail, VirtualAddress, WatchAccess};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The maximum number of times that a changing value is read again.
const READINGS: usize = 64;

/// A value at one time. It has changed if its bytes have.
#[derive(Clone, Debug)]
pub(in crate::native) struct Seen {
    pub bytes: Vec<u8>,
    pub datum: Option<Datum>,
    /// True if the value is optimized out here.
    pub lost: bool,
}

/// The way in which changes of a value can be noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::native) enum Dependence {
    /// By watching these regions with debug registers.
    Memory(Vec<Region>),
    /// Only by checking after every instruction of any thread; holds the reason.
    Steps(String),
    /// Only by checking after every instruction of the watchpoint's own thread; holds the reason.
    Registers(String),
}

/// A watched expression whose names are resolved.
#[derive(Clone, Debug)]
pub(in crate::native) struct WatchPlan {
    pub seen: Seen,
    pub dependence: Dependence,
    /// True if the expression uses names of the frame: the watchpoint ends with the frame.
    pub scoped: bool,
}

/// A frame that records what is read from it. It refuses writes: a watched expression is evaluated again and again.
struct Recorder<'a> {
    view: &'a FrameView<'a>,
    reads: RefCell<BTreeSet<(u64, u64)>>,
    registers: Cell<bool>,
}

impl Machine for Recorder<'_> {
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        self.reads.borrow_mut().insert((address.0, into.len() as u64));
        self.view.read(address, into)
    }

    fn write(&self, address: VirtualAddress, _: &[u8]) -> Result<(), MemoryFault> {
        Err(MemoryFault(address))
    }

    fn register(&self, number: u16) -> Option<Vec<u8>> {
        self.registers.set(true);
        self.view.register(number)
    }

    fn set_register(&self, _: u16, _: &[u8]) -> bool {
        false
    }

    fn call(&self, request: &CallRequest) -> Result<Vec<u8>, EvalError> {
        Err(not_called(request))
    }

    fn signal_information(&self) -> Option<Vec<u8>> {
        self.view.signal_information()
    }

    fn thread_number(&self) -> Option<u32> {
        self.view.thread_number()
    }
}

/// True if a variable belongs to the frame and ends with it.
fn is_of_frame(named: &NamedValue, view: &FrameView<'_>) -> bool {
    let is_static = matches!(named.place, Ok(Place::Memory(address)) if view.is_static(address))
        || matches!(named.place, Ok(Place::Bytes(_)));
    // `named` has the spelling of the declaration, which may differ from the expression's in a case-insensitive
    // language.
    !is_static && view.locals().into_iter().chain(view.arguments()).any(|known| known.name == named.name)
}

/// Reads until two readings agree, so that the value shown is the one compared: other threads may write meanwhile.
fn seen(value: &Value, view: &FrameContext<'_>) -> Result<Seen, Failure> {
    let mut bytes = value.raw_bytes(&view.eval())?;
    let mut datum = value.to_datum(&view.eval()).ok();
    for _ in 0..READINGS {
        let again = value.raw_bytes(&view.eval())?;
        if again == bytes {
            break;
        }
        (bytes, datum) = (again, value.to_datum(&view.eval()).ok());
    }
    Ok(Seen { bytes, datum, lost: matches!(value.place(), Place::OptimizedOut) })
}

/// Returns an expression for the place that `expression` denotes now: `-location EXPRESSION`.
pub(in crate::native) fn at_its_place(expression: &str, view: &FrameContext<'_>) -> Result<Arc<Expression>, Failure> {
    let pointer = view.parse(&format!("&({expression})"))?.evaluate(&view.eval());
    let address = pointer.map_err(|error| Failure { position: None, ..error.into() })?.as_address(&view.eval())?;
    let of = view.parse(expression)?;
    let text = format!("*({} *) {address}", type_text(&of, TypeDetail::Name, &view.eval())?);
    // gdb's notation, which does not parse as Fortran or Rust.
    if let Ok(written) = view.parse(&text)
        && written.evaluate(&view.eval()).is_ok()
    {
        return Ok(written);
    }
    let ty = of.evaluate(&view.eval())?.ty().clone();
    Ok(Arc::new(Expression::clone(&of).fixed_at(ty, address)))
}

/// Resolves an expression in a frame and finds how its changes can be noticed.
pub(in crate::native) fn plan(
    expression: &Expression,
    access: WatchAccess,
    view: &FrameContext<'_>,
) -> Result<WatchPlan, Failure> {
    let recorder = Recorder { view, reads: RefCell::default(), registers: Cell::new(false) };
    let scoped = Cell::new(false);
    let hears = |named: &NamedValue| scoped.set(scoped.get() || is_of_frame(named, view));
    let value = expression.evaluate(&view.eval().on(&recorder).observed(&hears))?;
    let computed = matches!(value.place(), Place::Bytes(_));
    if computed && recorder.reads.borrow().is_empty() && !recorder.registers.get() {
        let message = format!("Cannot watch constant value `{}'.", expression.text());
        return Err(Failure::new(ErrorCode::DEBUGGER, message));
    }
    let dependence = dependence(&value, access, &recorder, view);
    Ok(WatchPlan { seen: seen(&value, view)?, dependence, scoped: scoped.get() })
}

fn dependence(value: &Value, access: WatchAccess, recorder: &Recorder<'_>, view: &FrameContext<'_>) -> Dependence {
    let steps = |why: &str| Dependence::Steps(why.to_owned());
    if recorder.registers.get() {
        return Dependence::Registers("it depends on a register".to_owned());
    }
    let own = match (value.address(), value.place()) {
        (Some(address), _) => Some(match value.bit_field() {
            None => (address.0, value.size(&view.eval())),
            Some((first, width)) => (address.0.wrapping_add(first / 8), (first % 8 + u64::from(width)).div_ceil(8)),
        }),
        (None, Place::Bytes(_)) => None,
        (None, _) => return Dependence::Registers("it is in a register".to_owned()),
    };
    let last = match access {
        WatchAccess::Change => Access::Write,
        WatchAccess::Read | WatchAccess::Any => Access::Any,
    };
    let on_the_way = if own.is_none() { last } else { Access::Write };
    let mut all: Vec<Region> = Vec::new();
    let reads: Vec<(u64, u64)> = recorder.reads.borrow().iter().copied().collect();
    let places = own.map(|place| (place, last)).into_iter();
    for ((address, length), access) in places.chain(reads.into_iter().map(|read| (read, on_the_way))) {
        let Some(found) = regions(address, length, access) else {
            return steps("it is too long for the debug registers");
        };
        for region in found {
            if !all.contains(&region) {
                all.push(region);
            }
        }
    }
    if all.is_empty() { steps("it is not in memory") } else { Dependence::Memory(all) }
}

/// Evaluates an expression again.
pub(in crate::native) fn look_again(expression: &Expression, view: &FrameContext<'_>) -> Result<Seen, Failure> {
    seen(&expression.evaluate(&view.eval())?, view)
}

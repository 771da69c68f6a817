//! The value that a function returned (System V ABI, AMD64 supplement, 3.2.3), shown when a `finish` ends.

use crate::native::inspect::StoppedThread;
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::Tid;
use debuginfo::types::TypeRef;
use expr::{Value, record};
use model::Returned;

/// Returns the return type of a frame's function, if it is described.
pub(in crate::native) fn return_type_in(thread: &StoppedThread<'_>, level: u32) -> Option<TypeRef> {
    thread.at(level, |view| Ok(view.returned_type())).ok().flatten()
}

impl Inferior {
    /// Returns the return type of a frame's function, if it is described.
    pub(in crate::native) fn return_type(&mut self, tid: Tid, level: u32) -> Option<TypeRef> {
        self.look(tid, |thread| return_type_in(thread, level))
    }

    /// Reads the value that a function has just returned, and adds it to the value history.
    pub(in crate::native) fn returned_value(&mut self, tid: Tid, returns: &TypeRef) -> Option<Returned> {
        let returned = self.look(tid, |thread| {
            thread.at(0, |view| {
                let Some(place) = view.eval().returned_place(returns) else { return Ok(None) };
                let returned = Value::new(returns.clone(), place);
                let value = returned.to_datum(&view.eval())?;
                let number = record(&returned, &view.eval())?.and_then(|number| u32::try_from(number).ok());
                Ok(Some(Returned { value, number }))
            })
        });
        returned.ok()?
    }
}

//! The arguments that a frame has passed to the function that it has called.

use super::view::FrameView;
use crate::dwarf::unit::Unit;
use crate::functions::call_sites::CallSite;
use crate::images::loaded::LoadedImage;
use crate::variables::locator::Locator;
use model::VirtualAddress;
use std::path::Path;

/// DWARF numbers of the registers with the first arguments: rdi, rsi, rdx, rcx, r8, r9 (System V ABI, AMD64 supplement,
/// 3.2.3).
const REGISTERS: [u16; 6] = [5, 4, 1, 2, 8, 9];

impl FrameView<'_> {
    /// Returns the integers and addresses of the call in progress: those in registers if the call site describes them
    /// (DWARF 5, 3.4), then `more` words of the stack. None if the frame calls no function.
    pub fn passed(&self, more: usize) -> Vec<Option<u64>> {
        let Some(frame) = self.frame.filter(|frame| !frame.interrupted) else {
            return Vec::new();
        };
        let mut found: Vec<Option<u64>> = REGISTERS.iter().map(|number| self.passed_in(*number)).collect();
        let stack = frame.registers.sp();
        let word = |place: usize| {
            let mut bytes = [0; 8];
            let address = stack?.0.checked_add(place as u64 * 8)?;
            self.thread.read(VirtualAddress(address), &mut bytes).ok()?;
            Some(u64::from_le_bytes(bytes))
        };
        found.extend((0..more).map(word));
        found
    }

    /// Returns the name of the function that the call in progress names, if the compiler has described it; a tail call
    /// of that function may have led to another.
    pub fn called(&self) -> Option<String> {
        let (_, _, site) = self.call_site()?;
        let (_, scope) = self.scope.as_ref()?;
        let name = scope.debug().linkage_name(site.target?)?;
        Some(String::from_utf8_lossy(name).into_owned())
    }

    /// True if the source file of the frame is newer than the file with its code.
    pub fn is_source_newer(&self) -> bool {
        let modified = |path: &str| std::fs::metadata(Path::new(path)).ok()?.modified().ok();
        let times = self.frame.and_then(|frame| {
            let (source, module) = (frame.frame.source.as_ref()?, frame.frame.code.module.as_deref()?);
            Some((modified(&source.file)?, modified(module)?))
        });
        times.is_some_and(|(source, module)| source > module)
    }

    fn call_site(&self) -> Option<(&LoadedImage, &Unit, &CallSite)> {
        let (loaded, scope) = self.scope.as_ref()?;
        let return_address = self.frame?.registers.pc()?;
        let unit = scope.unit();
        Some((loaded, unit, unit.call_sites(scope.debug()).at(loaded.bias.unloaded(return_address))?))
    }

    fn passed_in(&self, register: u16) -> Option<u64> {
        let (loaded, unit, site) = self.call_site()?;
        let (_, scope) = self.scope.as_ref()?;
        let value = site.parameter_in_register(unit, register)?;
        let locator = Locator { reads_code: true, ..self.locator(loaded, Some(scope))? };
        let value =
            locator.with_evaluator(unit, |evaluator| evaluator.value(value, unit.dwarf.encoding(), None)).ok()?;
        value.to_u64(u64::MAX).ok()
    }
}

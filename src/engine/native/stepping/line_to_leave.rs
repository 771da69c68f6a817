//! The line that a step leaves, and its instructions.

use super::stepper::Stepper;
use super::targets::{line_ranges, loaded_range};
use debuginfo::LoadedImage;
use model::{ErrorCode, Failure, FileAddress, StepKind};

/// The failure of a step where the limits of the code are unknown, in gdb's words.
pub(in crate::native) fn no_bounds() -> Failure {
    Failure::new(ErrorCode::DEBUGGER, "Cannot find bounds of current function")
}

impl Stepper {
    /// Finds the line and the instructions that the thread must leave, for a frame at this address with `inner`
    /// functions inlined further in.
    pub(in crate::native) fn leave_line(
        &mut self,
        loaded: &LoadedImage,
        at: FileAddress,
        inner: usize,
    ) -> Result<(), Failure> {
        let function = loaded.image.function_at(at);
        let frames = loaded.image.inline_frames(at);
        let inner = inner.min(frames.len().saturating_sub(1));
        self.function = function.as_ref().map(|function| loaded.bias.loaded(function.entry).0);
        self.inlined = frames.len() - inner;
        if let Some(entered) = inner.checked_sub(1).and_then(|outermost| frames.get(outermost)) {
            // In or before an inlined call: leaving its line means running through the function.
            self.line.clone_from(&entered.call);
            self.ranges = vec![loaded_range(loaded, &entered.range)];
            return Ok(());
        }
        let row = loaded.image.line_at(at).filter(|row| row.place.line != 0);
        let onward = self.kind == StepKind::Onward;
        match (row, function) {
            (Some(row), function) => {
                self.ranges = match function.filter(|function| onward && function.entry < row.range.end) {
                    // Everything before the end of the row and of the following rows that begin no statement, which
                    // need not be the whole line, as in gdb.
                    Some(function) => {
                        let mut end = row.range.end;
                        while let Some(next) = loaded.image.line_at(end).filter(|next| {
                            next.place == row.place
                                && !next.is_stmt
                                && next.range.end > end
                                && function.range.contains(&end)
                        }) {
                            end = next.range.end;
                        }
                        vec![loaded_range(loaded, &(function.entry..end))]
                    }
                    None => line_ranges(loaded, at, &row.range),
                };
                self.line = Some(row.place);
            }
            (None, Some(function)) => {
                self.ranges = vec![loaded_range(loaded, &function.range)];
                self.line = None;
            }
            (None, None) => return Err(no_bounds()),
        }
        Ok(())
    }
}

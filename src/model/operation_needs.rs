//! What operations need of the ranks that perform them: stopped ones, time, or no process at all.

use crate::{Inquiry, Operation, ThreadId};

impl Operation {
    /// True if a rank that has ended may answer it: its program's files have the names, types, lines and code, and the
    /// values with which variables begin.
    pub fn outlives_the_process(&self) -> bool {
        matches!(
            self,
            Self::Evaluate { .. }
                | Self::Print { .. }
                | Self::Statistics { .. }
                | Self::Scan { .. }
                | Self::Array { .. }
                | Self::ReadData { .. }
                | Self::TypeOf { .. }
                | Self::Globals(_)
                | Self::ReadMemory { .. }
                | Self::Disassemble { at: Some(_), .. }
                | Self::DisassembleRange { .. }
                | Self::InstructionsBefore { .. }
                | Self::ListSymbols(..)
                | Self::FindBytes(..)
                | Self::Symbols(_)
                | Self::Resolve(..)
                | Self::Tell(_, Inquiry::SourceAt(_) | Inquiry::Scope(_) | Inquiry::Address(_))
                | Self::Source(_)
                | Self::ReachHistory(_)
        )
    }

    /// The operation that looks at the ranks for `Sample`; `None` for others, and if it is none for that.
    pub fn sampled(&self) -> Option<&Self> {
        let Self::Sample(operation) = self else { return None };
        matches!(**operation, Self::Stack { .. } | Self::ThreadStacks { .. }).then_some(operation)
    }

    /// True if it may take minutes: nobody stops waiting for it after a time, but it can be interrupted.
    pub fn may_take_long(&self) -> bool {
        let is_long = matches!(self, Self::Array { look, .. } if look.is_of_all());
        is_long || matches!(self, Self::WriteCore(_) | Self::MessageQueues)
    }

    /// True if it needs stopped ranks; the others work at any time.
    pub fn needs_stop(&self) -> bool {
        if let Self::EachThread { operation, .. } = self {
            return operation.of_thread(ThreadId(1)).is_none_or(|operation| operation.needs_stop());
        }
        let looks = matches!(
            self,
            Self::Stack { .. }
                | Self::ThreadStacks { .. }
                | Self::FrameArguments { .. }
                | Self::FrameAt(..)
                | Self::StackDepth(_)
                | Self::Evaluate { .. }
                | Self::Print { .. }
                | Self::Statistics { .. }
                | Self::Scan { .. }
                | Self::Array { .. }
                | Self::ReadData { .. }
                | Self::Locals(_)
                | Self::Arguments(_)
                | Self::ThreadLocals(..)
                | Self::Registers(..)
                | Self::ReadMemory { .. }
                | Self::MemoryPage { .. }
                | Self::CodePage { .. }
                | Self::WriteMemory { .. }
                | Self::Disassemble { .. }
                | Self::DisassembleRange { .. }
                | Self::InstructionsBefore { .. }
                | Self::Symbols(_)
                | Self::FindBytes(..)
                | Self::Tell(..)
                | Self::QueueSignal(..)
                | Self::WriteCore(_)
                | Self::MessageQueues
        );
        looks || self.resumes()
    }
}

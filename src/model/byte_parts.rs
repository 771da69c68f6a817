//! The bytes inside answers, events and operations: messages carry them beside their JSON, where each would take two
//! characters or more.

use super::{Answer, Datum, Event, FrameArguments, Operation, StopReason, Variable, VariableValue, Watched};

impl Answer {
    /// All bytes of values and memory in it, in order; equal shapes have equal numbers of parts.
    pub fn byte_parts(&mut self) -> Vec<&mut Vec<u8>> {
        match self {
            Self::Data(datum) => vec![&mut datum.data],
            Self::Variables(variables) => of_variables(variables),
            Self::FrameArguments(frames) => frames.iter_mut().flat_map(FrameArguments::byte_parts).collect(),
            Self::Registers(registers) => registers.iter_mut().map(|register| &mut register.value.data).collect(),
            Self::Memory(_, bytes) => vec![bytes],
            Self::MemoryPage(page) => vec![&mut page.bytes],
            Self::Array(part) => part.byte_parts(),
            Self::DataPart(part) => vec![&mut part.bytes],
            Self::ObservedRanks(observed) => vec![&mut observed.own],
            Self::EachThread(said) => said.iter_mut().flat_map(|said| said.answer.byte_parts()).collect(),
            Self::Ok
            | Self::Failed(_)
            | Self::Breakpoint(..)
            | Self::Armed(..)
            | Self::Stack(_)
            | Self::MergedStacks(_)
            | Self::ThreadStacks(_)
            | Self::Depth(_)
            | Self::MemoryAlike(_)
            | Self::Type(_)
            | Self::Threads(_)
            | Self::Signals(_)
            | Self::Places(_)
            | Self::Source { .. }
            | Self::Libraries(..)
            | Self::Limits(_)
            | Self::Instructions(_)
            | Self::Names(_)
            | Self::Text(_)
            | Self::CoreWritten(_)
            | Self::MessageQueues(_)
            | Self::Observed(_)
            | Self::UnderEngine(_)
            | Self::SymbolList(_)
            | Self::BytesFound(_)
            | Self::ProcessFacts(_)
            | Self::Statistics(_)
            | Self::StatisticsSum(_)
            | Self::FindingsSum(_)
            | Self::Found(_) => Vec::new(),
            Self::Summary(summary) => summary.kept().map(|kept| &mut kept.value.data).collect(),
            Self::Picture(picture) => {
                let kept = picture.summary.kept().map(|kept| &mut kept.value.data);
                kept.chain([&mut picture.bytes]).collect()
            }
        }
    }
}

impl Event {
    /// All bytes of values in it, in order.
    pub fn byte_parts(&mut self) -> Vec<&mut Vec<u8>> {
        match self {
            Self::Stopped(stop) => of_reason(&mut stop.reason),
            Self::Traced(trace) => of_variables(&mut trace.values),
            _ => Vec::new(),
        }
    }
}

impl Operation {
    /// All bytes to be written.
    pub fn byte_parts(&mut self) -> Vec<&mut Vec<u8>> {
        match self {
            Self::WriteMemory { data, .. } => vec![data],
            _ => Vec::new(),
        }
    }
}

fn of_reason(reason: &mut StopReason) -> Vec<&mut Vec<u8>> {
    let datums: Vec<Option<&mut Datum>> = match reason {
        StopReason::Finished(returned) => vec![returned.as_mut().map(|returned| &mut returned.value)],
        StopReason::Watchpoint(_, Watched::Changed { old, new }) => vec![old.as_mut(), new.as_mut()],
        StopReason::Watchpoint(_, Watched::Accessed { value }) => vec![Some(value)],
        _ => Vec::new(),
    };
    datums.into_iter().flatten().map(|datum| &mut datum.data).collect()
}

fn of_variables(variables: &mut [Variable]) -> Vec<&mut Vec<u8>> {
    let known = variables.iter_mut().filter_map(|variable| match &mut variable.value {
        VariableValue::Known(datum) => Some(&mut datum.data),
        VariableValue::Unknown { .. } => None,
    });
    known.collect()
}

//! The thread that gdb has stopped, as the engine sees it: the same process, the same registers.

use crate::judge::Judge;
use crate::session::Session;
use rankscope::debuginfo::types::MemoryFault;
use rankscope::debuginfo::{
    AuxiliaryVector, LinkMap, LoadedImages, ProcessFiles, ReadMemory, Registers, SymbolStore, ThreadAccess,
    inlined_at_entry, register_named,
};
use rankscope::engine::SourcePlaces;
use rankscope::engine::native::inspect::{StoppedThread, answer};
use rankscope::expr::StoppedAccess;
use rankscope::model::aif::{FormatOptions, as_gdb_spells, format};
use rankscope::model::{Answer, Context, Datum, Frame, Operation, Variable, VariableValue, VirtualAddress};
use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;

struct Access {
    memory: File,
    wide: BTreeMap<u16, Vec<u8>>,
}

impl ReadMemory for Access {
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        let mut done = 0;
        while done < into.len() {
            let rest = into.get_mut(done..).unwrap_or_default();
            match self.memory.read_at(rest, address.0.wrapping_add(done as u64)) {
                Ok(count) if count > 0 => done += count,
                _ => return Err(MemoryFault(VirtualAddress(address.0.wrapping_add(done as u64)))),
            }
        }
        Ok(())
    }
}

impl StoppedAccess for Access {}

impl ThreadAccess for Access {
    fn write(&self, address: VirtualAddress, _: &[u8]) -> Result<(), MemoryFault> {
        Err(MemoryFault(address))
    }

    fn register(&self, number: u16) -> Option<Vec<u8>> {
        self.wide.get(&number).cloned()
    }

    fn set_register(&self, _: u16, _: &[u8]) -> bool {
        false
    }
}

/// A value as displayed.
pub struct Printed {
    pub words: String,
    /// The type of a value that is text, not data.
    pub as_text: Option<String>,
}

/// Answers questions for an engine.
pub trait Witness {
    fn ask(&mut self, operation: Operation) -> Answer;

    /// Tells the number of frames that the judge has.
    fn agree_on_inlined(&mut self, _frames: usize) {}

    fn stack(&mut self, high: u32) -> Vec<Frame> {
        match self.ask(Operation::Stack { thread: None, low: 0, high: Some(high), most: None }) {
            Answer::Stack(frames) => frames,
            other => panic!("{other:?}"),
        }
    }

    /// Names and values of a frame's variables; unavailable ones as gdb writes them.
    fn variables(&mut self, frame: u32, arguments: bool) -> Vec<(String, String)> {
        let context = Context { thread: None, frame };
        let operation = if arguments { Operation::Arguments(context) } else { Operation::Locals(context) };
        let Answer::Variables(variables) = self.ask(operation) else { return Vec::new() };
        variables.into_iter().map(|Variable { name, value }| (name, shown(&value))).collect()
    }

    fn print(&mut self, frame: u32, expression: &str) -> Result<Printed, String> {
        let context = Context { thread: None, frame };
        match self.ask(Operation::Evaluate { context, expression: expression.to_owned() }) {
            Answer::Data(datum) => Ok(Printed {
                words: format(&datum, &FormatOptions::default()).unwrap_or_else(|e| format!("<<{e}>>")),
                as_text: datum.type_name.strip_suffix(" (as gdb prints it)").map(str::to_owned),
            }),
            Answer::Failed(failure) => Err(failure.message),
            other => panic!("{other:?}"),
        }
    }

    fn type_of(&mut self, frame: u32, expression: &str, expand: bool) -> Result<String, String> {
        let context = Context { thread: None, frame };
        let detail = if expand { model::TypeDetail::Members } else { model::TypeDetail::Name };
        match self.ask(Operation::TypeOf { context, expression: expression.to_owned(), detail }) {
            Answer::Type(text) => Ok(as_gdb_spells(&text)),
            Answer::Failed(failure) => Err(failure.message),
            other => panic!("{other:?}"),
        }
    }
}

/// The gdb engine controls the process itself.
impl Witness for Session {
    fn ask(&mut self, operation: Operation) -> Answer {
        Self::ask(self, 0, operation)
    }
}

/// The native engine, with the facts about a thread that gdb controls.
pub struct Onlooker {
    images: LoadedImages,
    registers: Registers,
    outside: u32,
    access: Access,
}

/// The mappings of a process, read once.
pub fn images(store: &Arc<SymbolStore>, program: &Path, pid: i32) -> LoadedImages {
    let auxiliary = AuxiliaryVector::parse(&std::fs::read(format!("/proc/{pid}/auxv")).unwrap());
    let access = Access { memory: File::open(format!("/proc/{pid}/mem")).unwrap(), wide: BTreeMap::new() };
    let executable = store.open(program).unwrap();
    let link_map = LinkMap::read(&executable, &auxiliary, &access);
    let files = ProcessFiles { executable: program, directory: Path::new("/") };
    LoadedImages::of_process(store, files, &auxiliary, link_map.as_ref(), &access).unwrap().0
}

/// The bytes of a register from gdb's hexadecimal text; of a vector the member that is one number.
fn register_bytes(shown: &str, size: usize) -> Option<Vec<u8>> {
    let number = shown.rsplit_once("uint128 = ").map_or(shown, |(_, rest)| rest.trim_end_matches('}'));
    let number = u128::from_str_radix(number.strip_prefix("0x")?, 16).ok()?;
    number.to_le_bytes().get(..size).map(<[u8]>::to_vec)
}

impl Onlooker {
    pub fn new(judge: &mut Judge, images: &LoadedImages, pid: i32) -> Self {
        let mut registers = Registers::new();
        let mut wide = BTreeMap::new();
        for (name, value) in judge.registers() {
            let Some(row) = register_named(&name).filter(|row| row.name == name) else { continue };
            let Some(bytes) = register_bytes(&value, usize::from(row.size)) else { continue };
            match bytes.first_chunk::<8>() {
                Some(word) if bytes.len() == 8 => registers.set(row.number, u64::from_le_bytes(*word)),
                _ => {}
            }
            wide.insert(row.number, bytes);
        }
        let access = Access { memory: File::open(format!("/proc/{pid}/mem")).unwrap(), wide };
        Self { images: images.clone(), registers, outside: 0, access }
    }
}

impl Witness for Onlooker {
    /// The number of inlined functions beginning here that the thread has not entered depends on its past, which gdb
    /// remembers: take the number that makes the stacks equally long.
    fn agree_on_inlined(&mut self, frames: usize) {
        let most = inlined_at_entry(&self.images, self.registers.pc().unwrap());
        for outside in 0..=most {
            self.outside = outside;
            if self.stack(u32::MAX).len() == frames {
                return;
            }
        }
        self.outside = 0;
    }

    fn ask(&mut self, operation: Operation) -> Answer {
        let thread = StoppedThread {
            images: &self.images,
            registers: self.registers,
            outside: self.outside,
            access: &self.access,
            sources: &SourcePlaces::default(),
        };
        answer(&operation, &thread).expect("an operation that looks")
    }
}

/// The value as in a list of variables, which does not repeat the type.
fn shown(value: &VariableValue) -> String {
    match value {
        VariableValue::Known(datum) => {
            let datum = Datum { type_name: String::new(), ..datum.clone() };
            format(&datum, &FormatOptions::default()).unwrap_or_else(|error| format!("<<{error}>>"))
        }
        VariableValue::Unknown { why, .. } => format!("<{why}>"),
    }
}

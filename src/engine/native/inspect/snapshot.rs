//! Snapshots of stopped threads, inspected outside the tracer thread while the process stays stopped.

use super::StoppedThread;
use super::answer;
use super::thread_view::{called_from, frame_registers, register_bytes};
use crate::native::calls::called_frame::CalledFrame;
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::{Memory, Tid, float_registers};
use crate::native::tracer::phase::not_run;
use crate::source_file::{SourcePlaces, SourceSearch};
use debuginfo::types::MemoryFault;
use debuginfo::{Image, LoadedImages, ReadMemory, Registers, ThreadAccess};
use expr::budget::Budget;
use expr::value_history::{Pages, ValueHistory};
use expr::{EvalError, Expression, ParseCache, PrinterTable, RankPrinters, StoppedAccess, number_note};
use model::{Answer, ErrorCode, Failure, LaunchSpec, Operation, PrintOptions, Printers, VirtualAddress};
use nix::libc::{user_fpregs_struct, user_regs_struct};
use std::cell::Cell;
use std::sync::Arc;

/// EINTR, ERESTARTSYS, ERESTARTNOINTR, ERESTARTNOHAND and ERESTART_RESTARTBLOCK (Linux, `include/linux/errno.h`).
const INTERRUPTED: [i64; 5] = [-4, -512, -513, -514, -516];

/// The state of a stopped thread, and the files and memory of its process.
pub(in crate::native) struct Snapshot {
    images: LoadedImages,
    /// `None` for a process that has ended: only its files' initial values can be read.
    memory: Option<Arc<Memory>>,
    /// The bytes that our traps replace, by address.
    hidden: Arc<[(u64, u8)]>,
    outside: u32,
    /// `None` if the thread is running.
    general: Option<user_regs_struct>,
    floats: Option<user_fpregs_struct>,
    notes: Arc<Pages>,
    expressions: Arc<ParseCache>,
    limits: PrintOptions,
    printers: Arc<Printers>,
    sources: SourcePlaces,
    /// Called functions of the thread that have not returned yet.
    called: Vec<CalledFrame>,
}

/// The outcome of inspecting a snapshot.
pub(in crate::native) enum Seen<T> {
    /// The result.
    Whole(T),
    /// The result, and the changed value history.
    Noted(T, Noted),
    /// Only the tracer thread can do it: it changes the process, or needs more than the snapshot has.
    Beyond,
    /// It has exceeded its budget: others would have to wait too long.
    Long,
    /// These images are needed and not prepared yet.
    Missing(Vec<Arc<Image>>),
}

/// Inspects a thread only to read the debug information that a later operation needs.
pub(in crate::native) type Rehearsal = Arc<dyn Fn(&StoppedThread<'_>) + Send + Sync>;

/// A change of a rank's value history.
pub(in crate::native) struct Noted {
    from: Arc<Pages>,
    to: Arc<Pages>,
}

impl Noted {
    /// Applies the change. False if the value history has changed meanwhile.
    pub(in crate::native) fn take_over(self, value_history: &ValueHistory) -> bool {
        value_history.turn(&self.from, self.to)
    }
}

/// The information kept about a rank whose process has ended.
#[derive(Default)]
pub(crate) struct Remains {
    /// Printed values and convenience variables, which a restarted rank keeps.
    pub(in crate::native) value_history: ValueHistory,
    expressions: Arc<ParseCache>,
    images: LoadedImages,
    sources: SourcePlaces,
    printers: Arc<Printers>,
}

impl Remains {
    /// Takes the files of a process that another engine has debugged.
    pub(crate) fn of_files(images: LoadedImages, spec: &LaunchSpec) -> Self {
        let value_history = ValueHistory::default();
        value_history.limit(spec.settings.print);
        let (sources, printers) = (SourcePlaces::of(spec), Arc::clone(&spec.settings.printers));
        Self { value_history, expressions: Arc::default(), images, sources, printers }
    }

    /// Sets a convenience variable to a number.
    pub(crate) fn note_number(&self, name: &str, value: i32) {
        self.value_history.set_variable(name, number_note(name, value));
    }

    /// Answers a question, reading the debug information that it needs.
    pub(crate) fn answer(&self, operation: &Operation) -> Answer {
        if let Operation::Source(file) = operation {
            return self.sources().answer(file);
        }
        loop {
            match self.look(operation, &Budget::default()) {
                Seen::Whole(answer) => return answer,
                Seen::Noted(answer, noted) => {
                    // Nobody else changes it meanwhile.
                    noted.take_over(&self.value_history);
                    return answer;
                }
                Seen::Missing(images) => images.iter().for_each(|image| image.prepare()),
                Seen::Beyond | Seen::Long => return Answer::Failed(not_run()),
            }
        }
    }

    fn look(&self, operation: &Operation, budget: &Budget) -> Seen<Answer> {
        self.snapshot().look_of_remains(operation, budget)
    }

    /// Returns what finding its source files depends on.
    pub(in crate::native) fn sources(&self) -> SourceSearch {
        self.sources.clone().search(&self.images)
    }

    /// Returns a snapshot of the files, with the initial values of their variables, and the value history.
    pub(in crate::native) fn snapshot(&self) -> Snapshot {
        let (images, notes, limits) = (self.images.clone(), self.value_history.pages(), self.value_history.limits());
        Snapshot {
            images,
            memory: None,
            hidden: Arc::default(),
            outside: 0,
            general: None,
            floats: None,
            notes,
            expressions: Arc::clone(&self.expressions),
            limits,
            printers: Arc::clone(&self.printers),
            sources: self.sources.clone(),
            called: Vec::new(),
        }
    }
}

impl Snapshot {
    /// Performs an operation on what remains of a process that has ended.
    pub(super) fn look_of_remains(&self, operation: &Operation, budget: &Budget) -> Seen<Answer> {
        match look_at_thread(self, operation, budget) {
            Seen::Whole(Answer::Failed(failure)) => Seen::Whole(Answer::Failed(of_remains(failure))),
            seen => seen,
        }
    }

    fn read_of_files(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        let read = self.images.locate(address).map_or(0, |(loaded, at)| loaded.image.file().read_initial(at, into));
        if read == into.len() {
            Ok(())
        } else {
            Err(MemoryFault(VirtualAddress(address.0.saturating_add(read as u64))))
        }
    }

    /// Returns the system call that the thread slept in when it was stopped, and its arguments: the kernel has left one of
    /// the numbers with which it starts the call again, or ends it, when the thread continues.
    pub(super) fn sleeping_call(&self) -> Option<(i64, [u64; 6])> {
        let r = self.general.as_ref()?;
        let is_interrupted = INTERRUPTED.contains(&(r.rax as i64)) && (r.orig_rax as i64) >= 0;
        is_interrupted.then_some((r.orig_rax as i64, [r.rdi, r.rsi, r.rdx, r.r10, r.r8, r.r9]))
    }

    /// Reads a word of the thread's memory.
    pub(super) fn word(&self, address: u64) -> Option<u64> {
        let mut bytes = [0; 8];
        self.memory.as_ref()?.read(address, &mut bytes).ok()?;
        Some(u64::from_le_bytes(bytes))
    }

    /// Returns the files of the process.
    pub(in crate::native) fn images(&self) -> &LoadedImages {
        &self.images
    }

    /// Inspects the snapshot, if all files needed are prepared.
    pub(in crate::native) fn look<T>(&self, budget: &Budget, look: impl FnOnce(&StoppedThread<'_>) -> T) -> Seen<T> {
        let (images, missing) = self.images.only_prepared();
        let value_history = ValueHistory::of(&self.notes, self.limits);
        let printers = RankPrinters::new(&self.printers, &self.expressions);
        let access = Access { snapshot: self, beyond: Cell::new(false), budget, value_history, printers };
        let registers = self.general.map(frame_registers).unwrap_or_default();
        let (outside, sources) = (self.outside, &self.sources);
        let seen = look(&StoppedThread { images: &images, registers, outside, access: &access, sources });
        let missing = missing.images();
        if !missing.is_empty() {
            return Seen::Missing(missing);
        }
        if access.beyond.get() {
            return Seen::Beyond;
        }
        if budget.wants_more() {
            return Seen::Long;
        }
        let to = access.value_history.pages();
        if Arc::ptr_eq(&to, &self.notes) {
            return Seen::Whole(seen);
        }
        Seen::Noted(seen, Noted { from: Arc::clone(&self.notes), to })
    }
}

struct Access<'a> {
    snapshot: &'a Snapshot,
    /// True if more was needed than the snapshot has.
    beyond: Cell<bool>,
    budget: &'a Budget,
    /// A copy: it is not known yet whether its changes will be kept.
    value_history: ValueHistory,
    printers: RankPrinters<'a>,
}

impl ReadMemory for Access<'_> {
    fn called_from(&self, back: VirtualAddress, stack_pointer: VirtualAddress) -> Option<Registers> {
        called_from(&self.snapshot.called, back, stack_pointer)
    }

    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        let Some(memory) = &self.snapshot.memory else { return self.snapshot.read_of_files(address, into) };
        memory.read(address.0, into)?;
        let end = address.0.saturating_add(into.len() as u64);
        let hidden = &self.snapshot.hidden;
        let first = hidden.partition_point(|(at, _)| *at < address.0);
        for (at, byte) in hidden.iter().skip(first).take_while(|(at, _)| *at < end) {
            if let Some(place) = into.get_mut((at - address.0) as usize) {
                *place = *byte;
            }
        }
        Ok(())
    }
}

impl ThreadAccess for Access<'_> {
    fn write(&self, address: VirtualAddress, _: &[u8]) -> Result<(), MemoryFault> {
        self.beyond.set(true);
        Err(MemoryFault(address))
    }

    fn register(&self, number: u16) -> Option<Vec<u8>> {
        let found = register_bytes(number, || self.snapshot.general, || self.snapshot.floats);
        if found.is_none() && self.snapshot.general.is_some() {
            self.beyond.set(true);
        }
        found
    }

    fn signal_information(&self) -> Option<Vec<u8>> {
        self.beyond.set(true);
        None
    }

    fn thread_number(&self) -> Option<u32> {
        self.beyond.set(true);
        None
    }

    fn set_register(&self, _: u16, _: &[u8]) -> bool {
        self.beyond.set(true);
        false
    }
}

impl StoppedAccess for Access<'_> {
    fn value_history(&self) -> Option<&ValueHistory> {
        Some(&self.value_history)
    }

    fn budget(&self) -> Option<&Budget> {
        Some(self.budget)
    }

    fn printers(&self) -> Option<&PrinterTable> {
        self.printers.table()
    }

    fn parse(&self, text: &str) -> Result<Arc<Expression>, EvalError> {
        self.snapshot.expressions.parse(text)
    }

    fn wants_call(&self) {
        self.beyond.set(true);
    }
}

/// Returns the failure of a rank that has ended: its files may not have what is asked for, the rest needs a process.
fn of_remains(failure: Failure) -> Failure {
    match failure.code {
        ErrorCode::NO_SYMBOL
        | ErrorCode::NO_FUNCTION
        | ErrorCode::NO_SOURCE
        | ErrorCode::NO_LINE
        | ErrorCode::MEMORY => failure,
        _ => Failure { code: ErrorCode::NOT_RUN, ..failure },
    }
}

/// Performs an operation on the snapshot of a thread.
pub(in crate::native) fn look_at_thread(snapshot: &Snapshot, operation: &Operation, budget: &Budget) -> Seen<Answer> {
    match snapshot.look(budget, |thread| answer(operation, thread)) {
        Seen::Whole(Some(answer)) => Seen::Whole(answer),
        Seen::Noted(Some(answer), noted) => Seen::Noted(answer, noted),
        Seen::Missing(images) => Seen::Missing(images),
        Seen::Long => Seen::Long,
        Seen::Whole(None) | Seen::Noted(None, _) | Seen::Beyond => Seen::Beyond,
    }
}

impl Inferior {
    /// Keeps what outlives the process, which has ended.
    pub(in crate::native) fn remains(self) -> Remains {
        self.value_history.limit(self.spec.settings.print);
        let (sources, printers) = (SourcePlaces::of(&self.spec), Arc::clone(&self.spec.settings.printers));
        let (value_history, expressions, images) = (self.value_history, self.expressions, self.program.images);
        Remains { value_history, expressions, images, sources, printers }
    }

    /// Takes a snapshot of a thread.
    pub(in crate::native) fn snapshot(&mut self, tid: Tid) -> Snapshot {
        self.snapshots(&[tid], true).pop().unwrap_or_else(|| self.bare_snapshot())
    }

    /// Takes a snapshot of the files and memory, without a thread.
    pub(in crate::native) fn bare_snapshot(&self) -> Snapshot {
        Snapshot {
            images: self.program.images.clone(),
            memory: Some(Arc::clone(self.process.memory())),
            hidden: self.process.address_space().hidden(),
            outside: 0,
            general: None,
            floats: None,
            notes: self.value_history.pages(),
            expressions: Arc::clone(&self.expressions),
            limits: self.spec.settings.print,
            printers: Arc::clone(&self.spec.settings.printers),
            sources: SourcePlaces::of(&self.spec),
            called: Vec::new(),
        }
    }

    /// Takes snapshots of threads, with floating-point registers if `floats` is set; stacks do not need them.
    pub(in crate::native) fn snapshots(&mut self, tids: &[Tid], floats: bool) -> Vec<Snapshot> {
        let hidden = self.process.address_space().hidden();
        let mut snapshots = Vec::with_capacity(tids.len());
        for tid in tids {
            let general = self.process.registers(*tid).ok();
            snapshots.push(Snapshot {
                images: self.program.images.clone(),
                memory: Some(Arc::clone(self.process.memory())),
                hidden: Arc::clone(&hidden),
                outside: general.map_or(0, |registers| self.outside_at(*tid, registers.rip)),
                general,
                floats: general.filter(|_| floats).and_then(|_| float_registers(*tid).ok()),
                notes: self.value_history.pages(),
                expressions: Arc::clone(&self.expressions),
                limits: self.spec.settings.print,
                printers: Arc::clone(&self.spec.settings.printers),
                sources: SourcePlaces::of(&self.spec),
                called: self.left_calls.of(*tid),
            });
        }
        snapshots
    }
}

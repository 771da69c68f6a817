//! From an exec to the program's own code: the files it has mapped, breakpoints in them, libraries that come and go.

use super::place_search::find_all;
use super::program::Program;
use super::unsupported::{unreadable, written_in_go};
use crate::first_stop::no_first_stop;
use crate::native::breakpoints::claims::{Claim, Claims};
use crate::native::breakpoints::evaluated::Placed;
use crate::native::breakpoints::sites::Lookup;
use crate::native::breakpoints::sites::{Wanted, find_sites};
use crate::native::inspect::inferior::Inferior;
use crate::native::inspect::snapshot::Snapshot;
use crate::native::ptrace::{LONGEST, Memory, Tid, decode};
use crate::native::tracer::phase::Phase;
use crate::native::tracer::tracee::Tracee;
use crate::native::tracer::tracer_shared::Tracer;
use crate::native::tracer::tracer_shared::TracerShared;
use crate::process::procfs::{directory, executable, witness};
use debuginfo::types::MemoryFault;
use debuginfo::{
    AuxiliaryVector, Image, ImageError, LinkMap, LoadedImages, ProcessFiles, ReadMemory, SymbolStore, linker_events,
};
use iced_x86::{FlowControl, OpKind, Register};
use model::{
    BreakpointId, Caught, Event, FileAddress, LocationSpec, Severity, Site, SourcePlace, StopAt, VirtualAddress,
    raw_word,
};
use std::path::PathBuf;
use std::sync::Arc;

impl ReadMemory for Memory {
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        Memory::read(self, address.0, into)
    }
}

/// What is known of a program that has just been executed, or was when it came.
pub(in crate::native) struct Fresh {
    images: LoadedImages,
    auxiliary: AuxiliaryVector,
    linker: Vec<VirtualAddress>,
    start: Vec<Site>,
    file: Option<Arc<str>>,
    breakpoints: Vec<(BreakpointId, Placed)>,
    faults: Vec<ImageError>,
    /// Why the program is none for this engine.
    unfit: Option<String>,
}

/// Where the first stop is wanted in an executable.
pub(in crate::native) enum Begin {
    /// Nowhere in this one.
    Nowhere,
    /// In `main`, or in the main program that it calls.
    Main {
        /// Even when no symbol says where that is.
        guess: bool,
    },
    /// At a place.
    Place(Wanted),
    /// At a line of the file that `main` is in.
    Line(u32),
}

/// A number as C writes it.
fn address_in(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn find_start(images: &LoadedImages, begin: &Begin) -> Vec<Site> {
    match begin {
        Begin::Nowhere => Vec::new(),
        Begin::Place(wanted) => find_sites(images, wanted),
        Begin::Line(line) => {
            let main = find_start(images, &Begin::Main { guess: false });
            let file = main.iter().find_map(|site| site.source.as_ref()).map(|place| place.file.to_string());
            let spec = file.map(|file| LocationSpec::FileLine { file, line: *line });
            spec.map(|spec| find_sites(images, &Wanted::Place(spec))).unwrap_or_default()
        }
        Begin::Main { guess } => {
            let Some(program) = images.executable() else { return Vec::new() };
            if let Some(entry) = program.image.entry_points().called_by_main() {
                let main = program.bias.loaded(program.image.after_prologue(entry));
                return vec![crate::native::inspect::site_at(images, main)];
            }
            let only = LoadedImages::new(vec![program.clone()]);
            let found = find_sites(&only, &Wanted::Place(LocationSpec::Function("main".to_owned())));
            if found.is_empty() && *guess {
                // One without a main function stops where it begins.
                let begin = main_of_start(&program.image).unwrap_or_else(|| program.image.file().entry());
                return vec![crate::native::inspect::site_at(images, program.bias.loaded(begin))];
            }
            found
        }
    }
}

/// `main` of a stripped program: what `_start` gives to `__libc_start_main` as its first argument.
fn main_of_start(image: &Image) -> Option<FileAddress> {
    let mut at = image.file().entry();
    for _ in 0..24 {
        let code = image.file().bytes_at(at)?;
        let instruction = decode(code.get(..LONGEST.min(code.len()))?, at.0)?;
        if matches!(instruction.flow_control(), FlowControl::Call | FlowControl::IndirectCall) {
            return None;
        }
        let to_first_argument = instruction.op_count() == 2
            && instruction.op0_kind() == OpKind::Register
            && instruction.op0_register().full_register() == Register::RDI;
        let target = match instruction.op1_kind() {
            OpKind::Memory if instruction.is_ip_rel_memory_operand() => Some(instruction.ip_rel_memory_address()),
            OpKind::Immediate64 | OpKind::Immediate32 | OpKind::Immediate32to64 => Some(instruction.immediate(1)),
            _ => None,
        };
        if let Some(target) = target.filter(|_| to_first_argument) {
            return image.file().bytes_at(FileAddress(target)).map(|_| FileAddress(target));
        }
        at = FileAddress(instruction.next_ip());
    }
    None
}

pub(in crate::native) fn find_images(
    store: &SymbolStore,
    pid: Tid,
    auxiliary: &AuxiliaryVector,
    link_map: Option<&LinkMap>,
    memory: &Memory,
) -> Result<(LoadedImages, Vec<ImageError>), ImageError> {
    let files = ProcessFiles { executable: &executable(pid), directory: &directory(pid) };
    LoadedImages::of_process(store, files, auxiliary, link_map, memory)
}

/// The files of a program that has just been executed.
struct Opened {
    images: LoadedImages,
    faults: Vec<ImageError>,
    auxiliary: AuxiliaryVector,
}

fn open_files(store: &SymbolStore, pid: Tid, memory: &Memory) -> Result<Opened, ImageError> {
    let auxiliary = AuxiliaryVector::parse(&std::fs::read(format!("/proc/{}/auxv", witness(pid))).unwrap_or_default());
    let (images, faults) = find_images(store, pid, &auxiliary, None, memory)?;
    Ok(Opened { images, faults, auxiliary })
}

fn look_into(opened: Opened, begin: &Begin, lookups: Vec<Lookup>, process: &Snapshot) -> Fresh {
    let Opened { images, faults, auxiliary } = opened;
    let start = find_start(&images, begin);
    let main = if start.is_empty() { find_start(&images, &Begin::Main { guess: false }) } else { Vec::new() };
    let place = start.iter().chain(&main).find_map(|site| site.source.as_ref());
    let unfit = if matches!(begin, Begin::Main { .. }) { written_in_go(&images, &start) } else { None };
    Fresh {
        unfit,
        linker: linker_events(&images, &auxiliary),
        file: place.map(|place: &SourcePlace| Arc::clone(&place.file)),
        breakpoints: find_all(lookups, &images, process),
        start,
        images,
        auxiliary,
        faults,
    }
}

impl Inferior {
    fn is_program_itself(&self, pid: Tid) -> bool {
        let running = executable(pid);
        let named = PathBuf::from(raw_word(&self.spec.program));
        running.file_name() == std::fs::canonicalize(&named).unwrap_or(named).file_name()
    }
}

impl Tracee {
    /// The process has become another program.
    pub(in crate::native) fn executed(&mut self, shared: &mut TracerShared, tid: Tid) {
        let rank = self.rank;
        shared.owners.retain(|other, owner| *owner != rank || *other == tid);
        shared.owners.insert(tid, rank);
        self.stepping.end(&mut self.inferior, &mut self.breakpoints);
        self.breakpoints.claims = Claims::default();
        self.inferior.left_calls.clear();
        self.breakpoints.unreported.clear();
        self.held.clear();
        self.awaiting.clear();
        self.breakpoints.uncaught.clear();
        for breakpoint in self.breakpoints.points.values_mut() {
            breakpoint.sites.clear();
            breakpoint.refused.clear();
            breakpoint.watch = None;
        }
        self.inferior.current = tid;
        self.failure = None;
        let first = self.inferior.program.generation == 0;
        if !first {
            self.report(shared, Event::Executed(executable(tid).display().to_string()));
        }
        self.inferior.program = Program {
            generation: self.inferior.program.generation + 1,
            version: self.inferior.program.version + 1,
            loading: 1,
            ..Program::default()
        };
        if let Some(thread) = self.inferior.process.thread_mut(tid) {
            thread.parked = true;
        }
        let begin = self.wanted_begin(first);
        self.find_beginning(shared, begin, move |tracee, shared, fresh| tracee.begin(shared, tid, fresh));
    }

    /// Finds the files of the process and all that is wanted in them, beside the tracer thread; `then` gets it unless the
    /// process has become another program.
    pub(in crate::native) fn find_beginning(
        &mut self,
        shared: &mut TracerShared,
        begin: Begin,
        then: impl FnOnce(&mut Tracee, &mut TracerShared, Result<Fresh, ImageError>) + Send + 'static,
    ) {
        let (rank, pid, generation) = (self.rank, self.inferior.process.pid(), self.inferior.program.generation);
        let (store, memory) = (Arc::clone(&shared.store), Arc::clone(self.inferior.process.memory()));
        shared.later(move || {
            let opened = open_files(&store, pid, &memory);
            Box::new(move |tracer: &mut Tracer| {
                tracer.with(rank, |tracee, shared| {
                    if tracee.inferior.program.generation == generation {
                        match opened {
                            Ok(opened) => tracee.look_for_beginning(shared, opened, begin, then),
                            Err(error) => then(tracee, shared, Err(error)),
                        }
                    }
                });
            })
        });
    }

    fn look_for_beginning(
        &mut self,
        shared: &mut TracerShared,
        opened: Opened,
        begin: Begin,
        then: impl FnOnce(&mut Tracee, &mut TracerShared, Result<Fresh, ImageError>) + Send + 'static,
    ) {
        let (rank, generation) = (self.rank, self.inferior.program.generation);
        let (lookups, process) = (self.breakpoints.lookups(&self.inferior), self.inferior.bare_snapshot());
        let files: Vec<_> = opened.images.iter().map(|loaded| Arc::clone(&loaded.image)).collect();
        shared.when_ready(files, move || {
            let fresh = look_into(opened, &begin, lookups, &process);
            Box::new(move |tracer: &mut Tracer| {
                tracer.with(rank, |tracee, shared| {
                    if tracee.inferior.program.generation == generation {
                        then(tracee, shared, Ok(fresh));
                    }
                });
            })
        });
    }

    /// Where the first stop is wanted in the program that the process is now; `first`: the one it was started as.
    pub(in crate::native) fn wanted_begin(&self, first: bool) -> Begin {
        match &self.inferior.spec.stop_at {
            _ if !self.starting => Begin::Nowhere,
            StopAt::Nowhere => Begin::Nowhere,
            // A script's interpreter is run through; a stripped program that was named itself is not.
            StopAt::Main => {
                Begin::Main { guess: first && self.inferior.is_program_itself(self.inferior.process.pid()) }
            }
            StopAt::Location(LocationSpec::Line(line)) => Begin::Line(*line),
            StopAt::Location(LocationSpec::Address(text)) => {
                // No thread can be asked yet for the value of an expression.
                address_in(text).map_or(Begin::Nowhere, |address| Begin::Place(Wanted::Address(address)))
            }
            StopAt::Location(spec) => Begin::Place(Wanted::Place(spec.clone())),
        }
    }

    /// The files of a fresh program are known: it may begin.
    fn begin(&mut self, shared: &mut TracerShared, tid: Tid, fresh: Result<Fresh, ImageError>) {
        self.inferior.program.loading = 0;
        match fresh {
            Ok(fresh) => self.set_up(shared, fresh),
            Err(error) => self.refuse(shared, unreadable(&error)),
        }
        if self.is_refused(tid) {
            return self.unpark(shared, tid);
        }
        if self.phase == Phase::Waiting {
            self.phase = Phase::Running;
            if self.starting && self.inferior.spec.stop_at == StopAt::Nowhere {
                self.starting = false;
                self.breakpoints.arm_pending(&mut self.inferior, &mut shared.outbox.of(self.control, self.rank));
                self.report(shared, Event::Running);
            }
        }
        if self.phase == Phase::Running && !self.starting && self.inferior.program.generation > 1 {
            let caught = Caught::Executed(executable(tid).display().to_string());
            if self.catch(shared, tid, &caught) {
                if let Some(thread) = self.inferior.process.thread_mut(tid) {
                    thread.parked = false;
                }
                return self.check_halted(shared);
            }
        }
        self.unpark(shared, tid);
    }

    pub(in crate::native) fn set_up(&mut self, shared: &mut TracerShared, mut fresh: Fresh) {
        if let Some(why) = fresh.unfit.take() {
            fresh.start.clear();
            self.refuse(shared, why);
        }
        self.inferior.program.images = fresh.images;
        self.inferior.program.auxiliary = fresh.auxiliary;
        self.inferior.program.file = fresh.file;
        for fault in fresh.faults {
            self.report(shared, Event::Message(Severity::Warning, fault.to_string()));
        }
        let starts = fresh.start.iter().filter_map(|site| site.address).map(|address| (address, Claim::Start));
        for (address, claim) in starts {
            if let Err(failure) = self.breakpoints.claims.add(&mut self.inferior.process, address.0, claim) {
                self.report(shared, Event::Message(Severity::Warning, failure.message));
            }
        }
        let has_linker = !fresh.linker.is_empty();
        self.inferior.program.libraries.hooks = fresh.linker;
        let comes_with_library = matches!(
            self.inferior.spec.stop_at,
            StopAt::Location(LocationSpec::Function(_) | LocationSpec::FileLine { .. })
        );
        if !has_linker || !comes_with_library {
            self.miss_start(shared);
        }
        self.breakpoints.place_all(
            &mut self.inferior,
            &mut shared.outbox.of(self.control, self.rank),
            fresh.breakpoints,
        );
        self.place_latecomers(shared);
        self.update_hook(shared);
    }

    /// Breakpoints that were set while files were being looked for.
    pub(in crate::native) fn place_latecomers(&mut self, shared: &mut TracerShared) {
        let pending: Vec<_> = self
            .breakpoints
            .lookups(&self.inferior)
            .into_iter()
            .filter(|lookup| {
                self.breakpoints.points.get(&lookup.id).is_some_and(|breakpoint| breakpoint.sites.is_empty())
            })
            .collect();
        if pending.is_empty() || self.inferior.program.images.iter().next().is_none() {
            return;
        }
        let (rank, version, images) = (self.rank, self.inferior.program.version, self.inferior.program.images.clone());
        let generation = self.inferior.program.generation;
        self.inferior.program.placing += 1;
        let (process, files) = (self.inferior.bare_snapshot(), self.inferior.program.images.clone());
        shared.when_ready(files.iter().map(|loaded| Arc::clone(&loaded.image)), move || {
            let found = find_all(pending, &images, &process);
            Box::new(move |tracer: &mut Tracer| {
                tracer.with(rank, |tracee, shared| {
                    if tracee.inferior.program.generation != generation {
                        return;
                    }
                    if tracee.inferior.program.version == version {
                        let found = found.into_iter().filter(|(_, placed)| *placed != Placed::default()).collect();
                        tracee.breakpoints.place_all(
                            &mut tracee.inferior,
                            &mut shared.outbox.of(tracee.control, tracee.rank),
                            found,
                        );
                    }
                    tracee.inferior.program.placing -= 1;
                    tracee.check_halted(shared);
                });
            })
        });
    }

    pub(in crate::native) fn unpark(&mut self, shared: &mut TracerShared, tid: Tid) {
        if let Some(thread) = self.inferior.process.thread_mut(tid) {
            thread.parked = false;
        }
        if self.phase == Phase::Running {
            self.carry_on(tid, 0);
        }
        self.check_halted(shared);
    }

    /// Says of each file once that its debug information is damaged, when that has come out.
    pub(in crate::native) fn tell_damage(&mut self, shared: &mut TracerShared) {
        let files = self.inferior.program.images.iter().map(|loaded| &loaded.image);
        let damaged = files.filter_map(|image| Some((image.index(), image.damage()?)));
        let new: Vec<_> = damaged.filter(|(index, _)| !self.inferior.program.damaged.contains(index)).collect();
        for (index, fault) in new {
            self.inferior.program.damaged.insert(index);
            self.report(shared, Event::Message(Severity::Warning, fault.to_string()));
        }
    }

    /// Says that the place of the first stop is nowhere, now that the program and the libraries it is linked with have
    /// been looked through.
    pub(in crate::native) fn miss_start(&self, shared: &mut TracerShared) {
        let StopAt::Location(place) = &self.inferior.spec.stop_at else { return };
        let waits = self.breakpoints.claims.any(|claim| *claim == Claim::Start);
        if !self.starting || waits {
            return;
        }
        let program = self.inferior.images().executable().map_or("the program", |program| &program.name);
        let message = no_first_stop(place, program);
        self.report(shared, Event::Message(Severity::Warning, message));
    }

    /// The place of the first stop came with a library.
    pub(in crate::native) fn place_start(&mut self, sites: &[Site]) {
        for address in sites.iter().filter_map(|site| site.address) {
            let known = self.breakpoints.claims.at(address.0).contains(&Claim::Start);
            if !known && self.starting {
                // What cannot be inserted is said of breakpoints; the program runs on without this stop.
                let _ = self.breakpoints.claims.add(&mut self.inferior.process, address.0, Claim::Start);
            }
        }
    }
}

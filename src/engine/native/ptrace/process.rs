//! One process under ptrace(2): its threads, its memory, the breakpoint instructions in it.

use super::debug_registers::DebugRegisters;
use super::inserted_breakpoints::InsertedBreakpoints;
use super::requests::{self, Status, Tid};
use super::thread::{Activity, Changed, Thread};
use crate::process::memory::Memory;
use crate::process::thread_signal::send_signal;
use debuginfo::types::MemoryFault;
use model::{ThreadId, VirtualAddress};
use nix::errno::Errno;
use nix::libc::{self, user_regs_struct};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::cell::OnceCell;
use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::sync::Arc;

/// What a status means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observation {
    /// Arrived at a breakpoint of ours; the program counter is its address again.
    Breakpoint(u64),
    /// Did the one instruction it was resumed for.
    Stepped,
    /// Accessed places that the debug registers watch.
    Watched {
        /// A bit for each.
        places: u64,
        /// That was the one instruction it was resumed for.
        stepped: bool,
    },
    /// Is about to get this signal.
    Signal(i32),
    /// Stopped because it was asked to, or with its process by a stop signal, or began; nothing else happened.
    Halted,
    /// Nothing that matters: resume it.
    Nothing,
    /// It is about to report something, and not to be resumed.
    Soon,
    /// Created a thread.
    Cloned(Tid),
    /// Created a process.
    Forked {
        /// The new process.
        child: Tid,
        /// In the memory of its parent, until it executes or ends.
        shares_memory: bool,
    },
    /// Became another program; no other thread is left.
    Executed,
    /// A thread ended, or is about to.
    ThreadEnded,
    /// The process ended with a code.
    Exited(i32),
    /// The process was ended by a signal.
    Killed(i32),
}

/// One process.
#[derive(Debug)]
pub struct Process {
    pid: Tid,
    /// Shared with those who read while the tracer does something else; another one after an exec.
    pub(super) memory: Arc<Memory>,
    pub(super) threads: BTreeMap<Tid, Thread>,
    pub(super) sites: InsertedBreakpoints,
    /// What the debug registers of its threads are to be.
    pub debug: DebugRegisters,
    threads_seen: u32,
    /// Its first thread is ours, or was.
    has_first: bool,
    /// Statuses that came while one thread was being waited for.
    pub(super) early: VecDeque<(Tid, Status)>,
    /// What happened without the kernel saying so.
    pub(super) made: VecDeque<(Tid, Observation)>,
    /// Code that has just been read, and from where: whoever wants it next need not read it again.
    pub(super) seen_code: Option<(u64, Vec<u8>)>,
    /// A `syscall` instruction in the process, once looked for.
    pub(super) gate: OnceCell<Option<u64>>,
    /// The parent, stopped, while this process is in its memory.
    pub(super) suspended: Option<Box<Process>>,
}

impl Process {
    /// A process that was just seized, with its first thread.
    pub fn new(pid: Tid) -> io::Result<Self> {
        Self::of_threads(pid, &BTreeMap::from([(pid, ThreadId(1))]))
    }

    /// A process that was just seized, with its threads and their numbers.
    pub fn of_threads(pid: Tid, threads: &BTreeMap<Tid, ThreadId>) -> io::Result<Self> {
        let running = |(tid, number): (&Tid, &ThreadId)| (*tid, Thread::new(*tid, *number, Activity::Running));
        Ok(Self {
            pid,
            memory: Arc::new(Memory::open(pid)?),
            threads: threads.iter().map(running).collect(),
            sites: InsertedBreakpoints::default(),
            debug: DebugRegisters::default(),
            threads_seen: threads.len() as u32,
            has_first: threads.contains_key(&pid),
            early: VecDeque::new(),
            made: VecDeque::new(),
            seen_code: None,
            gate: OnceCell::new(),
            suspended: None,
        })
    }

    /// Its id.
    pub fn pid(&self) -> Tid {
        self.pid
    }

    /// Its memory as it is, traps included.
    pub fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    /// Its threads by kernel number.
    pub fn threads(&self) -> impl Iterator<Item = &Thread> {
        self.threads.values()
    }

    /// Its threads by kernel number.
    pub fn threads_mut(&mut self) -> impl Iterator<Item = &mut Thread> {
        self.threads.values_mut()
    }

    /// A thread by kernel number.
    pub fn thread(&self, tid: Tid) -> Option<&Thread> {
        self.threads.get(&tid)
    }

    /// A thread by kernel number.
    pub fn thread_mut(&mut self, tid: Tid) -> Option<&mut Thread> {
        self.threads.get_mut(&tid)
    }

    /// A thread by the user's number.
    pub fn thread_numbered(&self, number: ThreadId) -> Option<&Thread> {
        self.threads.values().find(|thread| thread.number == number)
    }

    /// So many threads it has had: the next one is numbered after them.
    pub(super) fn threads_seen(&mut self, count: u32) {
        self.threads_seen = count;
    }

    /// A thread that [`Observation::Cloned`] named.
    pub fn add_thread(&mut self, tid: Tid) {
        self.threads_seen += 1;
        self.threads.insert(tid, Thread::new(tid, ThreadId(self.threads_seen), Activity::Beginning));
    }

    /// A status of one of its threads that came before the thread was known.
    pub fn hand_over(&mut self, tid: Tid, status: Status) {
        self.early.push_back((tid, status));
    }

    /// A process that runs in this memory for a while (vfork(2)) is at a trap: it passes, whoever's breakpoint it is.
    pub fn pass_companion(&mut self, tid: Tid) {
        self.threads.insert(tid, Thread::new(tid, ThreadId(0), Activity::Stopped));
        let signal = match self.trapped(tid, false) {
            Observation::Signal(signal) => signal,
            _ => 0,
        };
        if let Some(thread) = self.threads.get_mut(&tid) {
            thread.passes = true;
        }
        self.resume(tid, super::thread::Pace::Run, signal);
        self.threads.remove(&tid);
    }

    /// Asks every running thread to stop.
    pub fn interrupt_all(&self) {
        self.threads.values().for_each(Thread::interrupt);
    }

    /// Asks one running thread to stop.
    pub fn interrupt(&self, tid: Tid) {
        if let Some(thread) = self.threads.get(&tid) {
            thread.interrupt();
        }
    }

    /// Whether no thread executes or is about to.
    pub fn is_stopped(&self) -> bool {
        !self.threads.values().any(Thread::is_under_way)
    }

    /// What has been held back: to be dealt with before new statuses.
    pub fn take_early(&mut self) -> Option<(Tid, Observation)> {
        if let Some(made) = self.made.pop_front() {
            return Some(made);
        }
        let (tid, status) = self.early.pop_front()?;
        Some((tid, self.observe(tid, status)))
    }

    /// Takes note of a status of one of its threads.
    pub fn observe(&mut self, tid: Tid, status: Status) -> Observation {
        self.forget_code();
        match status {
            Status::Exited(_) | Status::Killed(_) if tid != self.pid => {
                let had_first = self.has_first;
                self.threads.remove(&tid);
                // Nobody else tells how a process ends whose first thread is not ours.
                return match status {
                    Status::Exited(code) if !had_first && self.threads.is_empty() => Observation::Exited(code),
                    Status::Killed(signal) if !had_first && self.threads.is_empty() => Observation::Killed(signal),
                    _ => Observation::ThreadEnded,
                };
            }
            Status::Exited(code) => {
                self.free_parent();
                self.threads.clear();
                return Observation::Exited(code);
            }
            Status::Killed(signal) => {
                self.free_parent();
                self.threads.clear();
                return Observation::Killed(signal);
            }
            Status::Other => return Observation::Nothing,
            Status::Stopped(_) | Status::Event(..) => {}
        }
        let Some(thread) = self.threads.get_mut(&tid) else { return Observation::ThreadEnded };
        if matches!(status, Status::Event(libc::PTRACE_EVENT_STOP, _))
            && thread.activity == Activity::Running
            && requests::has_pending_trap(tid)
            && requests::resume(tid, 0).is_ok()
        {
            // It executes nothing before it reports the trap, which then is what it stopped for.
            return Observation::Soon;
        }
        thread.activity = Activity::Stopped;
        thread.registers = None;
        (thread.changed, thread.settled) = (Changed::Nothing, false);
        thread.takes_signal = matches!(status, Status::Stopped(_));
        let stepping = std::mem::take(&mut thread.stepping);
        match status {
            Status::Stopped(libc::SIGTRAP) => self.trapped(tid, stepping),
            Status::Stopped(signal) => Observation::Signal(signal),
            Status::Event(libc::PTRACE_EVENT_STOP, signal) => {
                thread.group_stopped = signal != libc::SIGTRAP;
                Observation::Halted
            }
            Status::Event(event, _) => self.event(tid, event),
            Status::Exited(_) | Status::Killed(_) | Status::Other => Observation::Nothing,
        }
    }

    fn event(&mut self, tid: Tid, event: i32) -> Observation {
        let message = requests::event_message(tid).unwrap_or(0) as Tid;
        match event {
            libc::PTRACE_EVENT_CLONE => Observation::Cloned(message),
            libc::PTRACE_EVENT_FORK => Observation::Forked { child: message, shares_memory: false },
            libc::PTRACE_EVENT_VFORK => Observation::Forked { child: message, shares_memory: true },
            libc::PTRACE_EVENT_EXEC => {
                self.executed(tid);
                Observation::Executed
            }
            libc::PTRACE_EVENT_EXIT => {
                if let Some(thread) = self.threads.get_mut(&tid) {
                    thread.activity = Activity::Ending;
                }
                let _ = requests::resume(tid, 0);
                Observation::ThreadEnded
            }
            _ => Observation::Nothing,
        }
    }

    /// The thread that executed has the number of the process now, whichever it was; the others are gone.
    fn executed(&mut self, tid: Tid) {
        self.free_parent();
        self.threads = BTreeMap::from([(tid, Thread::new(tid, ThreadId(1), Activity::Stopped))]);
        (self.threads_seen, self.has_first) = (1, true);
        self.sites = self.sites.of_next_program();
        self.debug = DebugRegisters::default();
        self.gate = OnceCell::new();
        self.early.clear();
        self.made.clear();
        if let Ok(memory) = Memory::open(self.pid) {
            self.memory = Arc::new(memory);
        }
    }

    /// The registers of a stopped thread as the program sees them: never in a slot of ours.
    pub fn registers(&mut self, tid: Tid) -> Result<user_regs_struct, Errno> {
        let thread = self.threads.get_mut(&tid).ok_or(Errno::ESRCH)?;
        if let Some(registers) = thread.registers {
            return Ok(registers);
        }
        if thread.activity != Activity::Stopped {
            return Err(Errno::ESRCH);
        }
        let registers = requests::registers(tid)?;
        let Some(outside) = self.sites.outside_of_slots(&self.memory, registers.rip) else {
            thread.registers = Some(registers);
            return Ok(registers);
        };
        thread.move_to(registers, outside);
        // It was passing the breakpoint there and still is.
        thread.passes |= self.sites.contains(outside);
        Ok(user_regs_struct { rip: outside, ..registers })
    }

    /// Changes the registers of a stopped thread.
    pub fn set_registers(&mut self, tid: Tid, mut registers: user_regs_struct) -> Result<(), Errno> {
        let before = self.registers(tid)?;
        let thread = self.threads.get_mut(&tid).ok_or(Errno::ESRCH)?;
        if before.rip != registers.rip {
            thread.passes = false;
            // A system call that was interrupted is not to be restarted from elsewhere.
            registers.orig_rax = u64::MAX;
        }
        thread.put(registers);
        Ok(())
    }

    /// Sends a signal to one thread (tgkill(2)).
    pub fn send(&self, tid: Tid, signal: i32) {
        send_signal(self.pid, tid, signal);
    }

    /// Ends the process.
    pub fn kill(&self) {
        // To the process: its first thread may have ended. One that is gone has been killed already.
        let _ = kill(Pid::from_raw(self.pid), Signal::SIGKILL);
    }

    /// Lets go of a stopped process: breakpoints out, threads out of slots, signals delivered.
    pub fn release(&mut self) {
        self.sites.lift_all(&self.memory);
        let tids: Vec<Tid> = self.threads.keys().copied().collect();
        for tid in tids {
            let _ = self.registers(tid);
            self.debug.clear(tid);
            if let Some(thread) = self.threads.get_mut(&tid) {
                let _ = thread.flush();
                let signal = thread.deferred_signal.take().unwrap_or(0);
                let _ = requests::detach(tid, signal);
            }
        }
        self.threads.clear();
        self.free_parent();
    }

    /// Puts a breakpoint in, or counts one more who wants it. Threads may be running.
    pub fn insert_site(&mut self, address: u64) -> Result<(), MemoryFault> {
        self.sites.insert(&self.memory, address)
    }

    /// Counts one less who wants the breakpoint, and takes it out with the last.
    pub fn remove_site(&mut self, address: u64) {
        self.sites.remove(&self.memory, address);
    }

    /// Puts traps back that are not there any more: the memory has been replaced.
    pub fn replant(&mut self, addresses: &[u64]) {
        self.sites.replant(&self.memory, addresses);
    }

    /// Whether a breakpoint of ours is there.
    pub fn has_site(&self, address: u64) -> bool {
        self.sites.contains(address)
    }

    /// Forgets breakpoints in memory that was unmapped.
    pub fn forget_sites(&mut self, gone: impl Fn(u64) -> bool) {
        self.sites.forget(gone);
    }

    /// Takes our breakpoints out of a forked copy of the memory.
    pub fn clean_copy(&self, child: Tid) {
        if let Ok(copy) = Memory::open(child) {
            self.sites.clean(&copy);
        }
    }

    /// Reads memory without our breakpoints; as much as can be read.
    pub fn read_some(&self, address: u64, into: &mut [u8]) -> usize {
        let done = self.memory.read_some(address, into);
        self.sites.hide(address, into.get_mut(..done).unwrap_or_default());
        done
    }

    /// Reads memory without our breakpoints.
    pub fn read(&self, address: u64, into: &mut [u8]) -> Result<(), MemoryFault> {
        let done = self.read_some(address, into);
        let first = VirtualAddress(address.wrapping_add(done as u64));
        if done == into.len() { Ok(()) } else { Err(MemoryFault(first)) }
    }

    /// Puts what our breakpoints hide into bytes that were read from an address.
    pub fn hide(&self, address: u64, bytes: &mut [u8]) {
        self.sites.hide(address, bytes);
    }

    /// The code at an address is this, and stays so for as long as nobody runs.
    pub fn note_code(&mut self, address: u64, code: &[u8]) {
        self.seen_code = Some((address, code.to_vec()));
    }

    /// Somebody may run.
    pub fn forget_code(&mut self) {
        self.seen_code = None;
    }

    /// What our breakpoints hide, by address.
    pub fn hidden(&self) -> Arc<[(u64, u8)]> {
        self.sites.hidden().collect()
    }

    /// Writes memory; our breakpoints stay in.
    pub fn write(&mut self, address: u64, data: &[u8]) -> Result<(), MemoryFault> {
        self.forget_code();
        // All or nothing: what is not there is found before anything is changed.
        self.memory.read(address, &mut vec![0; data.len()])?;
        let mut bytes = data.to_vec();
        self.sites.keep(address, &mut bytes);
        self.memory.write(address, &bytes)
    }
}

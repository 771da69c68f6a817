//! Core files of stopped ranks: their registers are read on the tracer thread, their memory on a thread that writes the
//! files. Until then everything else that is asked of these ranks waits, except what ends or interrupts the writing.

use crate::core_file::{CoreFault, CoreThread, StoppedProcess, write_core};
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::{Tid, extended_state, signal_bytes, stop_signal};
use crate::native::tracer::outbox::Answers;
use crate::native::tracer::phase::Phase;
use crate::native::tracer::query_queue::Task;
use crate::native::tracer::tracer_shared::{Member, Request, Tracer};
use expr::budget::Allowance;
use model::{Answer, Operation, ProcessSet, Rank, TransactionId};
use nix::libc::user_regs_struct;
use std::thread::Builder;

/// A rank whose core file is to be written.
type Wanted = (Rank, StoppedProcess, Allowance);

impl Inferior {
    /// Reads the threads of the process; the current one comes first.
    fn stopped_process(&mut self) -> StoppedProcess {
        let current = self.current;
        let mut tids: Vec<_> = self.process.threads().iter().map(|thread| (thread.number, thread.tid)).collect();
        tids.sort_unstable_by_key(|(number, tid)| (*tid != current, *number));
        let threads = tids.into_iter().filter_map(|(_, tid)| self.core_thread(tid)).collect();
        let hidden = self.process.address_space().hidden();
        StoppedProcess::new(self.process.pid(), threads, self.process.memory().clone(), hidden)
    }

    /// Reads the state of a thread; `None` for one that is about to end.
    fn core_thread(&mut self, tid: Tid) -> Option<CoreThread> {
        let general = words(&self.process.registers(tid).ok()?);
        let delivery = self.process.thread(tid).map_or(0, |thread| thread.delivery);
        // A thread that was only stopped with the others has no signal.
        let stopped_for = stop_signal(tid);
        let information = stopped_for.and_then(|_| signal_bytes(tid).ok());
        let signal = if delivery == 0 { stopped_for.unwrap_or(0) } else { delivery };
        Some(CoreThread::new(tid, general, extended_state(tid).unwrap_or_default(), (signal, information)))
    }
}

/// Returns the registers in the order of the structure.
fn words(registers: &user_regs_struct) -> [u64; 27] {
    let r = registers;
    [
        r.r15, r.r14, r.r13, r.r12, r.rbp, r.rbx, r.r11, r.r10, r.r9, r.r8, r.rax, r.rcx, r.rdx, r.rsi, r.rdi,
        r.orig_rax, r.rip, r.cs, r.eflags, r.rsp, r.ss, r.fs_base, r.gs_base, r.ds, r.es, r.fs, r.gs,
    ]
}

impl Tracer {
    /// Writes core files of ranks, one after the other.
    pub(in crate::native) fn write_cores(&mut self, tid: TransactionId, ranks: &ProcessSet, directory: String) {
        let mut answers = Answers::default();
        let (mut wanted, mut ended): (Vec<Wanted>, ProcessSet) = Default::default();
        for rank in ranks.iter() {
            let tracee = self.ranks.get_mut(&rank).and_then(Member::tracee);
            let Some(tracee) = tracee.filter(|tracee| tracee.phase != Phase::Ended) else {
                ended.insert(rank);
                continue;
            };
            match tracee.phase.require_stopped() {
                Ok(()) => {
                    let process = tracee.inferior.stopped_process();
                    wanted.push((rank, process, self.queries.allowance(rank)));
                }
                Err(failure) => answers.add(rank, Answer::Failed(failure)),
            }
        }
        self.shared.outbox.answers(tid, answers);
        let busy: ProcessSet = wanted.iter().map(|(rank, ..)| *rank).collect();
        self.queries.begin(Task::Look, &busy);
        let (requests, waker) = (self.shared.requests.clone(), self.shared.waker.clone());
        let work = {
            let directory = directory.clone();
            move || {
                for (rank, process, allowance) in wanted {
                    let written = write_core(&process, rank, &directory, &|| allowance.is_stopped());
                    let answer = written.map_or_else(|fault| Answer::Failed(fault.into()), Answer::CoreWritten);
                    let one = ProcessSet::one(rank);
                    let report = Box::new(move |tracer: &mut Tracer| tracer.wrote_cores(tid, one, answer));
                    // The tracer has ended if nobody receives it.
                    let _ = requests.send(Request::Continue(report));
                    waker.wake();
                }
            }
        };
        if !busy.is_empty()
            && let Err(error) = Builder::new().name("cores".to_owned()).spawn(work)
        {
            self.wrote_cores(tid, busy, Answer::Failed(CoreFault::NoThread(error).into()));
        }
        if !ended.is_empty() {
            self.carry_out(tid, &ended, Operation::WriteCore(directory));
        }
    }

    fn wrote_cores(&mut self, tid: TransactionId, ranks: ProcessSet, answer: Answer) {
        self.shared.outbox.answer(tid, ranks.clone(), answer);
        let held = self.queries.end(Task::Look, &ranks);
        held.into_iter().for_each(|query| self.query(query));
    }
}

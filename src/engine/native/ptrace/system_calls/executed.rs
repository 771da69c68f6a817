//! System calls that a stopped thread is made to execute.

use crate::native::ptrace::observation::PendingReports;
use crate::native::ptrace::process::Process;
use crate::native::ptrace::requests::{self, Status, Tid};
use crate::process::thread_signal::send_signal;
use nix::libc::{self, c_long, user_regs_struct};

impl Process {
    /// Makes a stopped thread execute a system call and returns its result. The registers are restored.
    pub(in crate::native::ptrace) fn system_call(
        &mut self,
        tid: Tid,
        number: c_long,
        arguments: [u64; 6],
    ) -> Option<u64> {
        self.put_off_call(tid).ok()?;
        let before = self.registers(tid).ok()?;
        let gate = self.space.gate()?;
        let [rdi, rsi, rdx, r10, r8, r9] = arguments;
        let call = user_regs_struct {
            rip: gate,
            rax: number as u64,
            orig_rax: u64::MAX,
            rdi,
            rsi,
            rdx,
            r10,
            r8,
            r9,
            ..before
        };
        let mut forestalled = Vec::new();
        let outcome = requests::set_registers(tid, call)
            .ok()
            .and_then(|()| step_at_gate(tid, gate, &mut forestalled, &mut self.pending));
        // Sent again, to be handled when the thread is resumed.
        forestalled.into_iter().for_each(|signal| send_signal(self.pid(), tid, signal));
        if let Some(thread) = self.thread_mut(tid) {
            thread.put(before);
        }
        outcome
    }
}

/// Returns `rax` after the single instruction; keeps the signals that arrived first.
fn step_at_gate(tid: Tid, gate: u64, forestalled: &mut Vec<i32>, pending: &mut PendingReports) -> Option<u64> {
    for _ in 0..16 {
        requests::step(tid, 0).ok()?;
        match requests::await_status(tid).ok()? {
            Status::Stopped(libc::SIGTRAP) => {
                let after = requests::registers(tid).ok()?;
                return (after.rip != gate).then_some(after.rax);
            }
            // A stop requested earlier that another one preceded: nothing waits for it.
            Status::Event(libc::PTRACE_EVENT_STOP, _) => {}
            Status::Stopped(signal) => forestalled.push(signal),
            other => {
                pending.add_status(tid, other);
                return None;
            }
        }
    }
    None
}

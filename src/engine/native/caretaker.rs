//! What becomes of processes that were there before us when we are killed: the kernel lets them go on, with our traps in
//! them, and a trap that nobody takes ends a process. While all of a process stands still its traps are out of it. For one
//! that runs there is a caretaker, a shell that lives on and puts back what the traps hide.

use super::host::{Host, Member};
use super::trace::{Process, Tid};
use super::tracee::Phase;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};

/// Each line has a process, and the addresses of its traps with what they hide, in octal digits. The end of the input
/// without a word comes when whoever holds the other end is killed. `dd` finds addresses in `/proc/PID/mem` (proc(5)).
const SCRIPT: &str = r#"
processes=
while IFS=' ' read -r pid traps; do
    [ "$pid" = over ] && exit 0
    eval "traps_$pid=\$traps"
    case "$processes " in *" $pid "*) ;; *) processes="$processes $pid" ;; esac
done
for pid in $processes; do
    eval "traps=\$traps_$pid"
    for trap in $traps; do
        at=${trap%:*}
        for memory in /proc/"$pid"/task/*/mem; do
            there=$(dd if="$memory" bs=1 skip="$at" count=1 2>/dev/null | od -An -to1 | tr -d ' ')
            [ "$there" = 314 ] && printf "\\${trap#*:}" | dd of="$memory" bs=1 seek="$at" conv=notrunc 2>/dev/null
            # Of a thread that has ended there is none.
            [ -n "$there" ] && break
        done
    done
done
"#;

/// The shell, once there is something to take care of, and what it has been told of each process.
#[derive(Debug, Default)]
pub(super) struct Caretaker {
    shell: Option<(Child, ChildStdin)>,
    told: BTreeMap<Tid, u64>,
}

impl Caretaker {
    /// Tells of a process, if anything has changed since the last time.
    fn tell(&mut self, process: &Process) -> io::Result<()> {
        let (version, traps) = process.traps();
        let known = self.told.get(&process.pid());
        if known == Some(&version) {
            return Ok(());
        }
        let mut line = process.pid().to_string();
        for (address, hidden) in traps {
            let _ = write!(line, " {address}:{hidden:03o}");
        }
        if known.is_none() && !line.contains(' ') {
            return Ok(());
        }
        self.told.insert(process.pid(), version);
        self.say(&line)
    }

    /// Forgets all but these.
    fn keep(&mut self, there: impl Fn(Tid) -> bool) -> io::Result<()> {
        let gone: Vec<Tid> = self.told.keys().copied().filter(|pid| !there(*pid)).collect();
        for pid in gone {
            self.told.remove(&pid);
            self.say(&pid.to_string())?;
        }
        Ok(())
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        if self.shell.is_none() {
            let mut command = Command::new("/bin/sh");
            command.args(["-c", SCRIPT]).current_dir("/").process_group(0).stdin(Stdio::piped());
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
            let input = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
            self.shell = Some((child, input));
        }
        let Some((_, input)) = &mut self.shell else { return Ok(()) };
        input.write_all(format!("{line}\n").as_bytes())
    }
}

impl Drop for Caretaker {
    /// Nothing of ours is in any process.
    fn drop(&mut self) {
        if let Some((mut child, mut input)) = self.shell.take() {
            // One that has ended was told nothing it could have done.
            let _ = input.write_all(b"over\n");
            drop(input);
            let _ = child.wait();
        }
    }
}

impl Host {
    /// Traps of guests are out while these stand still, and known to somebody else while they run.
    pub(super) fn care_for_guests(&mut self) {
        let Self { ranks, caretaker, .. } = self;
        let mut outcome = Ok(());
        let mut there = Vec::new();
        for tracee in ranks.values_mut().filter_map(Member::tracee).filter(|tracee| tracee.guest) {
            if tracee.phase == Phase::Stopped && tracee.process.is_stopped() {
                tracee.process.rest();
            }
            there.push(tracee.process.pid());
            outcome = outcome.and_then(|()| caretaker.tell(&tracee.process));
        }
        let outcome = outcome.and_then(|()| caretaker.keep(|pid| there.contains(&pid)));
        if let Err(error) = outcome {
            tracing::warn!("nobody takes care of attached processes should this server be killed: {error}");
        }
    }
}

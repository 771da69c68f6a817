//! `why` on ranks that wait for something else than messages: threads, children, files, and the kernel.

use crate::support::batch::Place;
use crate::support::build;
use crate::support::live::Live;
use crate::support::marks::line;
use crate::support::wait::wait_for;
use serde_json::Value;

const SOURCE: &str = "waits.c";

/// Looks until an answer is as wanted: a rank may be late on a busy host.
const MOST_LOOKS: usize = 60;

struct Job {
    live: Live,
    place: Place,
}

impl Job {
    fn start() -> Self {
        let program = build::build("gcc", SOURCE, &["-g", "-O0", "-pthread", "-w"]);
        let place = Place::new();
        let locked = place.path().join("locked");
        let arguments = ["run", "-n", "7", "--", program.to_str().unwrap(), locked.to_str().unwrap()];
        let mut live = Live::start(&place, &arguments);
        live.until_stopped("0-6");
        live.run("go");
        Self { live, place }
    }

    /// The function of the kernel in which a process sleeps that cannot be stopped, if the kernel tells it.
    fn function_of_kernel(&self) -> String {
        let of = |pid: i32| {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            stat.rsplit_once(") ")?.1.starts_with('D').then_some(())?;
            std::fs::read_to_string(format!("/proc/{pid}/wchan")).ok()
        };
        let name = wait_for("a process in state D", || self.place.processes().into_iter().find_map(of));
        let is_told = !matches!(name.trim(), "" | "0");
        if is_told { format!(", in {}", name.trim()) } else { String::new() }
    }

    /// Looks at a rank until the answer fits.
    #[track_caller]
    fn check(&mut self, rank: u32, fits: impl Fn(&str) -> bool) {
        let mut text = String::new();
        for _ in 0..MOST_LOOKS {
            for line in ["[0-5] go", "wait for 0.05", "[0-5] halt", "[0-5] wait"] {
                self.live.run(line);
            }
            let answer = self.live.run(&format!("[{rank}] why")).into_iter().find(|object| object["type"] == "why");
            let lines = answer.unwrap_or_default()["text"].as_array().cloned().unwrap_or_default();
            text = lines.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n");
            if text.lines().any(|line| line.starts_with(&format!("rank {rank} ")) && fits(line)) {
                return;
            }
        }
        panic!("rank {rank}: {text}");
    }
}

fn at(mark: &str) -> String {
    format!("({SOURCE}:{})", line(SOURCE, mark))
}

#[test]
fn waits_outside_of_mpi_say_for_whom() {
    let mut job = Job::start();
    let thread = format!("its thread 2, which is in pause {}.", at("holder"));
    let mutex = format!("rank 0 is in pthread_mutex_lock {}, held by {thread}", at("mutex"));
    job.check(0, |line| line == mutex);
    let join = format!("rank 1 is in pthread_join {}, for {thread}", at("join"));
    job.check(1, |line| line == join);
    // glibc's waitpid jumps to wait4.
    let child = format!(" {}, for its child, process ", at("child"));
    job.check(2, |line| line.starts_with("rank 2 is in wait") && line.contains(&child) && line.ends_with(" (sleep)."));
    let pipe = format!("rank 3 is in read {}, on descriptor ", at("pipe"));
    job.check(3, |line| line.starts_with(&pipe) && line.ends_with(", a pipe."));
    let locked = job.place.path().join("locked");
    let lock = format!("rank 5 is in fcntl {}, on a lock of {}, held by ", at("lock"), locked.display());
    job.check(5, |line| line == format!("{lock}rank 4."));
    // The parent of vfork(2) is in state D until the child ends.
    let function = job.function_of_kernel();
    let kernel = format!("rank 6 is in the kernel and cannot be stopped{function}.");
    job.check(6, |line| line == kernel);
    job.live.run("kill");
    job.live.end();
}

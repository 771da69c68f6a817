//! Detached ranks outlive their session, though servers read what they write.

use crate::support::batch::Place;
use crate::support::live::Live;
use crate::support::process::{is_alive, parent_of};
use crate::support::wait::wait_for;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs;
use std::path::PathBuf;

/// Notes in a file of its own each time that it could write to standard error, and ends when it cannot.
const PROGRAM: &str = "while echo tick >&2; do echo >> \"$0/$RANKSCOPE_RANK.$$\"; sleep 0.01; done";

/// A process of a rank.
struct Ticking {
    pid: u32,
    notes: PathBuf,
}

impl Ticking {
    /// Waits for the one process of a rank that is alive.
    #[track_caller]
    fn of(place: &Place, rank: u32) -> Self {
        wait_for(&format!("a process of rank {rank}"), || {
            let notes = fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().path());
            notes.into_iter().find_map(|notes| {
                let (of, pid) = notes.file_name()?.to_str()?.split_once('.')?;
                let pid = pid.parse().ok().filter(|pid| is_alive(*pid) && of == rank.to_string())?;
                Some(Self { pid, notes: notes.clone() })
            })
        })
    }

    fn count(&self) -> u64 {
        self.notes.metadata().unwrap().len()
    }

    #[track_caller]
    fn goes_on(&self) {
        let before = self.count();
        wait_for("more notes", || {
            assert!(is_alive(self.pid), "it has ended");
            (self.count() > before + 3).then_some(())
        });
    }
}

impl Drop for Ticking {
    fn drop(&mut self) {
        let _ = kill(Pid::from_raw(self.pid as i32), Signal::SIGKILL);
    }
}

fn started(place: &Place, engine: &str) -> (Live, Ticking, Ticking) {
    let directory = place.path().display().to_string();
    let words = ["-n", "2", "--engine", engine, "--stop-at", "none", "--", "/bin/sh", "-c", PROGRAM, &directory];
    let live = Live::start(place, &[&["run"], &words[..]].concat());
    let ranks = [0, 1].map(|rank| Ticking::of(place, rank));
    let [zero, one] = ranks;
    (live, zero, one)
}

fn all_outlive_it(engine: &str) {
    let place = Place::new();
    let (mut live, zero, one) = started(&place, engine);
    live.run("[all] detach");
    assert_eq!(live.end(), 0);
    zero.goes_on();
    one.goes_on();
}

#[test]
fn ranks_that_were_detached_outlive_their_session() {
    all_outlive_it("native");
}

#[test]
fn ranks_that_were_detached_by_gdb_outlive_their_session() {
    all_outlive_it("gdb");
}

fn one_outlives_it(engine: &str) {
    let place = Place::new();
    let (mut live, zero, one) = started(&place, engine);
    live.run("[0] detach");
    assert_eq!(live.end(), 0);
    zero.goes_on();
    assert!(!is_alive(one.pid));
}

#[test]
fn a_rank_that_was_detached_outlives_those_that_are_killed() {
    one_outlives_it("native");
}

#[test]
fn a_rank_that_was_detached_by_gdb_outlives_those_that_are_killed() {
    one_outlives_it("gdb");
}

#[test]
fn a_rank_that_was_detached_outlives_a_restart_and_does_not_disturb_the_next_job() {
    let place = Place::new();
    let (mut live, zero, one) = started(&place, "native");
    live.run("[0] detach");
    live.run("restart");
    assert!(!is_alive(one.pid));
    zero.goes_on();
    let first = parent_of(zero.pid);
    drop(zero);
    wait_for("the end of the first job's server", || (!is_alive(first)).then_some(()));
    let again = Ticking::of(&place, 1);
    again.goes_on();
    let said = live.run("status");
    let groups = &said.iter().find(|object| object["type"] == "status").unwrap()["groups"];
    assert_eq!((&groups[0]["ranks"], &groups[0]["state"]), (&"0-1".into(), &"running".into()), "{said:?}");
    assert_eq!(live.end(), 0);
    assert!(!is_alive(again.pid));
}

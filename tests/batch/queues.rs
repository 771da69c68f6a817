//! `queues` shows the message queues of an imaginary MPI, read by the library that it names.

use crate::support::batch::{Outcome, Place};
use crate::support::build::build;
use crate::support::marks::line;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// The MPI and the program that uses it, with the queue library beside the MPI.
struct Job {
    program: PathBuf,
    directory: PathBuf,
}

impl Job {
    fn new(options: &[&str]) -> Self {
        let mpi = build("gcc", "mpi_queued.c", &[&["-shared", "-fPIC", "-O0"], options].concat());
        let library = build("gcc", "queue_library.c", &["-shared", "-fPIC", "-O1"]);
        let directory = mpi.parent().unwrap().to_owned();
        let copy = |name: &str| {
            let (to, part) =
                (directory.join(name), directory.join(format!("{name}.{:?}", std::thread::current().id())));
            fs::copy(&library, &part).unwrap();
            // Another test may have the file loaded.
            fs::rename(part, to).unwrap();
        };
        copy("libqueue_library.so");
        copy("../libelsewhere.so");
        let own = directory.to_str().unwrap();
        let (path, search) = (format!("-Wl,-rpath,{own}"), format!("-L{own}"));
        let program = build("gcc", "queued.c", &["-g", "-O0", &search, "-lmpi_queued", &path]);
        Self { program, directory }
    }

    /// Runs commands on ranks that wait, each with a fault in its queues.
    #[track_caller]
    fn run(&self, options: &[&str], faults: &str, commands: &str) -> Outcome {
        let (ranks, program) = (faults.len().to_string(), self.program.to_str().unwrap());
        let start = ["run", "--timeout", "80", "--keep-going", "--batch", "-", "-n", &ranks];
        let job = [program, self.directory.to_str().unwrap(), faults];
        let waiting = line("mpi_queued.c", "for ever");
        let elsewhere = line("queued.c", "elsewhere");
        let way = format!("break mpi_queued.c:{waiting}\nbreak queued.c:{elsewhere}\ngo\nwait\n");
        // Without debug information the MPI has no lines.
        let way = if options.contains(&"stripped") { "go\nwait for 0.1\nhalt\nwait\n".to_owned() } else { way };
        let options: Vec<&str> = options.iter().copied().filter(|option| *option != "stripped").collect();
        Place::new().run(&[&start[..], &options, &job].concat(), &format!("{way}{commands}"))
    }
}

fn pointers<'a>(object: &'a Value, paths: &[&str]) -> Vec<&'a Value> {
    paths.iter().map(|path| object.pointer(path).unwrap_or(&Value::Null)).collect()
}

#[test]
fn queues_of_ranks_are_merged() {
    let job = Job::new(&["-g"]);
    let outcome = job.run(&["--json"], "....", "queues\nqueues 2\n").expect(0);
    let answers = outcome.of("queues");
    let [all, one] = answers.as_slice() else { panic!("{}", outcome.text) };
    let library = fs::canonicalize(job.directory.join("libqueue_library.so")).unwrap();
    assert_eq!(
        pointers(all, &["/ranks", "/library", "/version"]),
        ["0-3", library.to_str().unwrap(), "imaginary queues 1.0"]
    );
    let names: Vec<&Value> = all["communicators"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["MPI_COMM_WORLD", "MPI_COMM_SELF", "row", "row"]);
    // The communicators of even and odd ranks are two.
    let row = &all["communicators"][2];
    assert_eq!(
        pointers(row, &["/ranks", "/group/0", "/group/1", "/size"]),
        [&"0,2".into(), &2.into(), &0.into(), &2.into()] as [&Value; 4]
    );
    let received = row["operations"].as_array().unwrap();
    let peers: Vec<_> = received
        .iter()
        .map(|one| pointers(one, &["/ranks", "/queue", "/peer", "/peer_rank", "/tag", "/length", "/buffer"]))
        .collect();
    assert_eq!(received.len(), 2, "{row}");
    assert_eq!(
        peers[0][..6],
        [&"0".into(), &"receive".into(), &0.into(), &2.into(), &7.into(), &40.into()] as [&Value; 6]
    );
    assert!(peers[0][6].as_str().is_some_and(|buffer| buffer.starts_with("0x")), "{row}");
    let world = &all["communicators"][0];
    assert_eq!(
        pointers(world, &["/operations/0/queue", "/operations/1/queue", "/operations/1/peer"]),
        [&"unexpected".into(), &"send".into(), &2.into()] as [&Value; 3]
    );
    assert_eq!(pointers(one, &["/ranks", "/communicators/2/ranks"]), ["2", "2"]);
}

#[test]
fn why_knows_the_members_of_communicators_from_the_queues() {
    let job = Job::new(&["-g"]);
    let outcome = job.run(&["--json"], "....", "delete\ngo\nhalt\nwait\nwhy\n").expect(0);
    let answers = outcome.of("why");
    let [why] = answers.as_slice() else { panic!("{}", outcome.text) };
    // Without them, the peers are known as ranks of `row` only.
    let edges = why["edges"].as_array().unwrap();
    let edges: Vec<_> = edges.iter().map(|one| pointers(one, &["/from", "/to", "/communicator", "/source"])).collect();
    assert_eq!(edges, [["0", "2", "row", "queues"], ["1", "3", "row", "queues"], ["2", "0", "row", "queues"]], "{why}");
    assert_eq!(why["guilty"], "0,2", "{why}");
}

#[test]
fn a_queue_library_that_fails_only_costs_the_answer() {
    let job = Job::new(&["-g"]);
    // The letters are those of the program; the last two ranks show that ranks after a crash are still read.
    let outcome = job.run(&[], "..c.xlkvrtmen.", "queues 0-2,4-13\nwhere -limit 1\n");
    let text = &outcome.text;
    println!("{text}");
    let library = fs::canonicalize(job.directory.join("libqueue_library.so")).unwrap();
    let library = library.display();
    let named = |name: &str| format!("{}", job.directory.join(name).display());
    for line in [
        format!("[2] error: {library} crashed (SIGSEGV); it runs in a process of its own, so the rank is as it was"),
        format!("[4] error: {library} ended its process (exit code 3); the rank is as it was"),
        format!("[8] error: {library} failed in mqs_setup_process: unknown"),
        format!("[9] error: no message queues: {library} finds no queued_unheard_of in the debug information of "),
        format!("[10] error: {}, the message-queue library of the MPI, does not exist: ", named("libnone.so")),
        format!("[11] error: {} is not loaded: it is not in the directory of ", named("../libelsewhere.so")),
        "[12] error: the program names no message-queue library (MPIR_dll_name): ".to_owned(),
        format!("[5-6] read by {library} (imaginary queues 1.0); there are more, not shown"),
        "[5]   receive from any, tag 7, 40 bytes, 10000 times".to_owned(),
    ] {
        assert!(text.lines().any(|shown| shown.starts_with(&line)), "{line}\n{text}");
    }
    assert!(text.contains(&format!("[0-1,7,13] read by {library}")), "{text}");
    // The ranks are where they were.
    assert!(text.lines().any(|shown| shown.starts_with("[0-2,4-13] #0  MPI_Recv")), "{text}");
}

#[test]
fn a_library_that_hangs_is_killed_and_one_that_was_set_is_loaded() {
    let job = Job::new(&["-g"]);
    let elsewhere = job.directory.join("../libelsewhere.so");
    let script = format!(
        "queues 0\n[1] queues\nset queue-library {}\n[1] queues\nset queue-library none\n",
        elsewhere.display()
    );
    let text = job.run(&[], "he", &script).text;
    println!("{text}");
    assert!(text.contains("made no progress for 3 s and was killed; the rank is as it was"), "{text}");
    assert!(text.contains(&format!("[1] read by {} (imaginary queues 1.0)", elsewhere.display())), "{text}");
    assert!(text.contains("queue-library: \"none\" is not an absolute path"), "{text}");
}

#[test]
fn an_mpi_without_debug_information_says_what_to_install() {
    let job = Job::new(&["-s"]);
    let text = job.run(&["stripped"], "..", "queues\n").text;
    let mpi: &Path = &job.directory.join("libmpi_queued.so");
    let wanted = format!(
        "needs the types of {}, which has no debug information; install the debug symbols of the MPI",
        mpi.display()
    );
    assert!(text.contains("[0-1] error: no message queues: ") && text.contains(&wanted), "{text}");
}

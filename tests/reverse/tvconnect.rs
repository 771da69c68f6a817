//! `tvconnect` as a batch script sees it: its messages, exit status and files.

use crate::support::connect::{Requests, TVCONNECT, end};
use crate::support::process::Guard;
use crate::support::wait::wait_for;
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, Uid, chown, geteuid};
use rankscope::protocol::reverse::{ConnectRequest, ConnectResponse};
use rankscope::protocol::{Hello, Listener, Reply, Request, Role, SessionCommand, SessionEvent, SessionKey};
use std::{
    fs::{self, Permissions},
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::{Command, Stdio},
};

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn signal(process: &Guard, signal: Signal) {
    kill(Pid::from_raw(process.0.id() as i32), signal).unwrap();
}

#[test]
fn a_program_that_cannot_be_run_asks_nobody() {
    let requests = Requests::new();
    let script = requests.base.path().join("script");
    fs::write(&script, "#!/bin/sh\n").unwrap();
    chmod(&script, 0o644);
    for (program, status, said) in [
        ("/nowhere/at/all", 127, "no such file"),
        ("no-such-program-anywhere", 127, "not found in PATH"),
        (script.to_str().unwrap(), 126, "not executable"),
        ("/", 126, "it is a directory"),
    ] {
        let (code, words) = end(requests.ask(&[], &[program]));
        assert_eq!(code, status, "{words}");
        assert!(words.starts_with("tvconnect: ") && words.contains(program) && words.contains(said), "{words}");
    }
    assert!(!requests.path().exists());
    for wrong in [&[][..], &["--wait", "soon", "true"], &["--strange", "true"]] {
        let status = Command::new(TVCONNECT).args(wrong).stderr(Stdio::null()).status().unwrap();
        assert_eq!(status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn an_unsafe_directory_is_not_used() {
    let requests = Requests::new();
    let refused = |said: &str| {
        let (code, words) = end(requests.ask(&[], &["true"]));
        assert_eq!(code, 5, "{words}");
        assert!(words.contains(said) && words.contains(requests.path().to_str().unwrap()), "{words}");
    };
    let real = requests.base.path().join("real");
    fs::create_dir(&real).unwrap();
    chmod(&real, 0o700);
    symlink(&real, requests.path()).unwrap();
    refused("symbolic links are not followed");
    fs::remove_file(requests.path()).unwrap();
    fs::create_dir(requests.path()).unwrap();
    for mode in [0o770, 0o720, 0o705] {
        chmod(&requests.path(), mode);
        refused("chmod 700");
    }
    if geteuid().is_root() {
        chmod(&requests.path(), 0o700);
        chown(&requests.path(), Some(Uid::from_raw(12345)), None).unwrap();
        refused("belongs to user 12345");
    }
    fs::remove_dir(requests.path()).unwrap();
    fs::write(requests.path(), "").unwrap();
    refused("is not a directory");
}

#[test]
fn it_says_once_what_it_waits_for_and_ends_when_its_time_is_over() {
    let requests = Requests::new();
    let (code, words) = end(requests.ask(&["--wait", "0.01"], &["true", "x y"]));
    assert_eq!(code, 4, "{words}");
    let lines: Vec<&str> = words.lines().collect();
    assert!(
        matches!(lines[..], [waits, over] if waits.contains("debugger for true x y")
        && waits.contains(requests.path().to_str().unwrap()) && over.contains("no front end answered")),
        "{words}"
    );
    let (code, words) = end(requests.ask(&["--quiet", "--wait", "0"], &["true"]));
    assert_eq!((code, words.lines().count()), (4, 1), "{words}");
    assert!(requests.files().is_empty());
    assert_eq!(fs::metadata(requests.path()).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn the_directory_is_that_of_the_environment() {
    let requests = Requests::new();
    let named = requests.base.path().join("named");
    let mut command = Command::new(TVCONNECT);
    command.args(["--wait", "0", "true"]).stderr(Stdio::null()).env("HOME", requests.base.path());
    assert_eq!(command.env_remove("TV_REVERSE_CONNECT_DIR").status().unwrap().code(), Some(4));
    assert!(requests.base.path().join(".totalview/connect").is_dir());
    assert_eq!(command.env("TV_REVERSE_CONNECT_DIR", &named).status().unwrap().code(), Some(4));
    assert!(named.is_dir());
}

#[test]
fn a_request_says_all_and_holds_no_environment() {
    let requests = Requests::new();
    let mut command = requests.command(&["--label", "night\u{1b}[2J"], &["sleep", "5"]);
    command.env("SLURM_JOB_ID", "4711").env("SECRET_TOKEN", "do-not-tell").current_dir("/usr");
    let waiting = Guard::spawn(&mut command);
    let (id, request) = requests.of(&waiting);
    let file = requests.path().join(id.request_file());
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(&file).unwrap();
    assert!(!text.contains("do-not-tell") && !text.contains("SECRET"), "{text}");
    let ConnectRequest { program, arguments, directory, jobs, label, pid, .. } = request;
    assert_eq!((program.as_str(), arguments.as_slice(), directory.as_str()), ("sleep", &["5".to_owned()][..], "/usr"));
    assert_eq!((pid, label.as_deref()), (waiting.0.id(), Some("night\u{1b}[2J")));
    assert!(matches!(&jobs[..], [job] if job.system == "slurm" && job.id == "4711"));
    assert!(requests.reject(&id, Some("enough\u{1b}[2J")));
    let (code, words) = end(waiting);
    assert_eq!(code, 3, "{words}");
    assert!(words.contains("request rejected: enough\\u{1b}[2J") && !words.contains('\u{1b}'), "{words:?}");
    assert!(requests.files().is_empty());
}

#[test]
fn signals_take_the_request_back() {
    for (number, status) in [(Signal::SIGINT, 130), (Signal::SIGTERM, 143), (Signal::SIGHUP, 129)] {
        let requests = Requests::new();
        let waiting = requests.ask(&["--quiet"], &["true"]);
        requests.of(&waiting);
        signal(&waiting, number);
        assert_eq!(end(waiting), (status, String::new()));
        assert!(requests.files().is_empty(), "{number}: {:?}", requests.files());
    }
}

#[test]
fn a_signal_that_was_ignored_stays_so() {
    let requests = Requests::new();
    let asking = requests.command(&["--quiet"], &["true"]);
    let mut nohup = Command::new("nohup");
    nohup.arg(asking.get_program()).args(asking.get_args()).env("XDG_RUNTIME_DIR", requests.base.path());
    nohup.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let waiting = Guard::spawn(&mut nohup);
    let (id, _) = requests.of(&waiting);
    signal(&waiting, Signal::SIGHUP);
    requests.reject(&id, None);
    let (code, words) = end(waiting);
    assert_eq!(code, 3, "{words}");
    assert!(words.contains("tvconnect: request rejected\n"), "{words}");
}

#[test]
fn a_file_that_is_no_answer_does_not_end_the_wait() {
    let requests = Requests::new();
    let waiting = requests.ask(&[], &["true"]);
    let (id, _) = requests.of(&waiting);
    let file = requests.path().join(id.response_file());
    let aside = requests.path().join(".aside");
    fs::write(&aside, "{\"format\": 1, \"answer\": \"acc").unwrap();
    chmod(&aside, 0o600);
    fs::rename(&aside, &file).unwrap();
    wait_for("the file to be cleared away", || (!file.exists()).then_some(()));
    assert!(requests.reject(&id, Some("now really")));
    let (code, words) = end(waiting);
    assert_eq!(code, 3, "{words}");
    assert!(words.contains("invalid answer") && words.contains("now really"), "{words}");
}

#[test]
fn a_full_disk_is_waited_for() {
    let requests = Requests::new();
    let full = requests.base.path().join("full");
    fs::create_dir(&full).unwrap();
    let script = "mount -t tmpfs -o size=16k,mode=700 full \"$1\" || exit 99
        dd if=/dev/zero of=\"$1/filling\" bs=1k 2>/dev/null
        \"$0\" --connect-dir \"$1\" --wait 20 true & waiting=$!
        until grep -q 'No space left' \"$2\"; do sleep 0.01; done
        rm \"$1/filling\"
        until ls \"$1\" | grep -q request.json; do sleep 0.01; done
        kill $waiting; wait $waiting; echo status $? >&2; ls \"$1\" >&2";
    let errors = requests.base.path().join("errors");
    let mut command = Command::new("unshare");
    // An unprivileged user may mount only in a user namespace.
    let namespaces = if geteuid().is_root() { "-m" } else { "-rm" };
    command.args([namespaces, "sh", "-c", script, TVCONNECT]).arg(&full).arg(&errors);
    command.stdin(Stdio::null()).stderr(fs::File::create(&errors).unwrap());
    let mut process = Guard::spawn(&mut command);
    let status = process.wait();
    let words = fs::read_to_string(&errors).unwrap();
    assert_ne!(status.code(), Some(99), "this test needs a small disk, and nothing can be mounted here: {words}");
    let lines: Vec<&str> = words.lines().collect();
    assert_eq!(lines.last(), Some(&"status 143"), "{words}");
    assert!(words.contains("usable again"), "{words}");
}

#[test]
fn two_hundred_requests_each_get_their_own_answer() {
    const MANY: usize = 200;
    let requests = Requests::new();
    let waiting: Vec<Guard> = (0..MANY).map(|_| requests.ask(&["--quiet"], &["true"])).collect();
    wait_for("all requests", || (requests.ids().len() == MANY).then_some(()));
    for process in &waiting {
        let (id, request) = requests.of(process);
        assert!(requests.reject(&id, Some(&format!("for {}", request.pid))));
    }
    for process in waiting {
        let wanted = format!("tvconnect: request rejected: for {}\n", process.0.id());
        assert_eq!(end(process), (3, wanted));
    }
    assert!(requests.files().is_empty(), "{:?}", requests.files());
}

fn acceptance(port: u16, key: &SessionKey) -> ConnectResponse {
    ConnectResponse::Accept { host: "here".into(), addresses: vec!["127.0.0.1".into()], port, key: key.clone() }
}

#[test]
fn a_front_end_that_is_gone_is_said_to_be_out_of_reach() {
    let requests = Requests::new();
    let waiting = requests.ask(&["--quiet"], &["true"]);
    let (id, _) = requests.of(&waiting);
    // A port that was free a moment ago.
    let port = crate::support::ports::free_port();
    assert!(requests.answer(&id, &acceptance(port, &SessionKey::generate().unwrap())));
    let (code, words) = end(waiting);
    assert_eq!(code, 6, "{words}");
    assert!(words.contains(&format!("127.0.0.1:{port}")) && words.contains("refused"), "{words}");
    assert!(requests.files().is_empty());
}

/// A front end with many addresses: at some nobody listens, at one another program stays silent.
#[tokio::test]
async fn every_address_of_the_front_end_is_tried() {
    let requests = Requests::new();
    let mut waiting = requests.ask(&["--quiet"], &["true"]);
    let (id, _) = requests.of(&waiting);
    let key = SessionKey::generate().unwrap();
    let listener = Listener::tcp("127.0.0.8:0").await.unwrap();
    let port = listener.port().unwrap();
    let silent = std::net::TcpListener::bind(("127.0.0.2", port)).unwrap();
    let addresses = ["127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5", "127.0.0.6", "127.0.0.8"];
    let addresses = addresses.map(str::to_owned).to_vec();
    let accept = ConnectResponse::Accept { host: "here".into(), addresses, port, key: key.clone() };
    assert!(requests.answer(&id, &accept));
    let arrival = listener.accept().await.unwrap();
    let connection = arrival.establish(Some(&key), &Hello::new(Role::FrontEnd)).await.unwrap();
    assert_eq!(connection.hello().unwrap().role, Role::Master);
    silent.set_nonblocking(true).unwrap();
    assert!(silent.accept().is_ok(), "the one that says nothing was passed over");
    drop(connection);
    assert_eq!(waiting.wait().code(), Some(0));
}

#[test]
fn every_address_that_was_tried_in_vain_is_named() {
    let requests = Requests::new();
    let waiting = requests.ask(&["--quiet"], &["true"]);
    let (id, _) = requests.of(&waiting);
    let port = crate::support::ports::free_port();
    let addresses = vec!["127.0.0.1".to_owned(), "::1".to_owned(), "nowhere.invalid".to_owned()];
    let key = SessionKey::generate().unwrap();
    assert!(requests.answer(&id, &ConnectResponse::Accept { host: "here".into(), addresses, port, key }));
    let (code, words) = end(waiting);
    assert_eq!(code, 6, "{words}");
    for address in [format!("127.0.0.1:{port}"), format!("[::1]:{port}"), format!("nowhere.invalid:{port}")] {
        assert!(words.contains(&address), "{words}");
    }
}

#[tokio::test]
async fn an_accepted_request_becomes_the_master_of_a_session() {
    let requests = Requests::new();
    let mut command = requests.command(&["--quiet"], &["true"]);
    let mut waiting = Guard::spawn(command.env("MARK", "kept").current_dir("/usr"));
    let (id, request) = requests.of(&waiting);
    let key = SessionKey::generate().unwrap();
    let listener = Listener::tcp("127.0.0.1:0").await.unwrap();
    assert!(requests.answer(&id, &acceptance(listener.port().unwrap(), &key)));
    let arrival = listener.accept().await.unwrap();
    let connection = arrival.establish(Some(&key), &Hello::new(Role::FrontEnd)).await.unwrap();
    assert_eq!(connection.hello().unwrap().role, Role::Master);
    assert!(requests.files().is_empty(), "{:?}", requests.files());

    let process = format!("/proc/{}", request.pid);
    let read = |name: &str| String::from_utf8_lossy(&fs::read(format!("{process}/{name}")).unwrap()).into_owned();
    assert_eq!(read("comm"), "rankscope-sdm\n");
    assert!(read("environ").contains("MARK=kept"));
    assert_eq!(fs::read_link(format!("{process}/cwd")).unwrap(), Path::new("/usr"));
    let secret: String = key.bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(!read("cmdline").contains(&secret) && !read("environ").contains(&secret));
    // It is still busy: it writes the key file, and starts threads with signals blocked for a moment.
    wait_for("the key not to be open any more", || {
        let mut descriptors = fs::read_dir(format!("{process}/fd")).unwrap().flatten();
        let is_key = |path: std::path::PathBuf| path.to_string_lossy().contains("key");
        let open = descriptors.any(|entry| fs::read_link(entry.path()).is_ok_and(is_key));
        (!open).then_some(())
    });
    wait_for("signals not to be blocked any more", || {
        read("status").contains("SigBlk:\t0000000000000000").then_some(())
    });

    let (sender, mut receiver) = connection.split::<Request, Reply>();
    let tid = rankscope::model::TransactionId(1);
    sender.send(&Request::Session { tid, command: SessionCommand::Quit { kill: true } }).unwrap();
    let ended = receiver.receive().await.unwrap();
    assert_eq!(ended, Some(Reply::Session { tid, event: SessionEvent::Ended }));
    assert!(waiting.wait().success());
    assert_eq!(fs::read_dir(requests.base.path().join("rankscope")).unwrap().count(), 0, "the session left its files");
}

use super::*;
use nix::fcntl::AT_FDCWD;
use nix::sys::stat::{UtimensatFlags, utimensat};
use nix::sys::time::TimeSpec;
use protocol::reverse::ConnectResponse;
use std::os::unix::fs::PermissionsExt;

const SECOND: Duration = Duration::from_secs(1);

struct Place {
    base: tempfile::TempDir,
    scanner: Scanner,
    wall: SystemTime,
    at: Instant,
}

impl Place {
    fn new() -> Self {
        let base = tempfile::tempdir().unwrap();
        let path = base.path().join("connect");
        ConnectDirectory::make(&path).unwrap();
        // Whole seconds, as some file systems store them.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        let wall = UNIX_EPOCH + Duration::from_secs(since);
        Self { scanner: Scanner::new(path), base, wall, at: Instant::now() }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.base.path().join("connect").join(name)
    }

    fn put(&self, name: &str, text: &[u8]) {
        std::fs::write(self.file(name), text).unwrap();
        std::fs::set_permissions(self.file(name), std::fs::Permissions::from_mode(0o600)).unwrap();
    }

    /// Writes a request that was created and last touched `ago` seconds ago.
    fn ask(&self, name: &str, request: &ConnectRequest, ago: u64) {
        let when = self.wall - Duration::from_secs(ago);
        let time = when.duration_since(UNIX_EPOCH).unwrap().as_secs();
        let name = format!("{name}.request.json");
        self.put(&name, &ConnectRequest { time, ..request.clone() }.print());
        self.touch(&name, ago as i64);
    }

    fn touch(&self, name: &str, ago: i64) {
        let seconds = self.wall.duration_since(UNIX_EPOCH).unwrap().as_secs() as i64 - ago;
        let time = TimeSpec::new(seconds, 0);
        utimensat(AT_FDCWD, &self.file(name), &time, &time, UtimensatFlags::NoFollowSymlink).unwrap();
    }

    /// Scans `after` seconds after the beginning.
    fn scan(&mut self, after: u64) -> Vec<ListedRequest> {
        self.scanner.scan(self.wall + after as u32 * SECOND, self.at + after as u32 * SECOND).unwrap()
    }

    fn states(&mut self, after: u64) -> Vec<(String, Option<NotAcceptable>)> {
        self.scan(after).into_iter().map(|listed| (listed.id.to_string(), listed.fault)).collect()
    }
}

/// Returns a request of another host, so that the state of its process is unknown.
fn request() -> ConnectRequest {
    ConnectRequest {
        program: "srun".into(),
        directory: "/".into(),
        host: "elsewhere".into(),
        pid: 1,
        ..ConnectRequest::default()
    }
}

#[test]
fn requests_are_listed_with_their_age_the_oldest_first() {
    let mut place = Place::new();
    assert_eq!(place.scan(0), []);
    place.ask("b-1-x", &request(), 7);
    place.ask("a-1-x", &request(), 5);
    place.ask("c-1-x", &request(), 50);
    let listed = place.scan(3);
    let seen: Vec<_> = listed.iter().map(|r| (r.id.text(), r.age, r.silence, r.is_open())).collect();
    assert_eq!(seen, [("c-1-x", 53, 53, true), ("b-1-x", 10, 10, true), ("a-1-x", 8, 8, true)]);
    assert_eq!(listed[0].command(), "srun");
}

#[test]
fn a_request_that_is_silent_becomes_stale_and_is_fresh_again_when_it_beats() {
    let mut place = Place::new();
    place.ask("a-1-x", &request(), 0);
    assert_eq!(place.states(59), [("a-1-x".into(), None)]);
    assert_eq!(place.states(60), [("a-1-x".into(), Some(NotAcceptable::Stale))]);
    let why = place.scan(61)[0].why_not().unwrap();
    assert!(why.contains("no heartbeat for 61 s"), "{why}");
    place.touch("a-1-x.request.json", -62);
    assert_eq!(place.states(62), [("a-1-x".into(), None)]);
    // It has waited all that time.
    assert_eq!((place.scan(63)[0].age, place.scan(63)[0].silence), (63, 1));
}

#[test]
fn a_dead_process_of_ours_leaves_nothing_behind() {
    let mut place = Place::new();
    let mut child = std::process::Command::new("true").spawn().unwrap();
    let gone = child.id();
    child.wait().unwrap();
    let ours = |pid: u32| ConnectRequest { host: host_name(), boot_id: boot_id(), pid, ..request() };
    place.ask("gone-1-x", &ours(gone), 0);
    place.put("gone-1-x.response.json", b"");
    place.ask("here-1-x", &ours(std::process::id()), 0);
    place.ask("booted-1-x", &ConnectRequest { boot_id: "another".into(), ..ours(gone) }, 0);
    assert_eq!(place.scan(59).len(), 3, "as long as it is not stale nothing is removed");
    let stale = |name: &str| (name.to_owned(), Some(NotAcceptable::Stale));
    assert_eq!(place.states(60), [stale("booted-1-x"), stale("here-1-x")]);
    assert!(!place.file("gone-1-x.request.json").exists() && !place.file("gone-1-x.response.json").exists());
}

#[test]
fn what_cannot_be_used_is_shown_and_not_accepted() {
    let mut place = Place::new();
    place.ask("answered-1-x", &request(), 4);
    place.put("answered-1-x.response.json", &ConnectResponse::Reject { reason: None }.print());
    place.put("cut-1-x.request.json", &request().print()[..40]);
    place.put("newer-1-x.request.json", b"{\"format\": 2, \"program\": \"srun\"}");
    place.put("open-1-x.request.json", &request().print());
    std::fs::set_permissions(place.file("open-1-x.request.json"), std::fs::Permissions::from_mode(0o644)).unwrap();
    place.put("odd\u{1b}[2J-1-x.request.json", &request().print());
    place.put("large-1-x.request.json", b"");
    let large = std::fs::File::options().write(true).open(place.file("large-1-x.request.json")).unwrap();
    large.set_len(100 << 20).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", place.file("link-1-x.request.json")).unwrap();
    std::fs::create_dir(place.file("dir-1-x.request.json")).unwrap();
    place.put("note.txt", b"not a request");
    for name in ["cut", "newer", "open", "odd\u{1b}[2J", "large", "link", "dir"] {
        place.touch(&format!("{name}-1-x.request.json"), 0);
    }
    let listed = place.scan(0);
    assert_eq!(listed.len(), 8);
    assert!(listed.iter().all(|listed| !listed.is_open()));
    let why = |name: &str| {
        let found = listed.iter().find(|listed| listed.id.text().starts_with(name));
        found.unwrap().why_not().unwrap()
    };
    for (name, said) in [
        ("answered", "another front end"),
        ("cut", "damaged"),
        ("newer", "format 2"),
        ("open", "open to other users"),
        ("odd", "not one that tvconnect writes"),
        ("large", "too long"),
        ("link", "not a regular file"),
        ("dir", "not a regular file"),
    ] {
        assert!(why(name).contains(said), "{name}: {}", why(name));
    }
    assert_eq!(listed.iter().find(|r| r.id.text().starts_with("newer")).unwrap().command(), "srun");
}

#[test]
fn what_nobody_needs_goes_after_a_while() {
    let mut place = Place::new();
    let names =
        ["a-1-x.response.json", ".a-1-x.response.json.0123456789abcdef", ".a-1-x.request.json.0123456789abcdef"];
    let others = [".a-1-x.request.json.swp", ".profile", "notes"];
    for name in names.iter().chain(&others) {
        place.put(name, b"with a key");
    }
    assert_eq!(place.scan(0), []);
    assert_eq!(place.scan(59), []);
    assert!(names.iter().all(|name| place.file(name).exists()));
    assert_eq!(place.scan(60), []);
    assert!(!names.iter().any(|name| place.file(name).exists()));
    assert!(others.iter().all(|name| place.file(name).exists()), "what is not ours stays");
}

#[test]
fn a_directory_may_come_go_and_be_unsafe() {
    let mut place = Place::new();
    place.ask("a-1-x", &request(), 0);
    assert_eq!(place.scan(0).len(), 1);
    let path = place.base.path().join("connect");
    std::fs::rename(&path, place.base.path().join("aside")).unwrap();
    assert_eq!(place.scan(1), []);
    std::fs::rename(place.base.path().join("aside"), &path).unwrap();
    assert_eq!(place.scan(2).len(), 1);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    assert!(place.scanner.scan(place.wall, place.at).unwrap_err().is_unsafe());
}

#[test]
fn a_file_is_read_again_only_when_it_is_another() {
    let mut place = Place::new();
    place.ask("a-1-x", &request(), 0);
    assert_eq!(place.scan(0)[0].command(), "srun");
    // The same file with another text of the same length: nothing writes that way, so it is not read again.
    let text = String::from_utf8(std::fs::read(place.file("a-1-x.request.json")).unwrap()).unwrap();
    let same = std::fs::File::options().write(true).open(place.file("a-1-x.request.json")).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&same, text.replace("srun", "xxxx").as_bytes(), 0).unwrap();
    assert_eq!(place.scan(1)[0].command(), "srun");
    place.ask("fresh-1-x", &ConnectRequest { program: "mpirun".into(), ..request() }, 0);
    std::fs::rename(place.file("fresh-1-x.request.json"), place.file("a-1-x.request.json")).unwrap();
    assert_eq!(place.scan(2)[0].command(), "mpirun");
}

#[test]
fn a_request_keeps_its_number_and_no_other_gets_it() {
    let mut place = Place::new();
    let asked = ConnectRequest { program: "./app".into(), directory: "/".into(), ..ConnectRequest::default() };
    place.ask("n1-1-0000000000000001", &asked, 30);
    place.ask("n1-2-0000000000000002", &asked, 20);
    let numbers = |place: &mut Place, after| {
        place.scan(after).iter().map(|listed| (listed.id.to_string(), listed.number)).collect::<Vec<_>>()
    };
    let both = [("n1-1-0000000000000001".to_owned(), 1), ("n1-2-0000000000000002".to_owned(), 2)];
    assert_eq!(numbers(&mut place, 0), both);
    std::fs::remove_file(place.file("n1-1-0000000000000001.request.json")).unwrap();
    // Older than the requests that are there.
    place.ask("n1-3-0000000000000003", &asked, 25);
    let after = [("n1-3-0000000000000003".to_owned(), 3), both[1].clone()];
    assert_eq!(numbers(&mut place, 1), after);
}

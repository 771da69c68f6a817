use super::*;
use nix::sys::stat::Mode;
use protocol::SessionKey;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

struct Place {
    base: tempfile::TempDir,
    id: RequestId,
    now: Instant,
    said: Vec<String>,
}

impl Place {
    fn new() -> (Self, Mailbox) {
        let base = tempfile::tempdir().unwrap();
        let id = RequestId::new("node", 7, [1; 8]);
        let place = Self { base, id, now: Instant::now(), said: Vec::new() };
        let directory = ConnectDirectory::make(&place.path()).unwrap();
        let mailbox = Mailbox::new(directory, place.id.clone(), b"the request".to_vec());
        (place, mailbox)
    }

    fn path(&self) -> PathBuf {
        self.base.path().join("connect")
    }

    fn request(&self) -> PathBuf {
        self.path().join(self.id.request_file())
    }

    fn response(&self) -> PathBuf {
        self.path().join(self.id.response_file())
    }

    /// Looks this many seconds after the beginning; returns the answer.
    #[track_caller]
    fn look(&mut self, mailbox: &mut Mailbox, seconds: u64) -> Option<ConnectResponse> {
        self.said.clear();
        let said = &mut self.said;
        mailbox.look(self.now + Duration::from_secs(seconds), &mut |text| said.push(text.to_owned())).unwrap()
    }

    #[track_caller]
    fn nothing(&mut self, mailbox: &mut Mailbox, seconds: u64, said: &[&str]) {
        assert_eq!(self.look(mailbox, seconds), None);
        let fits = self.said.len() == said.len() && self.said.iter().zip(said).all(|(text, part)| text.contains(part));
        assert!(fits, "{:?} is not {said:?}", self.said);
    }

    fn answer(&self, response: &ConnectResponse) {
        let directory = ConnectDirectory::open(&self.path()).unwrap();
        assert!(directory.write_once(&self.id.response_file(), &response.print()).unwrap());
    }
}

fn chmod(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

fn rejection() -> ConnectResponse {
    ConnectResponse::Reject { reason: Some("not now".to_owned()) }
}

fn modified(path: &Path) -> std::time::SystemTime {
    std::fs::metadata(path).unwrap().modified().unwrap()
}

#[test]
fn a_request_appears_is_kept_alive_and_goes() {
    let (mut place, mut mailbox) = Place::new();
    place.nothing(&mut mailbox, 0, &[]);
    assert_eq!(std::fs::read(place.request()).unwrap(), b"the request");
    let old = std::time::SystemTime::UNIX_EPOCH;
    std::fs::File::options().write(true).open(place.request()).unwrap().set_modified(old).unwrap();
    place.nothing(&mut mailbox, 4, &[]);
    assert_eq!(modified(&place.request()), old);
    place.nothing(&mut mailbox, 5, &[]);
    assert!(modified(&place.request()) > old);
    place.answer(&rejection());
    assert_eq!(place.look(&mut mailbox, 6), Some(rejection()));
    mailbox.withdraw().unwrap();
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
    mailbox.withdraw().unwrap();
}

#[test]
fn a_request_that_was_deleted_is_written_again() {
    let (mut place, mut mailbox) = Place::new();
    place.nothing(&mut mailbox, 0, &[]);
    std::fs::remove_file(place.request()).unwrap();
    place.nothing(&mut mailbox, 5, &[]);
    assert_eq!(std::fs::read(place.request()).unwrap(), b"the request");
}

#[test]
fn a_directory_that_vanishes_is_waited_for() {
    let (mut place, mut mailbox) = Place::new();
    place.nothing(&mut mailbox, 0, &[]);
    let aside = place.base.path().join("aside");
    std::fs::rename(place.path(), &aside).unwrap();
    place.nothing(&mut mailbox, 1, &["no directory"]);
    place.nothing(&mut mailbox, 2, &[]);
    std::fs::rename(&aside, place.path()).unwrap();
    place.nothing(&mut mailbox, 3, &["usable again"]);
    assert!(place.request().exists());

    std::fs::remove_dir_all(place.path()).unwrap();
    place.nothing(&mut mailbox, 4, &["no directory"]);
    // Another directory in its place that others can read does not get the request.
    std::fs::create_dir(place.path()).unwrap();
    chmod(&place.path(), 0o755);
    place.nothing(&mut mailbox, 5, &["open to other users"]);
    assert!(!place.request().exists());
    chmod(&place.path(), 0o700);
    place.nothing(&mut mailbox, 6, &["usable again"]);
    assert_eq!(std::fs::read(place.request()).unwrap(), b"the request");
}

#[test]
fn a_directory_that_becomes_unsafe_is_not_believed() {
    let (mut place, mut mailbox) = Place::new();
    place.nothing(&mut mailbox, 0, &[]);
    place.answer(&rejection());
    chmod(&place.path(), 0o770);
    place.nothing(&mut mailbox, 1, &["open to other users"]);
    chmod(&place.path(), 0o700);
    assert_eq!(place.look(&mut mailbox, 2), Some(rejection()));
}

#[test]
fn what_is_no_answer_is_said_once_and_makes_room() {
    let (mut place, mut mailbox) = Place::new();
    place.nothing(&mut mailbox, 0, &[]);
    let closed = |path: &Path, text: &[u8]| {
        std::fs::write(path, text).unwrap();
        chmod(path, 0o600);
    };
    closed(&place.response(), b"{\"format\": 1,");
    place.nothing(&mut mailbox, 1, &["invalid answer"]);
    place.nothing(&mut mailbox, 2, &[]);
    // It belonged to a slow writer.
    std::fs::remove_file(place.response()).unwrap();
    closed(&place.response(), &[rejection().print(), b"and more".to_vec()].concat());
    place.nothing(&mut mailbox, 4, &["invalid answer"]);
    place.nothing(&mut mailbox, 8, &[]);
    place.nothing(&mut mailbox, 9, &["deleted the invalid answer"]);
    assert!(!place.response().exists());

    let key = SessionKey::generate().unwrap();
    let accept = ConnectResponse::Accept { host: "h".into(), addresses: vec!["h".into()], port: 1, key };
    std::fs::write(place.response(), accept.print()).unwrap();
    chmod(&place.response(), 0o644);
    place.nothing(&mut mailbox, 10, &["open to other users"]);
    std::fs::remove_file(place.response()).unwrap();
    nix::unistd::mkfifo(&place.response(), Mode::S_IRWXU).unwrap();
    place.nothing(&mut mailbox, 11, &["not a regular file"]);
    std::fs::remove_file(place.response()).unwrap();
    let large = std::fs::File::create(place.response()).unwrap();
    large.set_len(100 << 20).unwrap();
    chmod(&place.response(), 0o600);
    place.nothing(&mut mailbox, 12, &["too long"]);
    place.nothing(&mut mailbox, 17, &["deleted the invalid answer"]);
    if nix::unistd::geteuid().is_root() {
        closed(&place.response(), &rejection().print());
        nix::unistd::chown(&place.response(), Some(nix::unistd::Uid::from_raw(12345)), None).unwrap();
        place.nothing(&mut mailbox, 18, &["belongs to user 12345"]);
        place.nothing(&mut mailbox, 23, &["deleted the invalid answer"]);
    }
    place.answer(&accept);
    assert_eq!(place.look(&mut mailbox, 24), Some(accept));
}

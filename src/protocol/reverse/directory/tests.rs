use super::*;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::sync::Barrier;

fn place() -> (tempfile::TempDir, PathBuf) {
    let base = tempfile::tempdir().unwrap();
    let path = base.path().join("a/connect");
    (base, path)
}

fn chmod(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn it_is_made_closed_to_others() {
    let (_base, path) = place();
    assert!(ConnectDirectory::open(&path).unwrap_err().is_absent());
    ConnectDirectory::make(&path).unwrap();
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o700, 0o700));
    ConnectDirectory::make(&path).unwrap();
    ConnectDirectory::open(&path).unwrap();
}

#[test]
fn an_unsafe_one_is_refused() {
    let (_base, path) = place();
    ConnectDirectory::make(&path).unwrap();
    for open in [0o750, 0o720, 0o701, 0o777] {
        chmod(&path, open);
        let refusal = ConnectDirectory::open(&path).unwrap_err();
        assert!(refusal.is_unsafe() && refusal.to_string().contains("chmod 700"), "{refusal}");
    }
    chmod(&path, 0o700);
    let link = path.with_file_name("link");
    symlink(&path, &link).unwrap();
    let refusal = ConnectDirectory::make(&link).unwrap_err();
    assert!(refusal.is_unsafe() && refusal.to_string().contains("symbolic link"), "{refusal}");
    let dangling = path.with_file_name("dangling");
    symlink(path.join("nowhere"), &dangling).unwrap();
    assert!(ConnectDirectory::make(&dangling).unwrap_err().is_unsafe());
    let file = path.with_file_name("file");
    std::fs::write(&file, "").unwrap();
    assert!(ConnectDirectory::make(&file).unwrap_err().is_unsafe());
    // Only root can provide a directory of another user.
    let foreign = if geteuid().is_root() {
        let foreign = path.with_file_name("foreign");
        std::fs::create_dir(&foreign).unwrap();
        chmod(&foreign, 0o700);
        nix::unistd::chown(&foreign, Some(nix::unistd::Uid::from_raw(12345)), None).unwrap();
        foreign
    } else {
        PathBuf::from("/")
    };
    assert!(matches!(ConnectDirectory::open(&foreign), Err(ConnectError::Foreign { .. })));
}

#[test]
fn files_are_whole_closed_and_ours() {
    let (_base, path) = place();
    let directory = ConnectDirectory::make(&path).unwrap();
    directory.write("x", b"one").unwrap();
    directory.write("x", b"two").unwrap();
    assert_eq!(mode(&path.join("x")), 0o600);
    assert_eq!(directory.read("x", 3).unwrap().1, b"two");
    assert!(matches!(directory.read("x", 2), Err(ConnectError::TooLong { length: 3, .. })));
    let names: Vec<String> = directory.names().unwrap().into_iter().filter(|name| !name.starts_with("..")).collect();
    assert_eq!(names.iter().filter(|name| *name != ".").collect::<Vec<_>>(), ["x"], "no temporary file is left");

    chmod(&path.join("x"), 0o640);
    assert!(directory.read("x", 3).unwrap_err().is_unsafe());
    symlink(path.join("x"), path.join("l")).unwrap();
    assert!(directory.read("l", 3).unwrap_err().is_unsafe());
    nix::unistd::mkfifo(&path.join("p"), Mode::S_IRWXU).unwrap();
    assert!(matches!(directory.read("p", 3), Err(ConnectError::NoFile(_))), "a pipe is not waited for");
    assert!(directory.read("gone", 3).unwrap_err().is_absent());
    assert!(directory.remove("x").unwrap() && !directory.remove("x").unwrap());
    assert_eq!(directory.stamp("x"), Ok(None));
    assert_eq!(directory.touch("x"), Ok(false));
}

#[test]
fn a_touch_changes_the_time_and_nothing_else() {
    let (_base, path) = place();
    let directory = ConnectDirectory::make(&path).unwrap();
    directory.write("x", b"one").unwrap();
    let old = TimeSpec::new(1, 0);
    utimensat(AT_FDCWD, &path.join("x"), &old, &old, UtimensatFlags::NoFollowSymlink).unwrap();
    let before = directory.stamp("x").unwrap().unwrap();
    assert_eq!(before.modified, SystemTime::UNIX_EPOCH + Duration::from_secs(1));
    assert_eq!(directory.touch("x"), Ok(true));
    let after = directory.stamp("x").unwrap().unwrap();
    assert!(after.modified > before.modified && after.same_text(&before));
    directory.write("x", b"two").unwrap();
    assert!(!directory.stamp("x").unwrap().unwrap().same_text(&after));
}

#[test]
fn a_directory_that_goes_away_is_noticed() {
    let (base, path) = place();
    let directory = ConnectDirectory::make(&path).unwrap();
    assert_eq!(directory.still_there(), Ok(()));
    let aside = base.path().join("aside");
    std::fs::rename(&path, &aside).unwrap();
    assert!(directory.still_there().unwrap_err().is_absent());
    ConnectDirectory::make(&path).unwrap();
    assert!(directory.still_there().unwrap_err().is_absent(), "another one is in its place");
    std::fs::remove_dir(&path).unwrap();
    std::fs::rename(&aside, &path).unwrap();
    assert_eq!(directory.still_there(), Ok(()));
    chmod(&path, 0o770);
    assert!(directory.still_there().unwrap_err().is_unsafe());
}

#[test]
fn of_many_writers_one_wins() {
    const WRITERS: usize = 8;
    let (_base, path) = place();
    ConnectDirectory::make(&path).unwrap();
    for round in 0..200 {
        let name = format!("r{round}");
        let gate = Barrier::new(WRITERS);
        let write = |own: usize| {
            let directory = ConnectDirectory::open(&path).unwrap();
            gate.wait();
            directory.write_once(&name, format!("writer {own}").as_bytes()).unwrap().then_some(own)
        };
        let winners: Vec<usize> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..WRITERS).map(|own| scope.spawn(move || write(own))).collect();
            threads.into_iter().filter_map(|thread| thread.join().unwrap()).collect()
        });
        let [winner] = winners[..] else { panic!("{winners:?} won round {round}") };
        let directory = ConnectDirectory::open(&path).unwrap();
        assert_eq!(directory.read(&name, 100).unwrap().1, format!("writer {winner}").as_bytes());
        assert_eq!(directory.names().unwrap().len(), 3 + round, "no temporary file is left");
    }
}

use super::*;
use std::fs::Permissions;
use std::os::unix::fs::{PermissionsExt, symlink};
use tempfile::{TempDir, tempdir};

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().mode() & 0o777
}

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn session() -> (TempDir, SessionDirectory) {
    let place = tempdir().unwrap();
    let session = SessionDirectory::create_in(&place.path().join("rankscope"), Some("one")).unwrap();
    (place, session)
}

#[test]
fn a_session_is_made_found_and_removed() {
    let (place, session) = session();
    let base = place.path().join("rankscope");
    assert_eq!((mode(&base), mode(session.path())), (0o700, 0o700));
    let key = session.create_key().unwrap();
    assert_eq!(mode(&session.path().join("key")), 0o600);
    let info = SessionInfo { session: "one".into(), master: 17, size: 4, ..SessionInfo::default() };
    session.write_info(&info).unwrap();
    session.write_info(&info).unwrap();

    let again = SessionDirectory::open(&session.path().display().to_string()).unwrap();
    assert_eq!(again, session);
    assert_eq!(again.name(), "one");
    assert_eq!(again.key().unwrap(), key);
    assert_eq!(again.info().unwrap(), info);
    let other = SessionDirectory::create_in(&base, None).unwrap();
    let mut names = vec!["one".to_owned(), other.name().to_owned()];
    names.sort();
    let listed =
        || SessionDirectory::list_in(&base).unwrap().iter().map(|one| one.name().to_owned()).collect::<Vec<_>>();
    assert_eq!(listed(), names);
    let words = SessionDirectory::create_in(&base, Some("one")).unwrap_err().to_string();
    assert!(words.contains("already exists") && words.contains("rankscope resume one"), "{words}");
    session.remove().unwrap();
    assert_eq!(listed(), [other.name()]);
    assert!(matches!(SessionDirectory::open_path(session.path()), Err(DirectoryError::Absent(_))));
}

#[test]
fn a_directory_of_the_user_that_is_no_session_is_not_listed() {
    let (place, session) = session();
    let base = place.path().join("rankscope");
    // As a user may have one, even with a file of this name.
    make(&base.join("private")).unwrap();
    lay_key(&base.join("private").join("key"), &SessionKey::generate().unwrap()).unwrap();
    assert_eq!(SessionDirectory::list_in(&base).unwrap(), [session]);
    assert_eq!(SessionDirectory::list_in(&place.path().join("absent")).unwrap(), []);
    let link = place.path().join("link");
    symlink(&base, &link).unwrap();
    assert!(matches!(SessionDirectory::list_in(&link), Err(DirectoryError::NoDirectory(_))));
    chmod(&base, 0o755);
    assert!(matches!(SessionDirectory::list_in(&base), Err(DirectoryError::Open { .. })));
    assert!(matches!(SessionDirectory::open_path(&base.join("one")), Err(DirectoryError::Open { .. })));
}

#[test]
fn the_key_is_made_once_and_differs() {
    let (_place, session) = session();
    let key = session.create_key().unwrap();
    assert!(session.create_key().is_err());
    assert_eq!(session.key().unwrap(), key);
    assert_ne!(SessionKey::generate().unwrap(), key);
    assert_eq!(format!("{key:?}"), "SessionKey(…)");
}

#[test]
fn an_open_or_linked_directory_is_refused() {
    let (place, session) = session();
    chmod(session.path(), 0o750);
    let words = SessionDirectory::open_path(session.path()).unwrap_err().to_string();
    assert!(words.contains("mode 750") && words.contains("chmod 700"), "{words}");
    chmod(session.path(), 0o700);
    let link = place.path().join("link");
    symlink(session.path(), &link).unwrap();
    assert!(matches!(SessionDirectory::open_path(&link), Err(DirectoryError::NoDirectory(_))));
    let base = place.path().join("base");
    symlink(place.path(), &base).unwrap();
    assert!(matches!(SessionDirectory::create_in(&base, None), Err(DirectoryError::NoDirectory(_))));
    fs::create_dir(place.path().join("loose")).unwrap();
    chmod(&place.path().join("loose"), 0o777);
    assert!(matches!(SessionDirectory::create_in(&place.path().join("loose"), None), Err(DirectoryError::Open { .. })));
}

#[test]
fn a_key_that_others_may_have_seen_or_put_there_is_refused() {
    let (place, session) = session();
    let path = session.path().join("key");
    assert!(session.key().unwrap_err().to_string().starts_with("cannot open"));
    session.create_key().unwrap();
    chmod(&path, 0o640);
    assert!(matches!(session.key(), Err(DirectoryError::Open { mode: 0o640, .. })));
    fs::remove_file(&path).unwrap();
    fs::write(&path, b"short").unwrap();
    chmod(&path, 0o600);
    assert!(matches!(session.key(), Err(DirectoryError::Key { length: 5, .. })));
    fs::remove_file(&path).unwrap();
    let elsewhere = place.path().join("elsewhere");
    fs::write(&elsewhere, [0; 32]).unwrap();
    chmod(&elsewhere, 0o600);
    symlink(&elsewhere, &path).unwrap();
    assert!(session.key().is_err());
    fs::remove_file(&path).unwrap();
    nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).unwrap();
    assert!(session.key().is_err());
}

#[test]
fn a_directory_of_another_user_is_refused() {
    // Only where the tests may give files away; elsewhere a foreign file cannot be made.
    let (_place, session) = session();
    if std::os::unix::fs::chown(session.path(), Some(own_uid() + 1), None).is_ok() {
        let words = SessionDirectory::open_path(session.path()).unwrap_err().to_string();
        assert!(words.contains("belongs to user") && words.contains("XDG_RUNTIME_DIR"), "{words}");
    }
}

#[test]
fn names_and_places() {
    for name in ["", ".", "..", ".hidden", "a/b", "a b", &"x".repeat(65)] {
        assert!(matches!(valid(name), Err(DirectoryError::Name(_))), "{name}");
    }
    let (place, session) = session();
    assert!(matches!(SessionDirectory::open("no such name"), Err(DirectoryError::Name(_))));
    let long = place.path().join("x".repeat(90));
    assert!(matches!(SessionDirectory::create_in(&long, None), Err(DirectoryError::TooLong { .. })));
    assert_eq!(session.server_socket(3), session.path().join("server-3.sock"));
    assert_eq!(session.log("master"), session.path().join("master.log"));
    assert_eq!(SessionDirectory::base_for(Some(place.path().into())), place.path().join("rankscope"));
    let own = PathBuf::from(format!("/tmp/rankscope-{}", own_uid()));
    assert_eq!(SessionDirectory::base_for(None), own);
    assert_eq!(SessionDirectory::base_for(Some("relative".into())), own);
}

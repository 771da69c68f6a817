//! Checks that a program can be run, before anybody is asked to debug it. The rules are those of a shell.

use super::fault::ConnectFault;
use model::raw_word;
use nix::unistd::{AccessFlags, access};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Finds a program: a path, or a name in the directories of `search`; the first that can be run counts.
pub(super) fn find(program: &str, search: Option<&OsStr>) -> Result<PathBuf, ConnectFault> {
    let not_found = |why: &str| ConnectFault::NotFound { program: program.to_owned(), why: why.to_owned() };
    let not_executable = |why: String| ConnectFault::NotExecutable { program: program.to_owned(), why };
    if program.is_empty() {
        return Err(not_found("expected a program"));
    }
    if program.contains('/') {
        let path = PathBuf::from(raw_word(program));
        return match why_not(&path) {
            None => Ok(path),
            Some(Fault::Absent) => Err(not_found("no such file")),
            Some(Fault::Other(why)) => Err(not_executable(why)),
        };
    }
    let mut refused = None;
    // Without a PATH, execvp(3) searches these.
    let search = search.map_or_else(|| "/bin:/usr/bin".into(), OsStr::to_owned);
    for directory in std::env::split_paths(&search) {
        let path = if directory.as_os_str().is_empty() { Path::new(".") } else { &directory }.join(raw_word(program));
        match why_not(&path) {
            None => return Ok(path),
            Some(Fault::Absent) => {}
            Some(Fault::Other(why)) => refused = refused.or(Some(format!("{}: {why}", path.display()))),
        }
    }
    match refused {
        Some(why) => Err(not_executable(why)),
        None => Err(not_found("not found in PATH")),
    }
}

enum Fault {
    Absent,
    Other(String),
}

fn why_not(path: &Path) -> Option<Fault> {
    match std::fs::metadata(path) {
        Ok(there) if there.is_dir() => return Some(Fault::Other("it is a directory".to_owned())),
        Ok(there) if !there.is_file() => return Some(Fault::Other("it is not a regular file".to_owned())),
        Ok(_) => {}
        Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
            return Some(Fault::Absent);
        }
        Err(error) => return Some(Fault::Other(error.to_string())),
    }
    let denied = access(path, AccessFlags::X_OK).err();
    denied.map(|_| Fault::Other("it is not executable (chmod +x)".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn file(path: &Path, mode: u32) {
        std::fs::write(path, "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_program_is_found_as_a_shell_finds_it() {
        let base = tempfile::tempdir().unwrap();
        let (a, b) = (base.path().join("a"), base.path().join("b"));
        for directory in [&a, &b] {
            std::fs::create_dir(directory).unwrap();
        }
        let search = std::env::join_paths([&a, &b]).unwrap();
        let look = |program: &str| find(program, Some(&search));
        let code = |program: &str| look(program).unwrap_err().exit_code();
        file(&b.join("app"), 0o755);
        assert_eq!(look("app").unwrap(), b.join("app"));
        file(&a.join("app"), 0o644);
        assert_eq!(look("app").unwrap(), b.join("app"), "one that cannot be run is passed over");
        file(&a.join("data"), 0o644);
        assert_eq!((code("data"), code("nothing"), code("")), (126, 127, 127));
        std::fs::create_dir(a.join("dir")).unwrap();
        assert_eq!(code(a.join("dir").to_str().unwrap()), 126);
        assert_eq!(code(a.join("data").to_str().unwrap()), 126);
        assert_eq!(code(a.join("data/app").to_str().unwrap()), 127);
        assert_eq!(look(b.join("app").to_str().unwrap()).unwrap(), b.join("app"));
        let words = look("data").unwrap_err().to_string();
        assert!(words.contains("a/data") && words.contains("executable"), "{words}");
    }
}

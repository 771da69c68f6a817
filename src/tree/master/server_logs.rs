//! The last lines of the logs of servers and steps: why they ended, and what the user can do about it.

use super::processes::{WORDS_SHOWN, read_from};
use protocol::{ServerIndex, SessionDirectory, ran_out};

/// Returns the last line of a server's log: why it ended.
pub(crate) fn last_log_line(directory: &SessionDirectory, server: ServerIndex) -> String {
    last_log_line_of(directory, &format!("server-{}", server.0))
}

/// Returns the resource that a server ran out of, if its log says so.
pub(super) fn lack_of(directory: &SessionDirectory, server: ServerIndex) -> Option<&'static str> {
    ran_out(&end_of_log(directory, &format!("server-{}", server.0)))
}

/// Returns the last line of any log of the session.
pub(super) fn last_log_line_of(directory: &SessionDirectory, name: &str) -> String {
    let text = end_of_log(directory, name);
    if let Some(lack) = ran_out(&text) {
        return lack.to_owned();
    }
    text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("its log is empty").trim().to_owned()
}

/// Returns advice about a server that did not start on another host, from its exit code and its log.
pub(super) fn start_hint(directory: &SessionDirectory, log: &str, code: Option<i32>, stage: bool) -> &'static str {
    hint_of(&end_of_log(directory, log), code, stage)
}

fn hint_of(log: &str, code: Option<i32>, stage: bool) -> &'static str {
    // Messages of ld.so(8) about a program that was linked on a newer system, and of shells about a program or loader
    // that does not exist (POSIX, 2.8.2), as ssh passes them on.
    if log.contains("version `GLIBC_") || (stage && code == Some(127)) {
        "; rankscope needs a newer C library than that host has: put a static build beside it as rankscope-static and \
         use --stage (docs/INSTALL.md)"
    } else if code == Some(127) {
        "; --stage copies rankscope to that host"
    } else {
        ""
    }
}

fn end_of_log(directory: &SessionDirectory, name: &str) -> String {
    let path = directory.log(name);
    let length = std::fs::metadata(&path).map_or(0, |there| there.len());
    let text = read_from(&path, length.saturating_sub(WORDS_SHOWN)).unwrap_or_default();
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_needs_another_c_library_has_a_hint_at_the_static_file() {
        let of_ld_so = "/tmp/rankscope-x/rankscope: /lib/libc.so.6: version `GLIBC_2.34' not found (required by \
                        /tmp/rankscope-x/rankscope)\n";
        assert!(hint_of(of_ld_so, Some(1), true).contains("rankscope-static"));
        assert!(hint_of(of_ld_so, None, false).contains("rankscope-static"));
        let of_sh = "sh: 1: exec: /opt/rankscope: not found\n";
        assert!(hint_of(of_sh, Some(127), true).contains("rankscope-static"));
        assert!(hint_of(of_sh, Some(127), false).contains("--stage copies"));
        assert_eq!(hint_of("Permission denied\n", Some(255), true), "");
    }
}

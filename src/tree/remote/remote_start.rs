//! The commands that start servers on other hosts.

use protocol::{NoHost, host_word};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;

/// Variables of a Slurm step that would affect another step started inside it, or forbid its options.
const OF_OTHER_STEPS: &[&str] = &[
    "SLURM_MEM_PER_NODE",
    "SLURM_MEM_PER_GPU",
    "SLURM_MEM_PER_CPU",
    "SLURM_CPU_BIND",
    "SLURM_DISTRIBUTION",
    "SLURM_EXACT",
    "SLURM_EXCLUSIVE",
    "SLURM_HINT",
    "SLURM_LABELIO",
    "SLURM_MULTI_PROG",
    "SLURM_NTASKS_PER_CORE",
    "SLURM_NTASKS_PER_NODE",
    "SLURM_STEP_OUTPUT",
    "SLURM_TASKS_PER_NODE",
    "SLURM_UNBUFFEREDIO",
];

/// The commands that reach other hosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The command line to which a host is appended.
    pub ssh: Vec<String>,
    /// True if hosts that do not have rankscope get a copy of it.
    pub stage: bool,
}

impl Default for Reach {
    fn default() -> Self {
        // Without it, ssh would ask for a password that nobody can type.
        Self { ssh: ["ssh", "-o", "BatchMode=yes"].map(str::to_owned).to_vec(), stage: false }
    }
}

impl Reach {
    /// Uses the user's command line; `None` stands for the one in the environment (`RANKSCOPE_SSH`), or ssh.
    pub fn new(ssh: Option<&str>, stage: bool) -> Self {
        let named = ssh.map(str::to_owned).or_else(|| std::env::var("RANKSCOPE_SSH").ok());
        let words: Vec<String> = named.iter().flat_map(|text| text.split_whitespace()).map(str::to_owned).collect();
        if words.is_empty() { Self { stage, ..Self::default() } } else { Self { ssh: words, stage } }
    }
}

/// Returns the command that starts a server on a host, with the first of these programs that the host has. Its
/// configuration is the first line of its standard input; if a copy is to be made, the rest is the first program.
pub fn ssh_command(reach: &Reach, host: &str, programs: &[Vec<OsString>]) -> Result<Command, NoHost> {
    let host = host_word(host)?;
    let mut words = reach.ssh.iter();
    let ssh = words.next().map_or("ssh", String::as_str);
    let mut command = Command::new(ssh);
    command.args(words);
    // Another program in its place gets no options of ours before the host.
    if ssh.rsplit('/').next() == Some("ssh") {
        command.arg("--");
    }
    command.arg(host).arg(remote_script(programs, reach.stage));
    Ok(command)
}

/// Returns the script for the shell of the other host.
fn remote_script(programs: &[Vec<OsString>], stage: bool) -> OsString {
    let run = |words: &[OsString]| {
        let mut line = OsString::from("exec");
        for word in words {
            line.push(" ");
            line.push(quoted(word));
        }
        line.push(" --server --charter -");
        line
    };
    let Some(first) = programs.first() else { return OsString::new() };
    if !stage {
        return run(first);
    }
    // A shell reads its lines byte by byte: input after the first line is left for cat. The copy is in a directory that
    // only its owner enters, and removes itself when it has started. It gets the key in the first line through a named
    // pipe: a here-document may be a file, and a printf that is a program shows its arguments to all.
    let copy = "case $(type printf) in *builtin*) ;; *) echo 'the shell of this host cannot pass a key on: install \
                rankscope there instead of using --stage' >&2; exit 1;; esac; \
                IFS= read -r charter && umask 077 && directory=$(mktemp -d \"${TMPDIR:-/tmp}/rankscope-XXXXXXXX\") && \
                { cat >\"$directory/rankscope\" && chmod 700 \"$directory/rankscope\" && mkfifo \"$directory/charter\" && \
                \"$directory/rankscope\" --version </dev/null >/dev/null || \
                { code=$?; rm -f \"$directory/rankscope\" \"$directory/charter\"; rmdir \"$directory\"; exit $code; }; } && \
                { printf '%s\\n' \"$charter\" >\"$directory/charter\" & exec \"$directory/rankscope\"";
    let mut script = OsString::new();
    for words in programs {
        script.push("if test -x ");
        script.push(words.first().map_or_else(OsString::new, |file| quoted(file)));
        script.push("; then ");
        script.push(run(words));
        script.push("; fi; ");
    }
    script.push(copy);
    for word in first.iter().skip(1) {
        script.push(" ");
        script.push(quoted(word));
    }
    script.push(" --server --charter - --staged <\"$directory/charter\"; }");
    script
}

/// Quotes a word for the shell.
fn quoted(word: &OsStr) -> OsString {
    let mut bytes = vec![b'\''];
    for &byte in word.as_bytes() {
        match byte {
            b'\'' => bytes.extend(b"'\\''"),
            other => bytes.push(other),
        }
    }
    bytes.push(b'\'');
    OsStr::from_bytes(&bytes).to_owned()
}

/// Returns a Slurm step that starts one task on each of these nodes of a job. It may share resources with other steps,
/// and requests none of its own.
pub fn slurm_step(job: &str, hosts: &[&str], program: &[OsString]) -> Result<Command, NoHost> {
    hosts.iter().try_for_each(|host| host_word(host).map(drop))?;
    let mut command = Command::new("srun");
    let count = hosts.len().to_string();
    command.args([&format!("--jobid={job}"), "--overlap", "--input=none", "--mem-per-cpu=0"]);
    command.args(["-N", &count, "-n", &count, "-w", &hosts.join(",")]);
    command.args(["--cpu-bind=none", "--mpi=none", "--kill-on-bad-exit=0", "--chdir=/", "--quiet"]).args(program);
    for name in OF_OTHER_STEPS {
        command.env_remove(name);
    }
    Ok(command)
}

/// Returns the arguments that make a task of [`slurm_step`] the server of its node.
pub fn charter_words(meeting: &Path) -> [OsString; 3] {
    ["--server".into(), "--charter".into(), meeting.into()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;
    use std::os::unix::fs::PermissionsExt as _;
    use std::process::Stdio;

    fn words(command: &Command) -> Vec<String> {
        let all = std::iter::once(command.get_program()).chain(command.get_args());
        all.map(|word| word.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn ssh_is_what_the_user_says() {
        let programs = [vec!["/opt/it's/rankscope".into(), "sdm".into()]];
        let words = |line: &str| words(&ssh_command(&Reach::new(Some(line), false), "n1", &programs).unwrap());
        let script = "exec '/opt/it'\\''s/rankscope' 'sdm' --server --charter -";
        assert_eq!(words("ssh -F config"), ["ssh", "-F", "config", "--", "n1", script]);
        assert_eq!(words("/usr/bin/ssh"), ["/usr/bin/ssh", "--", "n1", script]);
        assert_eq!(words("blaunch"), ["blaunch", "n1", script]);
    }

    #[test]
    fn a_host_that_is_an_option_reaches_no_command() {
        let host = "-oProxyCommand=id";
        assert!(ssh_command(&Reach::default(), host, &[]).is_err());
        assert!(slurm_step("12", &["n1", host], &[]).is_err());
    }

    #[test]
    fn a_step_asks_for_nothing_of_its_own() {
        let line = words(&slurm_step("12", &["n1", "n3"], &["/opt/rankscope".into()]).unwrap()).join(" ");
        assert!(
            line.starts_with("srun --jobid=12 --overlap --input=none --mem-per-cpu=0 -N 2 -n 2 -w n1,n3 "),
            "{line}"
        );
        assert!(line.ends_with(" /opt/rankscope"), "{line}");
    }

    /// Run by the shell of this host: the program is a script that prints its arguments and input.
    #[test]
    fn a_host_without_the_program_gets_a_copy() {
        // More than a pipe holds, so that some shells keep it in a file.
        let charter = format!("the $charter \\n {}", "x".repeat(200_000));
        for shell in ["sh", "bash"] {
            let base = tempfile::tempdir().unwrap();
            let program = "#!/bin/sh\necho \"$@\"; stat -L -c %F /dev/stdin; cat\n\
                           stat -c %a \"$0\" \"$(dirname \"$0\")\" \"$(dirname \"$0\")/charter\"\n";
            let said = staged(shell, base.path(), &charter, program);
            let wanted = format!("sdm --server --charter - --staged\nfifo\n{charter}\n700\n700\n600\n");
            assert!(said == wanted, "{shell}: {}", said.replace('x', ""));
        }
    }

    /// There is no room for the copy.
    #[test]
    fn a_copy_that_cannot_be_made_leaves_nothing() {
        let base = tempfile::tempdir().unwrap();
        let script = remote_script(&[vec!["/nowhere/rankscope".into()]], true);
        // Limits files of this shell and its children to 0 bytes.
        let mut limited = OsString::from("trap '' XFSZ; ulimit -f 0; ");
        limited.push(script);
        assert_eq!(run("sh", &limited, base.path(), "the charter", "#!/bin/sh\nexit 0\n").0, Some(1));
        assert_eq!(std::fs::read_dir(base.path()).unwrap().count(), 0);
    }

    /// The same happens with a program whose C library the host does not have.
    #[test]
    fn a_copy_that_does_not_start_leaves_nothing() {
        let script = remote_script(&[vec!["/nowhere/rankscope".into()]], true);
        for shell in ["sh", "bash"] {
            // Shells give different codes for a missing loader.
            for (program, codes) in [("#!/nowhere/loader\n", [126, 127]), ("#!/bin/sh\nexit 7\n", [7, 7])] {
                let base = tempfile::tempdir().unwrap();
                let code = run(shell, &script, base.path(), "the charter", program).0;
                assert!(code.is_some_and(|code| codes.contains(&code)), "{shell}: {code:?}");
                assert_eq!(std::fs::read_dir(base.path()).unwrap().count(), 0, "{shell}");
            }
        }
    }

    #[test]
    fn what_the_host_has_is_run_in_the_order_given() {
        let base = tempfile::tempdir().unwrap();
        let file = |name: &str| base.path().join(name);
        let programs = ["static", "own"].map(|name| vec![file(name).into_os_string(), name.into()]);
        let said = || run("sh", &remote_script(&programs, true), base.path(), "", "#!/bin/sh\necho copy \"$@\"\n").1;
        let there = |name: &str| {
            std::fs::write(file(name), "#!/bin/sh\necho there \"$@\"\n").unwrap();
            std::fs::set_permissions(file(name), std::fs::Permissions::from_mode(0o700)).unwrap();
        };
        assert_eq!(said(), "copy static --server --charter - --staged\n");
        there("own");
        assert_eq!(said(), "there own --server --charter -\n");
        there("static");
        assert_eq!(said(), "there static --server --charter -\n");
    }

    fn staged(shell: &str, base: &Path, charter: &str, program: &str) -> String {
        let script = remote_script(&[vec!["/nowhere/rankscope".into(), "sdm".into()]], true);
        run(shell, &script, base, charter, program).1
    }

    fn run(shell: &str, script: &OsStr, base: &Path, charter: &str, program: &str) -> (Option<i32>, String) {
        let mut command = Command::new(shell);
        command.arg("-c").arg(script).env("TMPDIR", base).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A shell that has no room does not read all.
        let _ = write!(child.stdin.take().unwrap(), "{charter}\n{program}");
        let output = child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    }
}

//! Commands of a shell on this host, for the owner of the controller. They get no terminal: their output is a report.

use controller::{CommandId, Controller};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::io;
use std::os::fd::OwnedFd;
use std::process::Stdio;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::unix::pipe::Receiver;
use tokio::process::{Child, Command};
use tokio::task::JoinSet;

/// The most output that is reported, in bytes.
const MOST: usize = 4 << 20;

/// The commands that are running. They are killed when this is dropped.
#[derive(Debug, Default)]
pub(crate) struct ShellCommands(JoinSet<Ended>);

/// What a command has written, and how it has failed.
#[derive(Debug)]
pub(crate) struct Ended {
    command: CommandId,
    text: String,
    failure: Option<String>,
}

impl Ended {
    /// Gives the outcome to the controller.
    pub(crate) fn tell(self, controller: &mut Controller) {
        controller.answer(self.command, &self.text, self.failure);
    }
}

impl ShellCommands {
    /// Starts a command, with a text as its standard input.
    pub(crate) fn start(&mut self, command: CommandId, line: String, input: Option<String>) {
        self.0.spawn(async move {
            match run(&line, input).await {
                Ok((text, failure)) => Ended { command, text, failure },
                Err(error) => {
                    let failure = Some(format!("cannot run a shell: {error}"));
                    Ended { command, text: String::new(), failure }
                }
            }
        });
    }

    /// Waits for the next command that ends; `None` if none is running.
    pub(crate) async fn next(&mut self) -> Option<Ended> {
        // A task that panicked has no outcome.
        self.0.join_next().await.and_then(Result::ok)
    }
}

/// A shell with what it has started, in a process group of its own.
struct Group(Child);

impl Drop for Group {
    fn drop(&mut self) {
        // It has no number once it has been waited for; what it has left in the background stays.
        if let Some(pid) = self.0.id().and_then(|pid| i32::try_from(pid).ok()) {
            let _ = killpg(Pid::from_raw(pid), Signal::SIGKILL);
        }
    }
}

async fn run(line: &str, input: Option<String>) -> io::Result<(String, Option<String>)> {
    // One pipe for both, so that the lines stay in their order.
    let (reader, writer) = io::pipe()?;
    let shell = std::env::var_os("SHELL").filter(|shell| !shell.is_empty()).unwrap_or_else(|| "/bin/sh".into());
    let mut command = Command::new(shell);
    command.arg("-c").arg(line).process_group(0);
    command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
    command.stdout(writer.try_clone()?).stderr(writer);
    let mut group = Group(command.spawn()?);
    // Drops the writing ends: the pipe ends with the last process that writes to it.
    drop(command);
    let mut output = Receiver::from_owned_fd(OwnedFd::from(reader))?;
    let given = group.0.stdin.take().zip(input);
    let write = async {
        if let Some((mut pipe, input)) = given {
            // A command that does not read all of it, such as `head`, closes its end.
            let _ = pipe.write_all(input.as_bytes()).await;
        }
    };
    let ((), text) = tokio::join!(write, read(&mut output));
    let text = text?;
    let status = group.0.wait().await?;
    let failure = (!status.success()).then(|| format!("{}: {status}", line.trim()));
    Ok((text, failure))
}

/// Reads all output, and keeps the beginning.
async fn read(output: &mut Receiver) -> io::Result<String> {
    let (mut kept, mut part, mut lost) = (Vec::new(), vec![0; 64 << 10], 0);
    loop {
        let count = output.read(&mut part).await?;
        if count == 0 {
            break;
        }
        let room = (MOST - kept.len()).min(count);
        kept.extend(part.get(..room).unwrap_or_default());
        lost += count - room;
    }
    let mut text = String::from_utf8_lossy(&kept).into_owned();
    if lost > 0 {
        text.push_str(&format!("\n… and {lost} more bytes"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn outcome(line: &str, input: Option<&str>) -> (String, Option<String>) {
        run(line, input.map(str::to_owned)).await.unwrap()
    }

    #[tokio::test]
    async fn output_and_errors_come_in_their_order_and_a_status_is_a_failure() {
        let (text, failure) = outcome("echo one; echo two >&2; echo three; exit 3", None).await;
        assert_eq!(
            (text.as_str(), failure.as_deref()),
            ("one\ntwo\nthree\n", Some("echo one; echo two >&2; echo three; exit 3: exit status: 3"))
        );
        assert_eq!(outcome("cat", None).await, (String::new(), None), "there is no terminal to read");
    }

    #[tokio::test]
    async fn a_command_need_not_read_its_input() {
        let input = "a line\n".repeat(100_000);
        assert_eq!(outcome("head -n 1", Some(&input)).await, ("a line\n".to_owned(), None));
        assert_eq!(outcome("wc -l", Some(&input)).await.0.trim(), "100000");
    }

    #[tokio::test]
    async fn much_output_is_cut() {
        let (text, failure) = outcome("yes | head -c 5000000", None).await;
        assert!(failure.is_none() && text.len() < MOST + 100 && text.ends_with("more bytes"), "{}", text.len());
    }
}

//! The process that loads a queue library: it shares nothing with the server but one socket.

use super::callbacks;
use super::collect::collect;
use super::conversation::{Conversation, Question, Task};
use super::fault::LibraryFault;
use super::library::Library;
use model::MessageQueues;
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::Signal;
use std::fs::OpenOptions;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;

/// Limits of the process: a library that goes wrong does no more harm than this.
const LIMITS: [(Resource, u64); 4] = [
    (Resource::RLIMIT_AS, 8 << 30),
    (Resource::RLIMIT_CPU, 60),
    (Resource::RLIMIT_CORE, 0),
    (Resource::RLIMIT_FSIZE, 0),
];

/// Loads a queue library, and answers for one rank with it. The server is at the other end of standard input.
pub fn serve_queue_library() -> io::Result<()> {
    // The socket ends with the server; this ends a library that loops, too.
    let _ = nix::sys::prctl::set_pdeathsig(Signal::SIGKILL);
    for (resource, limit) in LIMITS {
        let _ = setrlimit(resource, limit, limit);
    }
    let stream = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    // The library gets neither the socket nor a terminal as its standard streams.
    let nothing = OpenOptions::new().read(true).write(true).open("/dev/null")?;
    nix::unistd::dup2_stdin(&nothing)?;
    let mut conversation = Conversation::new(stream);
    let task: Task = conversation.receive()?;
    callbacks::connect(conversation, task.rank);
    callbacks::finish(&Question::Done(read(&task).map(Box::new)));
    Ok(())
}

fn read(task: &Task) -> Result<MessageQueues, LibraryFault> {
    let library = Library::load(&task.library)?;
    library.set_up(&task.program)?;
    collect(&library)
}

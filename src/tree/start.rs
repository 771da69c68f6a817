//! Starts a process of the tree from the arguments of `rankscope-sdm`.

use super::arguments::Arguments;
use super::classical::with_role;
use super::connect::{dial_front_end, take_key};
use super::error::{TreeError, io_fault};
use super::log_file::LogFile;
use super::master::{BaseClient, BaseLink};
use super::own_program::{TREE_WORD, own_command};
use super::server::{Routes, ServerSetup};
use super::{guests, join, master, server};
use crate::attach::slurm_tasks::SlurmTasks;
use crate::remote::{Reach, ServerConfig, Taken};
use crate::routing::dialling::{Dialling, Sign};
use crate::routing::file::RoutingFile;
use crate::routing::listed::{LaidKey, await_routes, await_session};
use clap::Parser;
use engine::process::pmix::serve_pmix_jobs;
use engine::{serve_queue_library, take_care};
use model::printable_lines;
use protocol::ptp::PlainListener;
use protocol::{ServerIndex, SessionDirectory};
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::os::fd::RawFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use tracing_subscriber::EnvFilter;

/// Runs as the arguments say; returns the exit code.
pub fn run(arguments: &Arguments) -> i32 {
    // The name that ps(1) shows, for either binary; a failure does no harm.
    let _ = nix::sys::prctl::set_name(c"rankscope-sdm");
    log_failures_briefly();
    if arguments.join {
        let Err(error) = join::run(&session_of(arguments), arguments.meeting.as_deref(), &arguments.program);
        // The session has told the reason for all ranks at once.
        if !matches!(error, join::JoinError::Known(_)) {
            eprintln!("rankscope: {}", printable_lines(&error.to_string()));
        }
        return error.exit_code();
    }
    if let Some(name) = &arguments.census {
        println!("{}", SlurmTasks::here(name).line());
        return 0;
    }
    if arguments.caretaker {
        take_care(std::io::stdin().lock());
        return 0;
    }
    if arguments.queue_library {
        close_inherited();
        return i32::from(serve_queue_library().is_err());
    }
    if let Some(launcher) = arguments.pmix_jobs {
        close_inherited();
        return i32::from(serve_pmix_jobs(launcher).is_err());
    }
    let (name, outcome) = if let Some(index) = arguments.tracer {
        close_inherited();
        (format!("tracer-{index}"), run_tracer(arguments, index).map(|()| 0))
    } else if let Some(number) = arguments.server {
        if number.is_none() {
            // A server with a number was started by its launcher, and keeps the descriptors that its rank needs, such
            // as a way to the launcher.
            close_inherited();
        }
        let index = number.or(arguments.index);
        let name = index.map_or_else(|| "server".to_owned(), |index| format!("server-{index}"));
        let ended = if arguments.apart { start_apart() } else { run_server(arguments) };
        (name, ended.map(|()| 0))
    } else {
        ("master".to_owned(), run_master(arguments))
    };
    match outcome {
        Ok(status) => status,
        Err(error) => {
            // Standard error may be a file on a full disk.
            let words = printable_lines(&error.to_string()).into_owned();
            let _ = writeln!(io::stderr(), "rankscope-sdm ({name}): {words}");
            error.exit_code()
        }
    }
}

/// The same for a command line, the program's name first.
pub fn run_words(words: impl IntoIterator<Item = OsString>) -> i32 {
    let words = with_role(words.into_iter().collect(), |name| std::env::var(name).ok());
    run(&Arguments::parse_from(words))
}

/// Logs a panic in one of our threads as one line. A backtrace needs memory: if that has run out, writing it would fail
/// in the middle while holding locks, and the process would hang instead of ending.
fn log_failures_briefly() {
    std::panic::set_hook(Box::new(|failure| {
        let thread = std::thread::current();
        let _ = writeln!(std::io::stderr(), "thread {:?} {failure}", thread.name().unwrap_or_default());
    }));
}

/// Closes inherited descriptors: a joiner starts servers, and has files that the launcher waits to see closed.
fn close_inherited() {
    let Ok(entries) = std::fs::read_dir("/proc/self/fd") else { return };
    let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let open: Vec<RawFd> = numbers.filter(|&fd| fd > 2).collect();
    for fd in open {
        // One of them belonged to the directory just read, and is closed already.
        let _ = nix::unistd::close(fd);
    }
}

/// Starts this program again without `--apart`, in a session of its own; its parent is then init.
fn start_apart() -> Result<(), TreeError> {
    let fault = || io_fault("start the server");
    let words = std::env::args_os().skip(1).filter(|word| word != "--apart" && word != TREE_WORD);
    let mut command = own_command().map_err(fault())?;
    // In a new session, signals to the group of the launcher's processes do not reach it.
    nix::unistd::setsid().map_err(|error| fault()(error.into()))?;
    // On standard input the server reports that it is ready, or closes it without that.
    command.args(words).stdin(Stdio::inherit()).process_group(0).spawn().map_err(fault())?;
    Ok(())
}

/// Protects the key in this process's memory: no core dump, and no access by other processes of the user.
fn keep_to_ourselves() {
    // A failure does no harm otherwise.
    let _ = nix::sys::prctl::set_dumpable(false);
}

fn run_server(arguments: &Arguments) -> Result<(), TreeError> {
    keep_to_ourselves();
    if let (Some(Some(rank)), Some(file)) = (arguments.server, arguments.listed()) {
        return with_runtime(run_listed(arguments, ServerIndex(rank), &file));
    }
    let setup = match &arguments.charter {
        Some(source) => {
            if arguments.staged {
                remove_copy()?;
            }
            chartered(ServerConfig::take(source)?)?
        }
        None => local(arguments)?,
    };
    log_to(&setup.directory, &format!("server-{}", setup.index.0), arguments)?;
    let own = (arguments.own_directory || setup.host.is_some()).then(|| setup.directory.clone());
    let outcome = with_runtime(server::run(setup));
    if let Some(directory) = own {
        directory.remove()?;
    }
    outcome
}

fn run_tracer(arguments: &Arguments, index: u32) -> Result<(), TreeError> {
    let directory = SessionDirectory::open_path(&session_of(arguments))?;
    log_to(&directory, &format!("tracer-{index}"), arguments)?;
    with_runtime(guests::run(arguments.engine()))
}

/// Runs a server that gets no other instructions: everything is in the routing file and beside it.
async fn run_listed(arguments: &Arguments, index: ServerIndex, file: &Path) -> Result<(), TreeError> {
    let (routes, key, directory) = await_session(file).await?;
    log_to(&directory, &format!("server-{}", index.0), arguments)?;
    let setup = ServerSetup {
        key,
        directory: directory.clone(),
        index,
        size: routes.servers(),
        shape: arguments.shape(),
        // The parent dials us.
        master: String::new(),
        listen: if routes.is_local() { arguments.listen.clone() } else { server::EVERYWHERE.to_owned() },
        ports: None,
        engine: arguments.engine(),
        routes: Routes::Known(routes),
        dialling: Dialling::Down,
        sign: None,
        ready: false,
        host: None,
    };
    let outcome = server::run(setup).await;
    directory.remove()?;
    outcome
}

/// Returns the settings of a server on the master's host, or of one that a joiner starts.
fn local(arguments: &Arguments) -> Result<ServerSetup, TreeError> {
    let directory = SessionDirectory::open_path(&session_of(arguments))?;
    let wanted = || TreeError::Other("a server needs --index I, --size N and --master HOST:PORT".to_owned());
    let index = ServerIndex(arguments.index.ok_or_else(wanted)?);
    let size = arguments.size.ok_or_else(wanted)?;
    if index.0 >= size {
        return Err(TreeError::Other(format!("no server {}: --size is {size}", index.0)));
    }
    Ok(ServerSetup {
        key: directory.key()?,
        directory,
        index,
        size,
        shape: arguments.shape(),
        master: arguments.master.clone().filter(|address| !address.is_empty()).ok_or_else(wanted)?,
        listen: arguments.listen.clone(),
        ports: arguments.port_range,
        engine: arguments.engine(),
        routes: arguments.routing_file.clone().map_or(Routes::Told, Routes::File),
        dialling: Dialling::of(arguments.parents_dial),
        sign: arguments.sign.clone().map(Sign::Directory),
        ready: arguments.ready,
        host: None,
    })
}

/// Returns the settings of a server that was started on another host.
fn chartered(taken: Taken) -> Result<ServerSetup, TreeError> {
    let Taken { charter, post, directory, sign } = taken;
    Ok(ServerSetup {
        key: directory.key()?,
        directory,
        index: post.server,
        size: charter.size,
        shape: charter.shape,
        master: charter.master,
        listen: server::EVERYWHERE.to_owned(),
        ports: charter.ports,
        engine: charter.engine,
        routes: charter.routing_file.map_or(Routes::Told, Routes::File),
        sign: charter.dialling.is_down().then_some(sign),
        dialling: charter.dialling,
        ready: false,
        host: Some(post.host),
    })
}

/// Removes the copy of this program: a running program needs no name.
fn remove_copy() -> Result<(), TreeError> {
    let own = std::env::current_exe().map_err(io_fault("find this copy of rankscope"))?;
    let fault = || io_fault(format!("remove {}", own.display()));
    // The pipe through which the key came.
    let pipe = own.with_file_name("charter");
    match std::fs::remove_file(&pipe) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(io_fault(format!("remove {}", pipe.display()))(error));
        }
        _ => {}
    }
    std::fs::remove_file(&own).map_err(fault())?;
    own.parent().map_or(Ok(()), std::fs::remove_dir).map_err(fault())
}

fn run_master(arguments: &Arguments) -> Result<i32, TreeError> {
    keep_to_ourselves();
    with_runtime(async {
        let listed = arguments.listed();
        let routes = match &listed {
            Some(file) => {
                if arguments.listed.is_none() && !file.exists() {
                    let words = "which lists the servers and their ranks; or start N ranks on this host with --ranks N";
                    eprintln!("rankscope-sdm (master): waiting for the file {}, {words}", file.display());
                }
                Some(await_routes(file).await?)
            }
            None => None,
        };
        let client = base_client(arguments, routes.as_ref()).await?;
        let front = match arguments.key_fd {
            Some(descriptor) => {
                let key = take_key(descriptor).map_err(io_fault("read the key of the session"))?;
                Some((dial_front_end(&arguments.dial, &key).await?, key))
            }
            None => None,
        };
        let directory = match &arguments.session {
            Some(path) => SessionDirectory::open_path(path)?,
            None => SessionDirectory::create(None)?,
        };
        let (front, mut key) = front.unzip();
        // The key is there for the servers until we end.
        let _laid = match &listed {
            Some(file) => {
                let (laid, fresh) = LaidKey::lay(file)?;
                key = Some(fresh);
                Some(laid)
            }
            None => None,
        };
        if let Some(key) = &key {
            directory.keep_key(key)?;
        }
        log_to(&directory, "master", arguments)?;
        let own = arguments.session.is_none().then(|| directory.clone());
        let setup = master::MasterSetup {
            // The front end or the master makes the key, whichever comes first.
            key: directory.key().or_else(|_| directory.create_key())?,
            directory,
            front_end: arguments.front_end.clone(),
            listen: arguments.listen.clone(),
            engine: arguments.engine(),
            shape: arguments.shape(),
            ranks_per_server: routes.as_ref().map(|_| 1).or(arguments.ranks_per_server),
            dialling: Dialling::of(arguments.parents_dial || routes.is_some()),
            routes,
            ports: arguments.port_range,
            routing_file: arguments.routing_file.clone(),
            own_files: front.is_some(),
            unattended: arguments.unattended,
            reach: Reach::new(arguments.ssh.as_deref(), arguments.stage),
        };
        let outcome = master::run(setup, client, front).await;
        if let (Err(_), Some(directory)) = (&outcome, own) {
            // The first error tells more than this one.
            let _ = directory.remove();
        }
        outcome
    })
}

/// Returns the session; the arguments have been checked, so only a master with a port has none.
fn session_of(arguments: &Arguments) -> PathBuf {
    arguments.session.clone().unwrap_or_default()
}

async fn base_client(arguments: &Arguments, routes: Option<&RoutingFile>) -> Result<Option<BaseClient>, TreeError> {
    let Some(port) = arguments.port else { return Ok(None) };
    let plain = arguments.plain;
    let link = match &arguments.host {
        Some(host) => BaseLink::Dial { address: format!("{host}:{port}"), plain },
        None => {
            let listener = PlainListener::bind(&format!("{}:{port}", arguments.listen), plain).await?;
            println!("waiting for a base-dialect client on {}", listener.address());
            BaseLink::Listen(listener)
        }
    };
    Ok(Some(BaseClient { link, ranks: routes.map_or(arguments.ranks.unwrap_or(1), RoutingFile::servers) }))
}

fn with_runtime<T>(work: impl Future<Output = Result<T, TreeError>>) -> Result<T, TreeError> {
    // One thread: a message goes from its link to the owner of the state and on without changing threads.
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime = builder.enable_all().build().map_err(io_fault("start the runtime"))?;
    let outcome = runtime.block_on(work);
    // Tasks may still wait for links that nobody needs any more.
    runtime.shutdown_background();
    outcome
}

fn log_to(directory: &SessionDirectory, name: &str, arguments: &Arguments) -> Result<(), TreeError> {
    let path = directory.log(name);
    let file = LogFile::open(&path).map_err(io_fault(format!("open {}", path.display())))?;
    let filter = EnvFilter::try_from_env("RANKSCOPE_LOG").unwrap_or_else(|_| EnvFilter::new(arguments.log_level()));
    // The first subscriber of a process stays; tests in one process may start several parts.
    let _ = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).with_writer(Mutex::new(file)).try_init();
    Ok(())
}

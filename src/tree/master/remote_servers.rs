//! Servers on other hosts: a Slurm step starts them inside a Slurm job, ssh everywhere else.

use super::assembly::Assembly;
use super::input::Input;
use super::job::LOCAL_LIMIT;
use super::processes::{Started, append, start, start_fed};
use super::servers::JobServers;
use crate::attach::job_table::OwnHost;
use crate::attach::{RankTable, Share};
use crate::own_program::{own_words, static_words};
use crate::remote::{Post, ServerConfig, charter_words, slurm_step, ssh_command};
use crate::routing::dialling::place_on;
use model::TransactionId;
use protocol::{ServerIndex, host_word};
use std::fs::File;
use std::io::{self, BufRead, BufReader, PipeReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Name of the log for output of a Slurm step and its servers outside their own logs.
pub(super) const STEP_LOG: &str = "servers";
/// Maximum number of copies on one host.
const MOST_COPIES: u32 = 4096;

impl JobServers {
    /// Starts copies of a program on several hosts.
    pub(super) fn launch_on_hosts(
        &mut self,
        now: Instant,
        tid: TransactionId,
        hosts: &[(String, u32)],
    ) -> Result<Assembly, String> {
        if let Some((host, count)) = hosts.iter().find(|(_, count)| !(1..=MOST_COPIES).contains(count)) {
            return Err(format!("cannot start {count} ranks on {host}: the limit is 1 to {MOST_COPIES}"));
        }
        if let Some(error) = hosts.iter().find_map(|(host, _)| host_word(host).err()) {
            return Err(error.to_string());
        }
        let own = OwnHost::now();
        let places: Vec<Option<String>> = hosts.iter().map(|(host, _)| (!own.is(host)).then(|| host.clone())).collect();
        // A Slurm job around us does not matter: ssh was asked for.
        self.start_at(&places, None)?;
        let (servers, ranks) = (hosts.len() as u32, hosts.iter().map(|(_, count)| *count).sum());
        Ok(Assembly::new(tid, Some(servers), Some(ranks), Some(now + LOCAL_LIMIT)))
    }

    /// Starts servers where the processes of a job are; returns their number.
    pub(super) fn start_for(&mut self, rank_table: &RankTable) -> Result<u32, String> {
        let shares = rank_table.shares(self.setup.ranks_per_server);
        let places: Vec<Option<String>> = shares.into_iter().map(|Share { host, .. }| host).collect();
        self.start_at(&places, rank_table.slurm.as_deref())?;
        Ok(places.len() as u32)
    }

    /// Starts a server at each place, here or on another host.
    fn start_at(&mut self, places: &[Option<String>], slurm: Option<&str>) -> Result<(), String> {
        let size = places.len() as u32;
        let numbered = || (0..).map(ServerIndex).zip(places);
        let posts: Vec<Post> =
            numbered().filter_map(|(server, host)| Some(Post { server, host: host.clone()? })).collect();
        if !posts.is_empty() {
            self.listen_outward()?;
        }
        let here: Vec<u32> = numbered().filter(|(_, host)| host.is_none()).map(|(server, _)| server.0).collect();
        self.start_here(here.into_iter(), size)?;
        if posts.is_empty() {
            return Ok(());
        }
        self.hosts.extend(posts.iter().map(|post| (post.server, post.host.clone())));
        let directory = &self.setup.directory;
        let info = directory.info().map_err(|error| error.to_string())?;
        let charter = ServerConfig {
            session: directory.name().to_owned(),
            info,
            posts,
            size,
            master: self.address.clone(),
            engine: self.setup.engine.clone(),
            shape: self.setup.shape,
            ports: self.setup.ports_of_servers(),
            routing_file: self.setup.routing_file.clone(),
            dialling: self.setup.dialling,
        };
        match slurm {
            Some(job) => self.start_step(job, &charter),
            None => charter.posts.iter().try_for_each(|post| self.start_by_ssh(&charter, post)),
        }
    }

    /// Reads the output of a server on another host, in a thread of its own: the line with its address is for us, the
    /// rest goes to its log.
    fn hear_place(&self, words: PipeReader, mut log: File) -> io::Result<()> {
        let inputs = self.inputs.clone();
        let read = move || {
            for line in BufReader::new(words).split(b'\n') {
                let Ok(mut line) = line else { return };
                match place_on(&String::from_utf8_lossy(&line)) {
                    // The master may have ended meanwhile.
                    Some((server, address)) => drop(inputs.send(Input::Place(server, address))),
                    None => {
                        line.push(b'\n');
                        // A full disk is no reason to stop reading.
                        let _ = log.write_all(&line);
                    }
                }
            }
        };
        std::thread::Builder::new().name("server-words".into()).stack_size(64 << 10).spawn(read).map(drop)
    }

    fn start_by_ssh(&mut self, charter: &ServerConfig, post: &Post) -> Result<(), String> {
        let fault = |error: &dyn std::fmt::Display| format!("cannot start a server on {}: {error}", post.host);
        let own = own_words().map_err(|error| fault(&error))?;
        let portable = if self.setup.reach.stage { static_words(&own) } else { None };
        let programs: Vec<_> = portable.into_iter().chain([own]).collect();
        let line = ServerConfig { posts: vec![post.clone()], ..charter.clone() }.line(&self.setup.key);
        let line = line.map_err(|error| fault(&error))?;
        let first = programs.first().and_then(|words| words.first()).map(PathBuf::from);
        let copied = first.filter(|_| self.setup.reach.stage);
        let command = ssh_command(&self.setup.reach, &post.host, &programs);
        let mut command = command.map_err(|error| fault(&error))?;
        let log = append(&self.setup.directory.log(&format!("server-{}", post.server.0)));
        logged(&mut command, log).map_err(|error| fault(&error))?;
        if self.setup.dialling.is_down() {
            let log = append(&self.setup.directory.log(&format!("server-{}", post.server.0)));
            let heard = log.and_then(|log| {
                let (words, written) = io::pipe()?;
                command.stdout(written);
                self.hear_place(words, log)
            });
            heard.map_err(|error| fault(&error))?;
        }
        command.stdin(Stdio::piped());
        let feed = move |input: &mut std::process::ChildStdin| {
            input.write_all(line.as_bytes())?;
            copied.map_or(Ok(0), |program| io::copy(&mut File::open(program)?, input)).map(drop)
        };
        let pid = start_fed(command, Started::Server(post.server), feed, self.end_teller());
        self.running.insert(post.server, pid.map_err(|error| fault(&error))?);
        Ok(())
    }

    /// Starts one step for all hosts. It has no input: its configuration lies in a directory that hosts share.
    fn start_step(&mut self, job: &str, charter: &ServerConfig) -> Result<(), String> {
        let (Some(first), count) = (charter.posts.first(), charter.posts.len() as u32) else { return Ok(()) };
        let meeting = self.open_meeting()?;
        charter.write(&meeting).map_err(|error| error.to_string())?;
        let program = self.words_for(&meeting)?;
        let hosts: Vec<&str> = charter.posts.iter().map(|post| post.host.as_str()).collect();
        let fault = |error: io::Error| format!("cannot start srun for servers on {}: {error}", hosts.join(", "));
        let mut command = slurm_step(job, &hosts, &program).map_err(|error| error.to_string())?;
        command.args(charter_words(meeting.path())).stdin(Stdio::null());
        logged(&mut command, append(&self.setup.directory.log(STEP_LOG))).map_err(fault)?;
        let pid = start(command, Started::Step(first.server, count), self.end_teller()).map_err(fault)?;
        self.running.extend(charter.posts.iter().map(|post| (post.server, pid)));
        Ok(())
    }
}

fn logged(command: &mut Command, log: io::Result<File>) -> io::Result<()> {
    use std::os::unix::process::CommandExt;
    let log = log?;
    // Signals from the keyboard are not for it.
    command.stdout(log.try_clone()?).stderr(log).process_group(0);
    Ok(())
}

//! Prepares a session for joiners on other hosts.

use super::servers::{JobServers, accept_servers};
use crate::join::plan::JoinPlan;
use protocol::{SessionDirectory, is_loopback, listen_everywhere, own_addresses, reachable};
use std::path::PathBuf;

/// Launchers that always ask a resource manager for their hosts.
const OF_MANAGERS: [&str; 4] = ["srun", "flux", "jsrun", "aprun"];
/// Launcher options that name hosts, without their dashes.
const NAME_HOSTS: [&str; 12] = [
    "H",
    "host",
    "hosts",
    "hostlist",
    "hostfile",
    "machinefile",
    "machine-file",
    "default-hostfile",
    "f",
    "w",
    "nodelist",
    "add-host",
];
/// Variables that resource managers set inside an allocation, and users instead of an option.
const ALLOCATIONS: [&str; 10] = [
    "SLURM_JOB_NODELIST",
    "PBS_NODEFILE",
    "LSB_HOSTS",
    "LSB_MCPU_HOSTS",
    "PE_HOSTFILE",
    "OAR_NODEFILE",
    "COBALT_NODEFILE",
    "FLUX_URI",
    "HYDRA_HOST_FILE",
    "OMPI_MCA_orte_default_hostfile",
];

/// True if a launcher may start ranks on other hosts.
pub(super) fn leaves_host(command: &[String], environment: impl Fn(&str) -> bool) -> bool {
    let Some((launcher, rest)) = command.split_first() else { return false };
    let name = launcher.rsplit('/').next().unwrap_or(launcher);
    let own = rest.iter().take_while(|word| *word != "{join}");
    let names_hosts = |word: &String| {
        let option = word.trim_start_matches('-');
        let option = option.split('=').next().unwrap_or(option);
        word.starts_with('-') && NAME_HOSTS.contains(&option)
    };
    OF_MANAGERS.contains(&name) || own.into_iter().any(names_hosts) || ALLOCATIONS.into_iter().any(environment)
}

/// Returns the directory in which the hosts of a job meet.
fn shared() -> Result<PathBuf, String> {
    let named = std::env::var_os("RANKSCOPE_SHARED").filter(|path| !path.is_empty()).map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".rankscope").join("jobs"));
    let found = named.or_else(home).filter(|path| path.is_absolute());
    found.ok_or_else(|| {
        "HOME is not set: set RANKSCOPE_SHARED to a directory that all hosts of the job share".to_owned()
    })
}

impl JobServers {
    /// Opens what joiners on other hosts need, and enters it in the plan.
    pub(super) fn meet(&mut self, plan: &mut JoinPlan) -> Result<(), String> {
        self.listen_outward()?;
        let meeting = self.open_meeting()?;
        self.address.clone_into(&mut plan.master);
        "any".clone_into(&mut plan.listen);
        plan.meeting = Some(meeting.path().to_owned());
        plan.write(&meeting).map_err(|error| error.to_string())
    }

    /// Makes the directory in which the hosts of this job meet. It is removed with the job.
    pub(super) fn open_meeting(&mut self) -> Result<SessionDirectory, String> {
        let base = shared()?;
        if let Some(above) = base.parent() {
            std::fs::create_dir_all(above).map_err(|error| format!("cannot make {}: {error}", above.display()))?;
        }
        self.launches += 1;
        let own = &self.setup.directory;
        let name = format!("{}-{}", own.name(), self.launches);
        let meeting = SessionDirectory::create_in(&base, Some(&name)).map_err(|error| error.to_string())?;
        // An earlier launch had other numbers.
        let _ = std::fs::remove_file(own.path().join("place"));
        let filled = || {
            meeting.keep_key(&self.setup.key)?;
            meeting.write_info(&own.info()?)
        };
        self.meeting = Some(meeting.clone());
        filled().map_err(|error| error.to_string())?;
        Ok(meeting)
    }

    /// Listens for servers of other hosts, too.
    pub(super) fn listen_outward(&mut self) -> Result<(), String> {
        if self.outward || self.setup.dialling.is_down() || !is_loopback(&self.setup.listen) {
            return Ok(());
        }
        let listener = listen_everywhere(None).map_err(|error| error.to_string())?;
        let port = listener.port().unwrap_or_default();
        tokio::spawn(accept_servers(listener, &self.setup.key, &self.numbers, &self.inputs));
        self.address = reachable(&own_addresses(), port);
        self.outward = true;
        Ok(())
    }

    /// Removes the directory at the end of the job: nobody joins it any more.
    pub(super) fn end_meeting(&mut self) {
        if let Some(meeting) = self.meeting.take()
            && let Err(error) = meeting.remove()
        {
            tracing::warn!("{error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaves(line: &str, set: &str) -> bool {
        let command: Vec<String> = line.split(' ').map(str::to_owned).collect();
        leaves_host(&command, |name| name == set)
    }

    #[test]
    fn launchers_stay_unless_hosts_are_named() {
        assert!(!leaves("mpirun -n 4 {join} ./app -host x", ""));
        assert!(leaves("mpirun -host a,b -n 4 {join} ./app", ""));
        assert!(leaves("/opt/bin/mpiexec --hostfile=h {join} ./app", ""));
        assert!(leaves("mpiexec.hydra -f hosts {join} ./app", ""));
        assert!(leaves("/usr/bin/srun -n 4 {join} ./app", ""));
        assert!(leaves("mpirun -n 4 {join} ./app", "PBS_NODEFILE"));
    }
}

//! Command lines of the Parallel Tools Platform. A launcher passes the same arguments to all of its processes: the
//! environment says which rank each one debugs, and a process without a rank there is the master.

use super::join::rank_variables;
use std::ffi::OsString;

/// Options that name a role; with one of them nothing has to be inferred.
const ROLES: [&str; 8] =
    ["--master", "--server", "--join", "--census", "--caretaker", "--queue-library", "--pmix-jobs", "--tracer"];
/// Options that the platform passes to every process.
const GIVEN: [&str; 2] = ["--host", "--port"];
/// Rank variables of its launchers, besides those that joiners read: old Open MPI, IBM PE, Platform MPI, X10.
const OLD_RANKS: [&str; 5] =
    ["OMPI_MCA_orte_ess_vpid", "OMPI_MCA_ns_nds_vpid", "MP_CHILD", "PCMP_PTP_RANK", "X10_PLACE"];

/// Returns the command line, the program's name first; adds the role found in the environment if no option names one.
pub(super) fn with_role(mut words: Vec<OsString>, get: impl Fn(&str) -> Option<String>) -> Vec<OsString> {
    let is_one_of = |word: &OsString, names: &[&str]| {
        let word = word.to_string_lossy();
        names.contains(&word.split('=').next().unwrap_or_default())
    };
    let options = || words.iter().skip(1).take_while(|word| *word != "--");
    if options().any(|word| is_one_of(word, &ROLES)) || !options().any(|word| is_one_of(word, &GIVEN)) {
        return words;
    }
    let known = rank_variables(&get).into_iter().map(|(_, rank)| rank).next();
    let rank = known.or_else(|| OLD_RANKS.iter().find_map(|name| get(name)));
    words.push(rank.map_or_else(|| "--master".to_owned(), |rank| format!("--server={rank}")).into());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn role(line: &str, environment: &[(&str, &str)]) -> Option<String> {
        let words: Vec<OsString> = std::iter::once("sdm").chain(line.split(' ')).map(OsString::from).collect();
        let get = |name: &str| environment.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned());
        let before = words.len();
        with_role(words, get).get(before).map(|word| word.to_str().unwrap().to_owned())
    }

    #[test]
    fn ranks_come_from_the_environment_and_who_has_none_is_the_master() {
        let line = "--host=desk --port=4000 --debugger=gdb-mi";
        for name in ["OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID", "OMPI_MCA_orte_ess_vpid", "MP_CHILD"] {
            assert_eq!(role(line, &[(name, "3")]).as_deref(), Some("--server=3"), "{name}");
        }
        assert_eq!(role(line, &[]).as_deref(), Some("--master"));
        assert_eq!(role("--port 4000", &[("PMI_RANK", "0")]).as_deref(), Some("--server=0"));
    }

    #[test]
    fn a_role_that_is_said_stays() {
        for line in
            ["--master --port=4000", "--server=2 --port 4000", "--join --session /s -- a", "--census 1", "--help"]
        {
            assert_eq!(role(line, &[("PMI_RANK", "1")]), None, "{line}");
        }
    }
}

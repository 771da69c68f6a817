//! Makes a job of core files: each is a rank, by its environment or else in the order of the names.

use super::RankTable;
use crate::join::claimed_rank;
use engine::core::{CoreFileFault, CoreIdentity};
use model::Rank;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// A greater rank is damage: simulated ranks have lower ones.
const HIGHEST_RANK: u32 = 1 << 20;
/// Ranks without a core file that a job has at most: each of them is listed.
const MOST_ABSENT: usize = 1 << 16;
/// Faulty files that are named one by one.
const MOST_NAMED: usize = 8;

/// A core file, and what its environment says.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Core {
    path: String,
    pid: i32,
    rank: Option<Rank>,
}

/// Returns the ranks of core files, which are named themselves or by their directories; a message for the user if there
/// are none.
pub(super) fn core_files(named: &[String]) -> Result<RankTable, String> {
    let (mut cores, mut faults) = (Vec::new(), Vec::new());
    for path in named {
        if Path::new(path).is_dir() {
            let inside = in_directory(path).map_err(|error| format!("cannot read the directory {path}: {error}"))?;
            if inside.is_empty() {
                faults.push(format!("no core files in the directory {path}"));
            }
            cores.extend(inside);
        } else {
            match core(path) {
                Ok(core) => cores.push(core),
                Err(fault) => faults.push(fault.to_string()),
            }
        }
    }
    if cores.is_empty() {
        return Err(limited(faults, "are no core files").join("\n"));
    }
    cores.sort_by(|one, other| natural(&one.path, &other.path));
    cores.dedup_by(|one, other| one.path == other.path);
    let mut notes: Vec<String> =
        limited(faults, "are no core files").into_iter().map(|fault| format!("{fault}; it is left out")).collect();
    let places = match by_environment(&cores) {
        Ok((places, unknown)) => {
            notes.extend(unknown);
            places
        }
        Err(why) => {
            notes.extend(why.map(|why| format!("{why}: ranks are numbered in the order of the names")));
            cores.iter().map(Some).collect()
        }
    };
    let core_files = (0..).map(Rank).zip(&places).filter_map(|(rank, core)| Some((rank, (*core)?.path.clone())));
    let core_files = core_files.collect();
    let absent = || "no core file of this rank".to_owned();
    let places = places.iter().map(|core| core.map(|core| core.pid.into()).ok_or_else(absent)).collect();
    Ok(RankTable { places, core_files, notes, partial: true, ..RankTable::default() })
}

fn core(path: &str) -> Result<Core, CoreFileFault> {
    let CoreIdentity { pid, environment } = CoreIdentity::read(path)?;
    let value = |name: &str| environment.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    let rank = claimed_rank(value).filter(|rank| rank.0 < HIGHEST_RANK);
    Ok(Core { path: path.to_owned(), pid: i32::try_from(pid).unwrap_or(0), rank })
}

/// Returns the core files of a directory, which may have other files.
fn in_directory(path: &str) -> io::Result<Vec<Core>> {
    let mut cores = Vec::new();
    for entry in fs::read_dir(path)? {
        let file = entry?.path();
        if file.is_file()
            && let Some(file) = file.to_str()
        {
            cores.extend(core(file));
        }
    }
    Ok(cores)
}

/// Keeps the first of many faults.
fn limited(mut faults: Vec<String>, rest: &str) -> Vec<String> {
    let more = faults.len().saturating_sub(MOST_NAMED);
    faults.truncate(MOST_NAMED);
    if more > 0 {
        faults.push(format!("{more} more files {rest}"));
    }
    faults
}

/// The core file of each rank, and notes for the user.
type Places<'a> = (Vec<Option<&'a Core>>, Vec<String>);

/// Returns the core file of each rank, and notes about those that do not say theirs, which become ranks above the others;
/// fails with the reason if the environments contradict each other, and without one if none says anything.
fn by_environment(cores: &[Core]) -> Result<Places<'_>, Option<String>> {
    let mut ranks: BTreeMap<Rank, &Core> = BTreeMap::new();
    for core in cores {
        let Some(rank) = core.rank else { continue };
        if let Some(other) = ranks.insert(rank, core) {
            let (other, path) = (&other.path, &core.path);
            return Err(Some(format!("{other} and {path} are both of rank {rank} by their environments")));
        }
    }
    let Some((highest, _)) = ranks.last_key_value() else { return Err(None) };
    let size = highest.0 as usize + 1;
    if size - ranks.len() > MOST_ABSENT {
        return Err(Some(format!("rank {highest} is too high for {} core files", ranks.len())));
    }
    let mut places: Vec<Option<&Core>> = (0..=highest.0).map(|rank| ranks.get(&Rank(rank)).copied()).collect();
    let mut unknown = Vec::new();
    for core in cores.iter().filter(|core| core.rank.is_none()) {
        unknown.push(format!("{} has no rank in its environment: it is shown as rank {}", core.path, places.len()));
        places.push(Some(core));
    }
    Ok((places, limited(unknown, "have no rank, either")))
}

/// Compares names so that numbers in them are in the order of their values: `core.2` comes before `core.10`.
fn natural(one: &str, other: &str) -> Ordering {
    let (mut left, mut right) = (one, other);
    loop {
        let (a, b) = (digits(left), digits(right));
        if a > 0 && b > 0 {
            let (number, rest) = left.split_at(a);
            let (also, others) = right.split_at(b);
            let (bare, bare_also) = (number.trim_start_matches('0'), also.trim_start_matches('0'));
            let order = bare.len().cmp(&bare_also.len()).then_with(|| bare.cmp(bare_also));
            if order != Ordering::Equal {
                return order;
            }
            (left, right) = (rest, others);
            continue;
        }
        match (left.chars().next(), right.chars().next()) {
            (Some(c), Some(d)) if c == d => {
                left = left.get(c.len_utf8()..).unwrap_or_default();
                right = right.get(d.len_utf8()..).unwrap_or_default();
            }
            // `core.01` and `core.1` are not the same file.
            (None, None) => return one.cmp(other),
            (c, d) => return c.cmp(&d),
        }
    }
}

/// The number of digits at the beginning of a text.
fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str, rank: Option<u32>) -> Core {
        Core { path: path.to_owned(), pid: 1, rank: rank.map(Rank) }
    }

    fn numbered(cores: &[Core]) -> Result<Vec<Option<&str>>, Option<String>> {
        let (places, _) = by_environment(cores)?;
        Ok(places.into_iter().map(|core| core.map(|core| core.path.as_str())).collect())
    }

    #[test]
    fn the_environment_names_the_ranks_and_ranks_without_a_core_file_stay_empty() {
        let cores = [of("a", Some(3)), of("b", Some(0)), of("c", Some(1))];
        assert_eq!(numbered(&cores), Ok(vec![Some("b"), Some("c"), None, Some("a")]));
        assert_eq!(numbered(&[of("a", None), of("b", None)]), Err(None));
        let cut = [of("a", None), of("b", Some(1))];
        assert_eq!(numbered(&cut), Ok(vec![None, Some("b"), Some("a")]));
        let (_, notes) = by_environment(&cut).unwrap();
        assert_eq!(notes, ["a has no rank in its environment: it is shown as rank 2"]);
    }

    #[test]
    fn environments_that_contradict_each_other_are_reported() {
        for (cores, words) in [
            ([of("a", Some(1)), of("b", Some(1))], "a and b are both of rank 1"),
            ([of("a", Some(0)), of("b", Some(900_000))], "rank 900000 is too high for 2 core files"),
        ] {
            let why = numbered(&cores).unwrap_err().unwrap();
            assert!(why.contains(words), "{why}");
        }
    }

    #[test]
    fn numbers_in_names_are_in_their_order() {
        let mut names =
            ["core.10", "core.9", "a2b10", "core.2", "core", "a2b9", "core.01", "core.1", "core.99999999999999999999"];
        names.sort_by(|one, other| natural(one, other));
        let sorted =
            ["a2b9", "a2b10", "core", "core.01", "core.1", "core.2", "core.9", "core.10", "core.99999999999999999999"];
        assert_eq!(names, sorted);
    }

    #[test]
    fn files_that_are_no_core_files_are_named() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().to_str().unwrap().to_owned();
        let file = place.path().join("notes.txt");
        fs::write(&file, "not ELF").unwrap();
        let file = file.to_str().unwrap().to_owned();
        assert!(core_files(&[directory]).unwrap_err().contains("no core files in the directory"));
        assert!(core_files(&[file]).unwrap_err().contains("notes.txt is not a core file"));
        assert!(core_files(&["/nowhere/core".to_owned()]).unwrap_err().contains("cannot read /nowhere/core"));
    }
}

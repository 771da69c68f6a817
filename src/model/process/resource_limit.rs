//! Limits on the resources of a process (getrlimit(2)).

use serde::{Deserialize, Serialize};
use std::fmt;

/// A limit on a resource; `None`: there is none.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ResourceLimit {
    /// The resource: `stack size`.
    pub name: String,
    /// The limit that holds.
    pub soft: Option<u64>,
    /// The most to which the process may raise it.
    pub hard: Option<u64>,
    /// `bytes`, `seconds`; empty for a plain number.
    pub unit: String,
}

impl ResourceLimit {
    /// Reads the kernel's table (proc_pid_limits(5)).
    pub fn parse_table(table: &str) -> Vec<Self> {
        table.lines().filter_map(|line| Self::parse(line.strip_prefix("Max ")?)).collect()
    }

    fn parse(line: &str) -> Option<Self> {
        let limit = |word: &str| match word {
            "unlimited" => Some(None),
            number => number.parse().ok().map(Some),
        };
        let words: Vec<&str> = line.split_whitespace().collect();
        let at = words.iter().position(|word| limit(word).is_some())?;
        let (name, values) = words.split_at_checked(at)?;
        let [soft, hard, unit @ ..] = values else { return None };
        Some(Self { name: name.join(" "), soft: limit(soft)?, hard: limit(hard)?, unit: unit.concat() })
    }
}

impl fmt::Display for ResourceLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, soft, hard, unit } = self;
        let word = |limit: &Option<u64>| limit.map_or_else(|| "unlimited".to_owned(), |limit| limit.to_string());
        // A count of files says of what it is one.
        let unit = if soft.is_some() && ["bytes", "seconds", "us"].contains(&&**unit) {
            format!(" {unit}")
        } else {
            String::new()
        };
        write!(f, "{name} {}{unit}", word(soft))?;
        if soft == hard { Ok(()) } else { write!(f, " (at most {})", word(hard)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\
Limit                     Soft Limit           Hard Limit           Units     
Max cpu time              unlimited            unlimited            seconds   
Max stack size            8388608              unlimited            bytes     
Max open files            1024                 1024                 files     
Max nice priority         0                    0                    
Max odd
";

    #[test]
    fn the_table_of_the_kernel_is_read() {
        let limits = ResourceLimit::parse_table(TABLE);
        let texts: Vec<String> = limits.iter().map(ToString::to_string).collect();
        let expected = [
            "cpu time unlimited",
            "stack size 8388608 bytes (at most unlimited)",
            "open files 1024",
            "nice priority 0",
        ];
        assert_eq!(texts, expected);
        assert_eq!((limits[0].soft, limits[1].soft, &*limits[1].unit), (None, Some(8 << 20), "bytes"));
    }

    #[test]
    fn this_system_has_limits() {
        let table = std::fs::read_to_string("/proc/self/limits").unwrap();
        assert_eq!(ResourceLimit::parse_table(&table).len(), table.lines().count() - 1);
    }
}

//! Names of files with the number of a rank in them.

use crate::command::RANK;
use model::Rank;

/// True if each rank has a file of its own.
pub(super) fn names_rank(file: &str) -> bool {
    file.contains(RANK)
}

/// Returns the file of a rank.
pub(super) fn of_rank(file: &str, rank: Rank) -> String {
    file.replace(RANK, &rank.0.to_string())
}

/// Returns the name with the characters for the rank's number, before its extension.
pub(super) fn with_rank(file: &str) -> String {
    let name_at = file.rfind('/').map_or(0, |slash| slash + 1);
    match file.rfind('.').filter(|dot| *dot > name_at) {
        Some(dot) => format!("{}.{RANK}{}", file.get(..dot).unwrap_or(""), file.get(dot..).unwrap_or("")),
        None => format!("{file}.{RANK}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rank_is_put_before_the_extension() {
        assert_eq!(with_rank("u.bin"), "u.%r.bin");
        assert_eq!(with_rank("a.d/u"), "a.d/u.%r");
        assert_eq!(with_rank("a/.u"), "a/.u.%r");
        assert_eq!(of_rank("%r/u.%r", Rank(3)), "3/u.3");
        assert!(names_rank("u%r") && !names_rank("u%d"));
    }
}

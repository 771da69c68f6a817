//! The program's file and where it is loaded, in gdb's words.

use model::raw_word;
use std::path::PathBuf;

/// Returns the program's file and its entry point from the output of `info files`.
pub(in crate::gdb) fn program_in(words: &str) -> Option<(PathBuf, u64)> {
    let path = words.lines().find_map(|line| line.trim().strip_prefix('`')?.rsplit_once("', file type "))?.0;
    let entry = words.lines().find_map(|line| line.trim().strip_prefix("Entry point: 0x"))?;
    Some((raw_word(path).into(), u64::from_str_radix(entry.trim(), 16).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gdb_says_which_program_was_where() {
        let words = "Symbols from \"/tmp/it's, file type/ring\".\nLocal exec file:\n\t`/tmp/it's, file type/ring', \
                     file type elf64-x86-64.\n\tEntry point: 0x555555555060\n\t0x0000555555554318 - \
                     0x0000555555554334 is .interp\n";
        assert_eq!(program_in(words), Some(("/tmp/it's, file type/ring".into(), 0x5555_5555_5060)));
        assert_eq!(program_in(""), None);
        assert_eq!(program_in("\t`/tmp/a', file type elf64-x86-64.\n\tEntry point: 0xzz\n"), None);
    }
}

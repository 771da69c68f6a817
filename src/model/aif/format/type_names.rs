//! gdb's spelling of base types, where DWARF's differs.

/// The words that make up C's integer types.
const WORDS: &[&str] = &["unsigned", "signed", "long", "short", "int", "char"];

/// Returns gdb's spelling of a type: `long unsigned int` becomes `unsigned long`, `short int` `short`; others stay.
pub fn as_gdb_spells(type_name: &str) -> String {
    if !WORDS.iter().any(|word| type_name.contains(word)) {
        return type_name.to_owned();
    }
    let mut spelled = String::with_capacity(type_name.len());
    let mut integer: Vec<&str> = Vec::new();
    let mut rest = type_name;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let (word, tail) = rest.split_at_checked(end.max(1)).unwrap_or((rest, ""));
        rest = tail;
        if WORDS.contains(&word) {
            integer.push(word);
        } else if word == " " && !integer.is_empty() && starts_with_integer_word(rest) {
        } else {
            flush(&mut integer, &mut spelled);
            spelled.push_str(word);
        }
    }
    flush(&mut integer, &mut spelled);
    spelled
}

fn starts_with_integer_word(text: &str) -> bool {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    text.get(..end).is_some_and(|word| WORDS.contains(&word))
}

fn flush(words: &mut Vec<&str>, spelled: &mut String) {
    if let [] | [_] = words.as_slice() {
        words.drain(..).for_each(|word| spelled.push_str(word));
        return;
    }
    let count = |word: &str| words.iter().filter(|w| **w == word).count();
    let (longs, short) = (count("long"), count("short") > 0);
    let unsigned = count("unsigned") > 0;
    let mut parts = Vec::new();
    if unsigned {
        parts.push("unsigned");
    }
    if count("char") > 0 {
        if count("signed") > 0 {
            parts.push("signed");
        }
        parts.push("char");
    } else if short {
        parts.push("short");
    } else if longs > 0 {
        parts.extend(std::iter::repeat_n("long", longs));
    } else {
        parts.push("int");
    }
    spelled.push_str(&parts.join(" "));
    words.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_words_come_in_the_order_of_gdb() {
        for (dwarf, gdb) in [
            ("long unsigned int", "unsigned long"),
            ("short int *", "short *"),
            ("long long int", "long long"),
            ("short unsigned int [3]", "unsigned short [3]"),
            ("int (*)(long int, unsigned char)", "int (*)(long, unsigned char)"),
            ("const long int * const", "const long * const"),
            ("__int128 unsigned", "__int128 unsigned"),
            ("long double", "long double"),
            ("struct long_list *", "struct long_list *"),
            ("signed char", "signed char"),
            ("unsigned int", "unsigned int"),
            ("int", "int"),
        ] {
            assert_eq!(as_gdb_spells(dwarf), gdb);
        }
    }
}

//! Replaces names of constants that the source text defines, since debug information has no macros.

use super::call_text::Language;

/// Constants may be defined by others, so deep.
const DEEPEST: usize = 4;

/// Longer definitions are not constants.
const LONGEST: usize = 64;

/// Returns an argument with the constants that `#define` lines of the text define once, or Fortran's `parameter`s as they
/// are: these are variables with values.
pub(crate) fn with_constants(argument: &str, text: &str, language: Language) -> String {
    let mut argument = argument.to_owned();
    if language == Language::Fortran {
        return argument;
    }
    for _ in 0..DEEPEST {
        let Some(replaced) = replaced(&argument, text) else { break };
        argument = replaced;
    }
    argument
}

fn replaced(argument: &str, text: &str) -> Option<String> {
    let is_name = |sign: char| sign.is_alphanumeric() || sign == '_';
    let mut found = String::new();
    let mut is_changed = false;
    let mut rest = argument;
    while !rest.is_empty() {
        let (name, behind) = rest.split_at(rest.find(|sign| !is_name(sign)).unwrap_or(rest.len()));
        let is_member = found.ends_with(['.', '>']);
        match definition(name, text).filter(|_| !is_member) {
            Some(value) => {
                let is_simple = value.chars().all(is_name);
                found += &if is_simple { value.to_owned() } else { format!("({value})") };
                is_changed = true;
            }
            None => found += name,
        }
        let end = behind.find(is_name).unwrap_or(behind.len());
        let (signs, next) = behind.split_at(end);
        found += signs;
        rest = next;
    }
    is_changed.then_some(found)
}

/// The text of a constant's only definition.
fn definition<'a>(name: &str, text: &'a str) -> Option<&'a str> {
    if !name.starts_with(|sign: char| sign.is_alphabetic() || sign == '_') {
        return None;
    }
    let mut definitions = text.lines().filter_map(|line| {
        let line = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
        let value = line.trim_start().strip_prefix(name)?;
        value.starts_with(char::is_whitespace).then(|| value.split("//").next().unwrap_or(value))
    });
    let value = definitions.next()?.split("/*").next()?.trim();
    (definitions.next().is_none() && !value.is_empty() && value.len() <= LONGEST).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_that_the_text_defines_are_replaced() {
        const TEXT: &str = "#define TAG 7 // of halos\n# define NEXT (TAG + 1) /* x */\n#define F(x) x\n#define TWICE 1\n\
                            #define TWICE 2\n#define LOOP LOOP\n#define TEAM MPI_COMM_WORLD\n#define TAGS 3\n";
        for (argument, expected) in [
            ("TAG", "7"),
            ("NEXT + TAG", "((7 + 1)) + 7"),
            ("TEAM", "MPI_COMM_WORLD"),
            ("F(1)", "F(1)"),
            ("TWICE", "TWICE"),
            ("LOOP", "LOOP"),
            ("p->TAG", "p->TAG"),
            ("tag", "tag"),
            ("", ""),
        ] {
            assert_eq!(with_constants(argument, TEXT, Language::C), expected, "{argument}");
        }
        assert_eq!(with_constants("TAG", TEXT, Language::Fortran), "TAG");
    }
}

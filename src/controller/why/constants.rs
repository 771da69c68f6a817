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

/// Returns the value with which the text initializes a variable of a type, if nothing else in the text can give it
/// another: the compiler then keeps no variable. `None` for one that other files may set.
pub(crate) fn only_value<'a>(name: &str, of_type: &str, text: &'a str) -> Option<&'a str> {
    let is_name = |sign: char| sign.is_alphanumeric() || sign == '_';
    let mut found = None;
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or(line);
        for (place, _) in code.match_indices(name) {
            let (before, behind) = (code.get(..place)?, code.get(place + name.len()..)?);
            if before.ends_with(is_name) || behind.starts_with(is_name) {
                continue;
            }
            let (before, behind) = (before.trim_end(), behind.trim_start());
            let value = behind.strip_prefix('=').filter(|value| !value.starts_with('='));
            let is_declared = before.ends_with(of_type);
            if before.ends_with(['&', '*', '.', '>']) || (is_declared && value.is_none()) {
                return None;
            }
            let Some(value) = value else { continue };
            let is_hidden =
                line.starts_with(char::is_whitespace) || line.starts_with("static") || line.contains("const");
            if found.is_some() || !is_declared || !is_hidden {
                return None;
            }
            found = value.split([',', ';', ')']).next().map(str::trim);
        }
    }
    found
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

    #[test]
    fn variables_that_nothing_changes_have_their_first_value() {
        fn value(text: &str) -> Option<&str> {
            only_value("world", "MPI_Comm", text)
        }
        const USED: &str = "  MPI_Barrier(world); // &world\n  worlds = other_world == world;\n";
        for (text, expected) in [
            ("static MPI_Comm world = MPI_COMM_WORLD;\n", Some("MPI_COMM_WORLD")),
            ("  MPI_Comm world = MPI_COMM_WORLD, row;\n", Some("MPI_COMM_WORLD")),
            ("const MPI_Comm world=MPI_COMM_SELF ;\n", Some("MPI_COMM_SELF")),
            ("MPI_Comm world = MPI_COMM_WORLD;\n", None),
            ("  MPI_Comm world;\n  world = MPI_COMM_WORLD;\n", None),
            ("  MPI_Comm world = MPI_COMM_WORLD;\n  MPI_Comm_dup(a, &world);\n", None),
            ("  MPI_Comm world = MPI_COMM_WORLD;\nvoid f(MPI_Comm world)\n", None),
            ("  MPI_Comm world = MPI_COMM_WORLD;\n  world = row;\n", None),
            ("  MPI_Comm world = MPI_COMM_WORLD;\n  grid->world = row;\n", None),
            ("", None),
        ] {
            assert_eq!(value(&format!("{text}{USED}")), expected, "{text}");
            assert_eq!(value(&format!("é\n{USED}{text}")), expected, "{text}");
        }
    }
}

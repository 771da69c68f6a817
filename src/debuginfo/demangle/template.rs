//! Splits the name of a C++ template.

/// Splits a name into the part before the template arguments, the trimmed arguments, and the rest. `None` if there are
/// no arguments, as in operators.
pub fn template_parts(name: &str) -> Option<(&str, Vec<&str>, &str)> {
    let open = name.find('<').filter(|open| *open > 0)?;
    if name.get(..open)?.ends_with("operator") {
        return None;
    }
    let mut depth = 0_u32;
    let mut start = open + 1;
    let mut arguments = Vec::new();
    for (at, c) in name.char_indices().skip_while(|(at, _)| *at < open) {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    arguments.push(name.get(start..at)?.trim());
                    return Some((name.get(..open)?, arguments, name.get(at + 1..)?));
                }
            }
            ',' if depth == 1 => {
                arguments.push(name.get(start..at)?.trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    None
}

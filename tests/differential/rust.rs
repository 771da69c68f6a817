//! Questions about Rust programs.

fn is_name(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && characters.all(|c| c.is_alphanumeric() || c == '_')
}

/// The fields in the text of `ptype`: of a struct by name, of a tuple by number.
fn fields(spelled_out: &str) -> Vec<String> {
    let tuple = spelled_out.lines().next().is_some_and(|first| first.ends_with('('));
    let lines = spelled_out.lines().skip(1).filter_map(|line| line.strip_prefix("  "));
    let field = |(number, line): (usize, &str)| {
        if tuple { Some(number.to_string()) } else { line.split_once(": ").map(|(name, _)| name.to_owned()) }
    };
    lines.enumerate().filter_map(field).filter(|name| tuple || is_name(name)).collect()
}

/// Questions about a variable of a type, beyond its value.
pub fn rust_questions(name: &str, ty: &str, spelled_out: &str) -> Vec<String> {
    if !is_name(name) {
        return Vec::new();
    }
    let mut asked = vec![format!("&{name}"), format!("sizeof({name})")];
    if let Some(target) = ty.strip_prefix("*mut ") {
        asked.push(format!("*{name}"));
        asked.push(format!("{name} as usize"));
        if target.starts_with('[') {
            asked.push(format!("(*{name})[0]"));
        }
        if target == "str" {
            asked.pop();
        }
    } else if ty.starts_with('[') {
        asked.extend([format!("{name}[1]"), format!("&{name}[1..2]"), format!("{name}[0] == {name}[1]")]);
    } else if ty.starts_with("&[") || ty == "&str" {
        asked.extend([format!("{name}[0]"), format!("&{name}[0..1]"), format!("{name}.length")]);
    } else if ty.starts_with('(') && ty != "()" {
        asked.extend([format!("{name}.0"), format!("{name}.1")]);
    } else if spelled_out.starts_with("enum ") {
        asked.extend([format!("{name}.0"), format!("{name} as i32")]);
    } else if spelled_out.starts_with("struct ") || spelled_out.starts_with("union ") {
        asked.extend(fields(spelled_out).iter().take(4).map(|field| format!("{name}.{field}")));
    } else {
        asked.extend(["+ 1", "* 2", "as u8", "== 3", "as f64", "& 6"].map(|end| format!("{name} {end}")));
    }
    asked
}

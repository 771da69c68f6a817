//! The names of functions of C++, as debug information has them.

use crate::why::tokens::is_plain_name;

/// The class or namespace of a function, such as `ns::Halo` of `ns::Halo::send(int)`.
pub(in crate::why) fn class_of(function: &str) -> Option<&str> {
    named(function)?.0
}

/// The name of a function as its definition has it: `send` for `ns::Halo::send(int)`. `None` for operators.
pub(in crate::why) fn base_name(function: &str) -> Option<&str> {
    Some(named(function)?.1)
}

/// Takes the name of a function apart: `ns::Halo<int>` and `send` of `ns::Halo<int>::send<long>(int)`.
fn named(function: &str) -> Option<(Option<&str>, &str)> {
    const NAMELESS: &str = "(anonymous namespace)";
    let (mut at, mut depth, mut class, mut begin) = (0, 0_usize, None, 0);
    while let Some(sign) = function.get(at..)?.chars().next() {
        let rest = function.get(at..)?;
        match sign {
            '(' if rest.starts_with(NAMELESS) => at += NAMELESS.len() - 1,
            '(' if depth == 0 => break,
            '<' => depth += 1,
            '>' => depth = depth.checked_sub(1)?,
            ':' if depth == 0 && rest.starts_with("::") => {
                (class, begin) = (function.get(..at), at + 2);
                at += 1;
            }
            _ => {}
        }
        at += sign.len_utf8();
    }
    let name = function.get(begin..at)?.split('<').next().filter(|name| *name != "operator")?;
    (depth == 0 && is_plain_name(name)).then_some((class, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_functions_are_those_of_their_definitions() {
        for (function, expected) in [
            ("main", Some((None, "main"))),
            ("ns::Halo::send(std::vector<int> const&)", Some((Some("ns::Halo"), "send"))),
            (
                "ns::Halo<std::map<int, a::b> >::send<9, c::d>(int)",
                Some((Some("ns::Halo<std::map<int, a::b> >"), "send")),
            ),
            ("(anonymous namespace)::Stage::run(int)", Some((Some("(anonymous namespace)::Stage"), "run"))),
            ("main::{lambda(int)#1}::operator()(int) const", None),
            ("ns::operator<(A, B)", None),
            ("ns::A::operator->() const", None),
            ("ns::A::operator()(int)", None),
            ("f<", None),
            ("", None),
        ] {
            assert_eq!(named(function), expected, "{function}");
        }
    }
}

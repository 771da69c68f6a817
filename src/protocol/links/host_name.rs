//! Checks host names. They come from launchers, files and other hosts, and ssh and srun get them as arguments: a name
//! that begins with a dash would be an option there, and an option of ssh runs commands.

/// Longer than any host's name (hostname(7): 253 characters) with a user's name before it.
const LONGEST: usize = 320;

/// The reason why a word cannot be a host's name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid host name {0:?}: use letters, digits and ._-:@%, not starting with a dash")]
pub struct NoHost(String);

/// Accepts a name, an address, or `USER@HOST`.
pub fn host_word(name: &str) -> Result<&str, NoHost> {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | ':' | '@' | '%');
    let is_word = (1..=LONGEST).contains(&name.len()) && name.chars().all(allowed);
    if is_word && name.split('@').all(|part| !part.is_empty() && !part.starts_with('-')) {
        return Ok(name);
    }
    Err(NoHost(name.chars().take(LONGEST).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_of_a_host_is_an_option_of_ssh() {
        for name in ["n1", "node-7.site.org", "10.0.0.1", "fd00::1", "fe80::1%eth0", "ada@n1", "my_host"] {
            assert_eq!(host_word(name), Ok(name));
        }
        let long = "x".repeat(321);
        for name in [
            "",
            "-oProxyCommand=id",
            "-",
            "ada@-oProxyCommand=id",
            "@n1",
            "ada@",
            "n1 -oProxyCommand=id",
            "n1\n",
            "n1;id",
            "$(id)",
            "`id`",
            "n1,n2",
            "n[1-9]",
            "/etc/passwd",
            "a\0b",
            "\u{1b}[2J",
            &long,
        ] {
            let words = host_word(name).unwrap_err().to_string();
            assert!(words.contains("invalid host name") && !words.contains('\u{1b}'), "{words}");
        }
    }
}

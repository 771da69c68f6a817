//! The names of request and response files.

use std::fmt;

const REQUEST: &str = ".request.json";
const RESPONSE: &str = ".response.json";
/// With a suffix and the marks of a temporary name it is still a valid file name (255 bytes).
const LONGEST: usize = 200;
/// The longest part of a host's name used, in characters.
const LONGEST_HOST: usize = 120;
/// Letters and digits that are not easily confused.
const LETTERS: &[u8; 32] = b"abcdefghijkmnopqrstuvwxyz2345678";

/// The id `HOST-PID-RANDOM`: the stem of a request's file names, and the name for people and scripts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(String);

impl RequestId {
    /// Builds the id for a process. Characters of the host's name that are unfit for a file name become `_`.
    pub fn new(host: &str, pid: u32, random: [u8; 8]) -> Self {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' || c == '_' || c == '-' { c } else { '_' };
        let host: String = host.trim_start_matches(['.', '-']).chars().take(LONGEST_HOST).map(plain).collect();
        let host = if host.is_empty() { "host".to_owned() } else { host };
        let random: String = random.iter().map(|byte| LETTERS[usize::from(byte & 31)] as char).collect();
        Self(format!("{host}-{pid}-{random}"))
    }

    /// Returns the id in a request's file name; `None` for other files, temporary ones among them.
    pub fn of_request_file(name: &str) -> Option<Self> {
        let stem = name.strip_suffix(REQUEST)?;
        let fits = (1..=LONGEST).contains(&stem.len()) && !stem.starts_with('.') && !stem.contains(['/', '\0']);
        fits.then(|| Self(stem.to_owned()))
    }

    /// Returns the id in a response's file name; `None` for other files.
    pub fn of_response_file(name: &str) -> Option<Self> {
        Self::of_request_file(&format!("{}{REQUEST}", name.strip_suffix(RESPONSE)?))
    }

    /// Returns the name of the request's file.
    pub fn request_file(&self) -> String {
        format!("{}{REQUEST}", self.0)
    }

    /// Returns the name of the response's file.
    pub fn response_file(&self) -> String {
        format!("{}{RESPONSE}", self.0)
    }

    /// Returns the id as text. Another program's id may hold any characters of a file name.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// True if all characters are such as [`Self::new`] uses, so that a user can type it.
    pub fn is_plain(&self) -> bool {
        self.0.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
    }

    /// True if the text is the whole id, its beginning, or its random end.
    pub fn is_meant_by(&self, text: &str) -> bool {
        !text.is_empty() && (self.0.starts_with(text) || self.0.rsplit('-').next() == Some(text))
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_name_says_who_asks() {
        let id = RequestId::new("node-1.cluster", 4711, [0, 1, 2, 3, 4, 5, 6, 255]);
        assert_eq!(id.to_string(), "node-1.cluster-4711-abcdefg8");
        assert!(id.is_meant_by("node-1") && id.is_meant_by("abcdefg8") && id.is_meant_by(id.text()));
        assert!(!id.is_meant_by("") && !id.is_meant_by("bcdefg8") && !id.is_meant_by("4711"));
        assert_eq!(RequestId::new("../a b\n", 1, [0; 8]).text(), "_a_b_-1-aaaaaaaa");
        assert_eq!(RequestId::new("..", 1, [0; 8]).text(), "host-1-aaaaaaaa");
    }

    #[test]
    fn other_files_are_no_requests() {
        for name in ["", ".request.json", ".x.request.json", "x.response.json", "x.request.json.tmp", "notes"] {
            assert_eq!(RequestId::of_request_file(name), None, "{name}");
        }
        let odd = RequestId::of_request_file("\u{1b}[2J-1-x.request.json").unwrap();
        assert!(!odd.is_plain());
        assert_eq!(RequestId::of_request_file(&format!("{}.request.json", "x".repeat(300))), None);
    }

    proptest! {
        #[test]
        fn names_read_back(host in ".{0,300}", pid: u32, random: [u8; 8]) {
            let id = RequestId::new(&host, pid, random);
            prop_assert!(id.is_plain() && id.request_file().len() <= 255);
            prop_assert_eq!(RequestId::of_request_file(&id.request_file()), Some(id.clone()));
            prop_assert_eq!(RequestId::of_response_file(&id.response_file()), Some(id));
        }
    }
}

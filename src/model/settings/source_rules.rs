//! Where to look for source files that are not where the program was compiled: gdb's `directory` and
//! `set substitute-path`.

use serde::{Deserialize, Serialize};

/// The compilation directory, in a list of directories.
pub const COMPILATION_DIRECTORY: &str = "$cdir";
/// The directory in which the job was started, in a list of directories.
pub const WORKING_DIRECTORY: &str = "$cwd";

/// More than anyone types; each is tried for each file.
const MOST: usize = 256;

/// A directory of the compilation, and the one that has its files now.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Substitution {
    /// The directory in the debug information.
    pub from: String,
    /// The directory that replaces it.
    pub to: String,
}

/// The directories to search and the directories to replace.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceRules {
    directories: Vec<String>,
    substitutions: Vec<Substitution>,
}

impl Default for SourceRules {
    fn default() -> Self {
        let directories = [COMPILATION_DIRECTORY, WORKING_DIRECTORY].map(str::to_owned).to_vec();
        Self { directories, substitutions: Vec::new() }
    }
}

impl SourceRules {
    /// The directories to search, in order.
    pub fn directories(&self) -> &[String] {
        &self.directories
    }

    /// The directories to replace; the first that fits a path counts.
    pub fn substitutions(&self) -> &[Substitution] {
        &self.substitutions
    }

    /// Puts the directories of a text in front of the others: separated by colons or blanks, in double quotes if a name
    /// has blanks. Without any, only `$cdir` and `$cwd` stay.
    pub fn search_first(&mut self, text: &str) -> Result<(), String> {
        let wanted = directories(text)?;
        if wanted.is_empty() {
            self.directories = Self::default().directories;
            return Ok(());
        }
        let others = self.directories.iter().filter(|known| !wanted.contains(known)).cloned();
        let all: Vec<String> = wanted.iter().cloned().chain(others).collect();
        if all.len() > MOST {
            return Err(format!("more than {MOST} directories"));
        }
        self.directories = all;
        Ok(())
    }

    /// Searches these directories only, and `$cdir` and `$cwd` after them unless they are among them.
    pub fn search_only(&mut self, text: &str) -> Result<(), String> {
        let mut new = Self::default();
        new.search_first(text)?;
        self.directories = new.directories;
        Ok(())
    }

    /// Returns the directories as `directory` and `set directories` take them.
    pub fn directories_text(&self) -> String {
        self.directories.join(":")
    }

    /// Adds a rule from `FROM TO`, in place of the one with the same FROM.
    pub fn substitute(&mut self, text: &str) -> Result<(), String> {
        let words = words(text)?;
        let [from, to] = &words[..] else {
            return Err("expected two directories, FROM and TO".to_owned());
        };
        let [from, to] = [from, to].map(|directory| without_end(directory).to_owned());
        if from.is_empty() {
            return Err("the directory to replace is empty".to_owned());
        }
        self.substitutions.retain(|known| known.from != from);
        if self.substitutions.len() == MOST {
            return Err(format!("more than {MOST} rules"));
        }
        self.substitutions.push(Substitution { from, to });
        Ok(())
    }

    /// Removes the rule for a directory; false if there is none.
    pub fn keep(&mut self, from: &str) -> bool {
        let before = self.substitutions.len();
        self.substitutions.retain(|known| known.from != without_end(from));
        self.substitutions.len() < before
    }

    /// Removes all rules.
    pub fn keep_all(&mut self) {
        self.substitutions.clear();
    }

    /// Replaces the beginning of a path by the first rule that fits; `None` if none does.
    pub fn rewritten(&self, path: &str) -> Option<String> {
        self.substitutions.iter().find_map(|rule| rule.rewritten(path))
    }

    /// Returns the name, or the end of the name, that debug information has for a file at an absolute path to which a
    /// rule leads; `None` if none does.
    pub fn compiled(&self, path: &str) -> Option<String> {
        let leads_here = |rule: &Substitution| {
            let rest = below(path, &rule.to)?;
            Some(joined(&rule.from, rest)).filter(|name| self.rewritten(name).as_deref() == Some(path))
        };
        let in_directory = |directory: &String| Some(below(path, directory)?.to_owned());
        let replaced = self.substitutions.iter().find_map(leads_here);
        replaced.or_else(|| self.directories.iter().filter(|one| one.starts_with('/')).find_map(in_directory))
    }
}

/// Returns the part of an absolute path below a directory, without a slash at its beginning.
fn below<'a>(path: &'a str, directory: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(without_end(directory)).filter(|_| path.starts_with('/'))?;
    let rest = if directory == "/" { Some(rest) } else { rest.strip_prefix('/') };
    rest.filter(|rest| !rest.is_empty())
}

fn joined(directory: &str, rest: &str) -> String {
    format!("{}/{rest}", directory.trim_end_matches('/'))
}

impl Substitution {
    /// Replaces the beginning of a path; `None` if it is another directory, or only the beginning of a name.
    pub fn rewritten(&self, path: &str) -> Option<String> {
        let rest = path.strip_prefix(&self.from)?;
        // A FROM of "/" has its slash at its end.
        let fits = rest.is_empty() || rest.starts_with('/') || self.from.ends_with('/');
        let slash = if self.from.ends_with('/') && !self.to.ends_with('/') { "/" } else { "" };
        fits.then(|| format!("{}{slash}{rest}", self.to))
    }

    /// Returns the rule as `set substitute-path` takes it.
    pub fn text(&self) -> String {
        format!("{} {}", directory_word(&self.from), directory_word(&self.to))
    }
}

/// Puts a directory in double quotes if the command language would not read it as one word.
pub fn directory_word(text: &str) -> String {
    if text.is_empty() || text.contains([' ', '\t', '#']) { format!("\"{text}\"") } else { text.to_owned() }
}

/// Splits a text at blanks outside double quotes.
fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let mut word = String::new();
        while let Some(next) = rest.chars().next().filter(|next| !next.is_whitespace()) {
            rest = rest.get(next.len_utf8()..).unwrap_or("");
            if next == '"' {
                let Some((quoted, after)) = rest.split_once('"') else {
                    return Err("a closing \" is missing".to_owned());
                };
                word.push_str(quoted);
                rest = after;
            } else {
                word.push(next);
            }
        }
        if word.contains(char::is_control) {
            return Err(format!("{word:?} has control characters"));
        }
        words.push(word);
        rest = rest.trim_start();
    }
    Ok(words)
}

fn directories(text: &str) -> Result<Vec<String>, String> {
    let mut found: Vec<String> = Vec::new();
    for word in words(text)? {
        for directory in word.split(':').map(without_end).filter(|directory| !directory.is_empty()) {
            if !found.iter().any(|known| known == directory) {
                found.push(directory.to_owned());
            }
        }
    }
    Ok(found)
}

/// Removes slashes at the end, except that of the root.
fn without_end(directory: &str) -> &str {
    let short = directory.trim_end_matches('/');
    if short.is_empty() && directory.starts_with('/') { "/" } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn searching(texts: &[&str]) -> String {
        let mut rules = SourceRules::default();
        texts.iter().for_each(|text| rules.search_first(text).unwrap());
        rules.directories_text()
    }

    #[test]
    fn directories_are_searched_last_named_first() {
        assert_eq!(searching(&[]), "$cdir:$cwd");
        assert_eq!(searching(&["/a:/b/ /c", "/d"]), "/d:/a:/b:/c:$cdir:$cwd");
        assert_eq!(searching(&["/a /b", "/b $cwd /b"]), "/b:$cwd:/a:$cdir");
        assert_eq!(searching(&["/a", ""]), "$cdir:$cwd");
        assert_eq!(searching(&["\"/my dir\":/"]), "/my dir:/:$cdir:$cwd");
        let mut rules = SourceRules::default();
        rules.search_first("/a").unwrap();
        rules.search_only("$cwd:/b").unwrap();
        assert_eq!(rules.directories_text(), "$cwd:/b:$cdir");
        assert!(rules.search_first("\"/a").unwrap_err().contains("missing"));
        assert!(rules.search_first("/a\u{1b}[m").unwrap_err().contains("control characters"));
        let many: Vec<String> = (0..MOST).map(|number| format!("/{number}")).collect();
        assert_eq!(rules.search_first(&many.join(" ")).unwrap_err(), "more than 256 directories");
    }

    #[test]
    fn the_first_rule_that_fits_replaces_whole_names() {
        let mut rules = SourceRules::default();
        for rule in ["/usr/src /mnt/x/", "/usr /elsewhere", "/ /all", "\"/my dir\" \"\""] {
            rules.substitute(rule).unwrap();
        }
        let rewritten = |path| rules.rewritten(path);
        assert_eq!(rewritten("/usr/src/foo.c").as_deref(), Some("/mnt/x/foo.c"));
        assert_eq!(rewritten("/usr/src").as_deref(), Some("/mnt/x"));
        assert_eq!(rewritten("/usr/srcs/foo.c").as_deref(), Some("/elsewhere/srcs/foo.c"));
        assert_eq!(rewritten("/other/foo.c").as_deref(), Some("/all/other/foo.c"));
        assert_eq!(rewritten("foo.c"), None);
        assert!(rules.substitute("/a").unwrap_err().contains("FROM and TO"));
        assert!(rules.substitute("\"\" /a").unwrap_err().contains("empty"));
        rules.substitute("/usr/src/ /new").unwrap();
        assert_eq!(rules.rewritten("/usr/src/foo.c").as_deref(), Some("/elsewhere/src/foo.c"));
        assert!(rules.keep("/usr/") && !rules.keep("/usr"));
        let texts: Vec<String> = rules.substitutions().iter().map(Substitution::text).collect();
        assert_eq!(texts, ["/ /all", "\"/my dir\" \"\"", "/usr/src /new"]);
        rules.keep_all();
        assert_eq!(rules.rewritten("/usr/src/foo.c"), None);
    }

    #[test]
    fn a_path_that_the_user_sees_leads_back_to_the_name_of_the_compilation() {
        let mut rules = SourceRules::default();
        assert_eq!(rules.compiled("/now/a.c"), None);
        rules.substitute("/build /now").unwrap();
        rules.substitute("/other /now/more").unwrap();
        rules.search_first("/found:$cwd/x").unwrap();
        let compiled = |path| rules.compiled(path);
        assert_eq!(compiled("/now/io/a.c").as_deref(), Some("/build/io/a.c"));
        assert_eq!(compiled("/now/more/a.c").as_deref(), Some("/build/more/a.c"), "the first rule counts");
        assert_eq!(compiled("/found/io/a.c").as_deref(), Some("io/a.c"));
        for other in ["/nowhere/a.c", "/now", "/found/", "now/a.c", "a.c", "/build/a.c"] {
            assert_eq!(compiled(other), None, "{other}");
        }
        rules.substitute("/build/io /far").unwrap();
        assert_eq!(rules.compiled("/far/a.c"), None, "the first rule leads elsewhere");
    }

    proptest! {
        #[test]
        fn rules_are_read_as_they_are_written(
            directories in proptest::collection::vec("/[a-z #/.]{0,9}|[$~.a-z]{1,5}", 0..5),
            rules in proptest::collection::vec(("/?[a-z #.]{1,5}(/[a-z ]{0,3}){0,2}", "[a-z #/.:]{0,9}"), 0..5),
        ) {
            let mut written = SourceRules::default();
            let quoted: Vec<String> = directories.iter().map(|directory| format!("\"{directory}\"")).collect();
            written.search_first(&quoted.join(" ")).unwrap();
            for (from, to) in &rules {
                written.substitute(&format!("\"{from}\" \"{to}\"")).unwrap();
            }
            let mut read = SourceRules::default();
            read.search_only(&format!("\"{}\"", written.directories_text())).unwrap();
            for rule in written.substitutions() {
                read.substitute(&rule.text()).unwrap();
            }
            prop_assert_eq!(read, written);
        }
    }
}

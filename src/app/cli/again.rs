//! Starting a job again: `rankscope run @NAME`, `rankscope last`, and the list of what can be started.

use super::front_end::Front;
use super::run::Run;
use super::usage_error::{UsageError, usage};
use crate::runs::{self, HERE, LAST, SavedRun};
use clap::{ArgAction, Args, Command, ValueHint};
use model::{InputOption, InputSource, printable_json, raw_text, raw_word};
use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::path::Path;

/// `rankscope runs`.
#[derive(Clone, Debug, Args)]
pub struct Runs {
    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,
    /// Forget a run; may be given several times
    #[arg(long, value_name = "NAME")]
    pub forget: Vec<String>,
}

/// The name of the run that is to be started again; `None`: a program was given.
fn name_of(run: &Run) -> Option<&str> {
    run.program.first()?.strip_prefix('@')
}

/// Keeps a job that is about to be started, or replaces this process by one that starts a kept job again.
pub(crate) fn keep_or_start_again(run: &Run, words: &[OsString]) -> Result<(), UsageError> {
    let options = options_of(words, run.program.len());
    let Some(name) = name_of(run) else {
        if let Some(name) = &run.save_as {
            own_name(name)?;
        }
        let here = SavedRun::here(without_front(&options), run.program.clone());
        return runs::starting(here, run.again.as_deref(), run.save_as.as_deref());
    };
    if run.program.len() > 1 {
        return usage(format!(
            "arguments after @{name}: change them with \"set args\" and \"restart\", or start the program"
        ));
    }
    runs::check_name(name).map_err(UsageError)?;
    start_again(name, &options)
}

/// Replaces this process by one that starts the last job of this directory again.
pub(crate) fn last(options: &[String]) -> Result<(), UsageError> {
    start_again(HERE, options)
}

fn start_again(name: &str, options: &[String]) -> Result<(), UsageError> {
    let saved = SavedRun::load(name).map_err(UsageError)?;
    let here = std::env::current_dir().unwrap_or_default();
    let error = saved.command(&counted_from(&here, options), name).exec();
    usage(format!("cannot start {} in {}: {error}", saved.line(), saved.directory))
}

fn own_name(name: &str) -> Result<(), UsageError> {
    if name == LAST {
        return usage(format!("{LAST:?} is the run that was started last: choose another name"));
    }
    runs::check_name(name).map_err(UsageError)
}

/// The options around `run`, without the program, of which the program's words are the last.
fn options_of(words: &[OsString], program: usize) -> Vec<String> {
    let end = words.len().saturating_sub(program);
    let mut options: Vec<String> = words.get(1..end).unwrap_or_default().iter().map(|word| raw_text(word)).collect();
    // Options of the screen may stand before it.
    if let Some(at) = options.iter().position(|word| word == "run") {
        options.remove(at);
    }
    if options.last().is_some_and(|word| word == "--") {
        options.pop();
    }
    options
}

/// Returns options with the files that they name counted from this directory: the job starts in another one.
fn counted_from(here: &Path, options: &[String]) -> Vec<String> {
    let all = Run::augment_args(Command::new("run"));
    let placed = |name: &str, value: &str| -> Option<String> {
        let beneath = |file: &str| raw_text(here.join(raw_word(file)).as_os_str());
        let option = name.strip_prefix("--")?;
        let found = all.get_arguments().find(|argument| argument.get_long() == Some(option))?;
        match option {
            "batch" => (value != "-").then(|| beneath(value)),
            // A name is looked up in PATH.
            "gdb" => value.contains('/').then(|| beneath(value)),
            "stdin" => {
                let mut input = InputOption::parse(value).ok()?;
                let InputSource::File(file) = &input.source else { return None };
                input.source = InputSource::File(beneath(file));
                Some(input.to_string())
            }
            _ => (found.get_value_hint() == ValueHint::AnyPath).then(|| beneath(value)),
        }
    };
    let mut told: Vec<String> = Vec::new();
    for word in options {
        let joined =
            word.split_once('=').and_then(|(name, value)| placed(name, value).map(|value| format!("{name}={value}")));
        let apart = || told.last().and_then(|name| placed(name, word));
        let word = joined.or_else(apart).unwrap_or_else(|| word.clone());
        told.push(word);
    }
    told
}

/// Leaves out the options of the screen and of scripts, and the names under which runs are kept.
fn without_front(options: &[String]) -> Vec<String> {
    let front = Front::augment_args(Command::new("front"));
    let takes_value = |word: &str| -> Option<bool> {
        let name = word.strip_prefix("--")?;
        if ["save-as", "again"].contains(&name) {
            return Some(true);
        }
        let found = front.get_arguments().find(|argument| argument.get_long() == Some(name))?;
        Some(matches!(found.get_action(), ArgAction::Set | ArgAction::Append))
    };
    let mut left = Vec::new();
    let mut words = options.iter();
    while let Some(word) = words.next() {
        match (word.split_once('='), takes_value(word)) {
            (Some((name, _)), _) if takes_value(name).is_some() => {}
            (_, Some(true)) => _ = words.next(),
            (_, Some(false)) => {}
            (_, None) => left.push(word.clone()),
        }
    }
    left
}

impl Runs {
    /// Lists the kept jobs, or forgets some; returns the text and the faults.
    pub(crate) fn perform(&self) -> (String, Vec<String>) {
        let mut faults: Vec<String> = self.forget.iter().filter_map(|name| runs::forget(name).err()).collect();
        if !self.forget.is_empty() {
            return (String::new(), faults);
        }
        let mut text = String::new();
        for (name, run) in runs::all() {
            match run {
                Err(why) => faults.push(why),
                Ok(run) if self.json => {
                    let object = serde_json::json!({
                        "type": "run", "name": name, "directory": run.directory, "options": run.options,
                        "command": run.command, "environment": run.environment, "unset": run.unset,
                    });
                    text.push_str(&format!("{}\n", printable_json(&object.to_string())));
                }
                Ok(run) => text.push_str(&format!("@{name}  {}  (in {})\n", run.line(), run.directory)),
            }
        }
        if text.is_empty() && faults.is_empty() && !self.json {
            text.push_str("no runs are kept: \"rankscope run\" keeps the last one, --save-as NAME others\n");
        }
        (text, faults)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn options_of_the_screen_and_of_scripts_are_not_kept() {
        let kept = |line: &str, program: usize| without_front(&options_of(&words(line), program)).join(" ");
        assert_eq!(kept("rankscope run -n 4 --batch f --json ./app run -n 3", 4), "-n 4");
        assert_eq!(kept("rankscope --theme dark run --batch=f --save-as x --engine gdb -- ./app", 1), "--engine gdb");
        assert_eq!(kept("rankscope run --keep-going --stdin none --timeout 3 mpirun -n 2 ./app", 4), "--stdin none");
    }
    #[test]
    fn files_of_a_repeated_run_count_from_where_the_user_is() {
        let placed = |line: &str| counted_from(Path::new("/h"), &options_of(&words(line), 1)).join(" ");
        for (given, expected) in [
            ("--batch f --log=l --json", "--batch /h/f --log=/h/l --json"),
            ("--batch - --config c.toml", "--batch - --config /h/c.toml"),
            ("--batch=/a/f --cwd d --gdb gdb", "--batch=/a/f --cwd /h/d --gdb gdb"),
            ("--gdb ./gdb --hostfile h", "--gdb /h/./gdb --hostfile /h/h"),
            ("--stdin in --stdin=1-2:in --stdin none", "--stdin /h/in --stdin=1-2:/h/in --stdin none"),
            ("--stop-at main -n 2 --connect-dir d", "--stop-at main -n 2 --connect-dir /h/d"),
        ] {
            assert_eq!(placed(&format!("rankscope run {given} @x")), expected);
        }
    }
}

//! Manual pages and shell completions, generated from the command line and the table of commands.

use super::cli::shell::Shell;
use super::cli::subcommands::Cli;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use controller::command::{Topic, entries_of, help, why_no_help};
use std::fmt::Write as _;

/// Returns the script that makes a shell complete the command line of `rankscope`.
pub fn completions(shell: Shell) -> String {
    let shell = match shell {
        Shell::Bash => clap_complete::Shell::Bash,
        Shell::Zsh => clap_complete::Shell::Zsh,
        Shell::Fish => clap_complete::Shell::Fish,
    };
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "rankscope", &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// Returns the text of `rankscope help` for a subcommand or else for a command of the debugger; without a topic, for
/// everything. The error names the unknown topic.
pub fn help_of(topic: &[String]) -> Result<String, String> {
    let mut program = Cli::command();
    program.build();
    let Some(first) = topic.first() else {
        let commands = help(None);
        return Ok(format!("{}\nCommands of the debugger:\n\n{commands}", program.render_help()));
    };
    if let Some(subcommand) = program.find_subcommand_mut(first).filter(|_| topic.len() == 1) {
        return Ok(subcommand.render_help().to_string().trim_end().to_owned());
    }
    let topic = topic.join(" ");
    why_no_help(&topic).map_or_else(|| Ok(help(Some(&topic))), Err)
}

/// Returns the manual page of a program without subcommands.
pub fn page(command: Command) -> String {
    let man = Man::new(command);
    written(|out| man.render(out)).replace("\n.SH EXTRA\n", "\n.SH NOTES\n")
}

/// Returns the manual page of `rankscope`: its subcommands with their options, and the commands of the debugger.
pub fn rankscope() -> String {
    let mut command = Cli::command();
    command.build();
    let man = Man::new(command.clone());
    let mut text = written(|out| {
        man.render_title(out)?;
        man.render_name_section(out)?;
        man.render_synopsis_section(out)?;
        man.render_description_section(out)?;
        man.render_options_section(out)
    });
    for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
        let man = Man::new(subcommand.clone().version(None::<&str>));
        let name = format!("rankscope {}", subcommand.get_name());
        let _ = writeln!(text, ".SH {}", quoted(&name.to_uppercase()));
        let about = subcommand.get_about().map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(text, "{}.", escaped(&about));
        let synopsis = written(|out| man.render_synopsis_section(out));
        text.push_str(&synopsis.replacen(".SH SYNOPSIS", ".PP", 1));
        text.push_str(&section_as(&written(|out| man.render_options_section(out)), "Options"));
        if let Some(help) = subcommand.get_after_help() {
            let _ = writeln!(text, ".PP\n{}", lines(&help.to_string()));
        }
    }
    commands(&mut text);
    if let Some(help) = command.get_after_help() {
        let _ = writeln!(text, ".SH EXAMPLES\n{}", lines(&help.to_string()));
    }
    text.push_str(".SH \"SEE ALSO\"\n.BR rankscope\\-sdm (1),\n.BR tvconnect (1),\n.BR gdb (1)\n");
    text
}

/// Appends the commands of the debugger, by topic.
fn commands(text: &mut String) {
    text.push_str(".SH COMMANDS\n");
    let first = "Typed after \":\" on the screen, or read from a file with --batch. A rank set in brackets may come \
        first: [0-3] print x. \"help COMMAND\" describes a command.";
    let _ = writeln!(text, "{}", escaped(first));
    for topic in Topic::ALL {
        let _ = writeln!(text, ".SS {}", quoted(topic.title()));
        for entry in entries_of(topic) {
            let slash = if entry.synopsis.starts_with("[/") { "" } else { " " };
            let _ = writeln!(text, ".TP\n\\fB{}\\fR{slash}{}", escaped(entry.name), escaped(entry.synopsis));
            let aliases =
                if entry.aliases.is_empty() { String::new() } else { format!(" Also: {}.", entry.aliases.join(", ")) };
            let _ = writeln!(text, "{}{}", escaped(entry.summary), escaped(&aliases));
        }
    }
}

fn written(write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    // Writing to a vector does not fail.
    let _ = write(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// Turns sections into subsections; the first one gets the given name.
fn section_as(text: &str, name: &str) -> String {
    text.replacen(".SH OPTIONS", &format!(".SS {name}"), 1).replace("\n.SH ", "\n.SS ")
}

/// Escapes text for roff(7).
fn escaped(text: &str) -> String {
    let plain = text.replace('\\', "\\e").replace('-', "\\-").replace('…', "...");
    if plain.starts_with(['.', '\'']) { format!("\\&{plain}") } else { plain }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text).replace('"', "\\(dq"))
}

/// Formats lines verbatim, without filling.
fn lines(text: &str) -> String {
    let kept: Vec<String> = text.lines().map(escaped).collect();
    format!(".nf\n{}\n.fi", kept.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completions_name_subcommands_and_options() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let text = completions(shell);
            for word in ["attach", "resume", "engine", "keep-going"] {
                assert!(text.contains(word), "{shell:?}: {word}");
            }
        }
    }

    #[test]
    fn help_is_of_subcommands_and_of_commands() {
        let of = |words: &[&str]| help_of(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        for (words, part) in [
            (&[][..], "break "),
            (&[], "resume "),
            (&["resume"], "--take"),
            (&["break"], "pending"),
            (&["info", "registers"], "registers"),
            (&["bt"], "stack"),
        ] {
            let said = of(words).unwrap();
            assert!(said.contains(part), "{words:?}: {said}");
        }
        assert_eq!(of(&["wacth"]).unwrap_err(), "unknown command \"wacth\"; did you mean \"watch\"?");
        assert!(of(&["un"]).unwrap_err().contains("ambiguous: ungroup, until"));
        assert_eq!(of(&["nosuch"]).unwrap_err(), "unknown command \"nosuch\"; \"help\" lists them");
    }

    #[test]
    fn no_line_of_text_is_taken_for_a_request() {
        assert_eq!(escaped(".so x"), "\\&.so x");
        assert_eq!(escaped("-n \\x"), "\\-n \\ex");
        for line in rankscope().lines().filter(|line| line.starts_with('.')) {
            let request = line.split(' ').next().unwrap();
            assert!(
                [".TH", ".SH", ".SS", ".TP", ".PP", ".RS", ".RE", ".nf", ".fi", ".br", ".BR", ".ie", ".el", ".IP"]
                    .contains(&request),
                "{line}"
            );
        }
    }
}

//! The arguments of `tvconnect`.

use clap::Parser;
use clap::builder::{OsStringValueParser, TypedValueParser as _};
use model::raw_text;
use std::path::PathBuf;
use std::time::Duration;

const HELP: &str = "\
The request waits in DIR, else $TV_REVERSE_CONNECT_DIR, else ~/.totalview/connect. Start rankscope on a node that sees
this directory: it shows the request and asks whether to accept it. In a batch script, put tvconnect before the command
that is to be debugged:

  tvconnect srun -n4 ./solver input.txt

Exit status: that of the session when it was accepted; 2 wrong usage; 3 rejected; 4 --wait has passed; 5 the directory is
not safe or cannot be used; 6 the front end cannot be reached; 126, 127 PROGRAM cannot be run, or is not there;
128 and the signal's number when a signal ended it.";

/// Ask for a debugger from inside a batch job, and wait for it.
#[derive(Clone, Debug, Parser)]
#[command(name = "tvconnect", version, after_help = HELP, max_term_width = 120)]
pub struct Arguments {
    /// The directory for requests, which must be yours and closed to others
    #[arg(long, value_name = "DIR")]
    pub connect_dir: Option<PathBuf>,

    /// Give up after this many seconds [default: wait until answered]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub wait: Option<Duration>,

    /// The title of the request
    #[arg(long, value_name = "TEXT")]
    pub label: Option<String>,

    /// Do not print where the request is
    #[arg(long)]
    pub quiet: bool,

    /// The program to debug and its arguments, or a launcher's command line
    #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true)]
    #[arg(value_parser = OsStringValueParser::new().map(|word| raw_text(&word)))]
    pub program: Vec<String>,
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=1e8).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("expected a number of seconds".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    fn parse(line: &str) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from(std::iter::once("tvconnect").chain(line.split_whitespace()))
    }

    #[test]
    fn the_program_keeps_its_own_options() {
        Arguments::command().debug_assert();
        let plain = parse("srun -n4 --wait 3 ./app --quiet").unwrap();
        assert_eq!((plain.program.join(" ").as_str(), plain.wait), ("srun -n4 --wait 3 ./app --quiet", None));
        let all = parse("--connect-dir d --wait 2.5 --label x --quiet -- ./app -- y").unwrap();
        assert_eq!(all.program, ["./app", "--", "y"]);
        assert_eq!((all.wait, all.quiet, all.label.as_deref()), (Some(Duration::from_millis(2500)), true, Some("x")));
        for wrong in ["", "--wait 3", "--wait x ./app", "--wait -1 ./app", "--strange ./app"] {
            assert_eq!(parse(wrong).unwrap_err().exit_code(), 2, "{wrong}");
        }
    }
}

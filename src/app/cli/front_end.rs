//! Options of everything that shows a session, and where they may stand.

use super::usage_error::{UsageError, usage};
use crate::config::Graphics;
use crate::reverse::{ForwardedAddress, Reception};
use clap::Args;
use protocol::PortRange;
use std::path::PathBuf;

/// Options of everything that shows a session.
#[derive(Clone, Debug, Default, PartialEq, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line, given or not")]
pub struct Front {
    /// Run the commands of FILE without a screen (- is standard input), print, exit
    #[arg(long, value_name = "FILE", help_heading = "Batch")]
    pub batch: Option<String>,

    /// Print one JSON object per line
    #[arg(long, help_heading = "Batch")]
    pub json: bool,

    /// Print output unfiltered, escape sequences included
    #[arg(long, conflicts_with = "json", help_heading = "Batch")]
    pub raw: bool,

    /// Continue after a failed command
    #[arg(long, help_heading = "Batch")]
    pub keep_going: bool,

    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds, help_heading = "Batch")]
    pub timeout: Option<f64>,

    /// A prompt and lines of text in place of the screen, for screen readers ("plain = true" in the configuration)
    #[arg(long, conflicts_with = "batch", help_heading = "Front end")]
    pub plain: bool,

    /// The theme of the screen; "rankscope theme list" lists them
    #[arg(long, value_name = "NAME", help_heading = "Front end")]
    pub theme: Option<String>,

    /// Use the mouse for clicks and scrolling; hold shift to select text ("mouse = true" in the configuration)
    #[arg(long, help_heading = "Front end")]
    pub mouse: bool,

    /// How to draw pictures of arrays: auto (ask the terminal), none, kitty or sixel ("graphics = HOW" in the configuration)
    #[arg(long, value_name = "HOW", hide_possible_values = true, value_enum, help_heading = "Front end")]
    pub graphics: Option<Graphics>,

    /// The configuration file
    #[arg(long, value_name = "FILE", help_heading = "Front end")]
    pub config: Option<PathBuf>,

    /// Where tvconnect writes requests [default: $TV_REVERSE_CONNECT_DIR, else ~/.totalview/connect]
    #[arg(long, value_name = "DIR", help_heading = "Front end")]
    pub connect_dir: Option<PathBuf>,

    /// Where tvconnect connects to when a request is accepted: the first free port of a range [default: any port]
    #[arg(long, value_name = "LOW-HIGH", help_heading = "Front end")]
    pub connect_ports: Option<PortRange>,

    /// The address that tvconnect connects to, the end of a forwarded port: HOST or HOST:PORT [default: this host's]
    #[arg(long, value_name = "ADDRESS", help_heading = "Front end")]
    pub connect_address: Option<ForwardedAddress>,

    /// Write rankscope's own log to this file
    #[arg(long, value_name = "FILE", help_heading = "Front end")]
    pub log: Option<PathBuf>,
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e8 => Ok(seconds),
        _ => Err("expected a positive number of seconds".to_owned()),
    }
}

impl Front {
    /// Options of a script that is not there.
    pub fn check(&self) -> Result<(), UsageError> {
        let needs_batch = [
            (self.json, "--json"),
            (self.raw, "--raw"),
            (self.keep_going, "--keep-going"),
            (self.timeout.is_some(), "--timeout"),
        ];
        if let Some((_, option)) = needs_batch.iter().find(|(given, _)| *given && self.batch.is_none()) {
            return usage(format!("{option} needs --batch FILE"));
        }
        Ok(())
    }

    /// Returns where processes whose requests are accepted connect to.
    pub(crate) fn reception(&self) -> Reception {
        Reception { ports: self.connect_ports, address: self.connect_address.clone() }
    }

    /// With options that stand before the subcommand; those behind it count where both are given.
    pub(super) fn after(self, before: Self) -> Self {
        Self {
            batch: self.batch.or(before.batch),
            json: self.json || before.json,
            raw: self.raw || before.raw,
            keep_going: self.keep_going || before.keep_going,
            timeout: self.timeout.or(before.timeout),
            plain: self.plain || before.plain,
            theme: self.theme.or(before.theme),
            mouse: self.mouse || before.mouse,
            graphics: self.graphics.or(before.graphics),
            config: self.config.or(before.config),
            connect_dir: self.connect_dir.or(before.connect_dir),
            connect_ports: self.connect_ports.or(before.connect_ports),
            connect_address: self.connect_address.or(before.connect_address),
            log: self.log.or(before.log),
        }
    }
}

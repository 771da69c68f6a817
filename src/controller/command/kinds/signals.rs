//! Commands about signals, parsed.

use model::SignalName;

/// A command about signals.
#[derive(Clone, Debug, PartialEq)]
pub enum SignalCommand {
    /// Lists a signal's settings; `None`: all.
    Signals(Option<SignalName>),
    /// Changes the settings of signals.
    Handle {
        /// The signals to change.
        names: Vec<SignalName>,
        /// True to stop the rank; `None`: unchanged.
        stop: Option<bool>,
        /// True to report the signal; `None`: unchanged.
        print: Option<bool>,
        /// True to pass the signal to the program; `None`: unchanged.
        pass: Option<bool>,
    },
    /// Continues with a signal; `None`: without one.
    Signal(Option<SignalName>),
    /// Keeps a signal for the next continue; `None`: discards that of the stop.
    Queue(Option<SignalName>),
}

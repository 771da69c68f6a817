//! Commands about signals.

use model::SignalName;

/// What happens on signals.
#[derive(Clone, Debug, PartialEq)]
pub enum SignalCommand {
    /// List signals; none named: all.
    Signals(Option<SignalName>),
    /// Change what happens on signals.
    Handle {
        /// Which.
        names: Vec<SignalName>,
        /// Stop the rank.
        stop: Option<bool>,
        /// Say so.
        print: Option<bool>,
        /// Let the program have it.
        pass: Option<bool>,
    },
    /// Resume with a signal, or with none.
    Signal(Option<SignalName>),
}

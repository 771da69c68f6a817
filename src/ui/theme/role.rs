//! The roles a theme gives styles to.

use ratatui::style::Modifier;

macro_rules! roles {
    ($($variant:ident $name:literal $modifier:ident $doc:literal,)*) => {
        /// What a piece of the screen is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Role {
            $(#[doc = $doc] $variant,)*
        }

        impl Role {
            /// All roles, in the order of the table.
            pub const ALL: &[Role] = &[$(Role::$variant,)*];

            /// As themes spell it.
            pub fn name(self) -> &'static str {
                match self { $(Role::$variant => $name,)* }
            }

            /// What it is for.
            pub fn sentence(self) -> &'static str {
                match self { $(Role::$variant => $doc,)* }
            }

            /// How it is told apart on a terminal without colours.
            pub(super) fn colourless(self) -> Modifier {
                match self { $(Role::$variant => roles!(@modifier $modifier),)* }
            }
        }
    };
    (@modifier plain) => { Modifier::empty() };
    (@modifier bold) => { Modifier::BOLD };
    (@modifier dim) => { Modifier::DIM };
    (@modifier underlined) => { Modifier::UNDERLINED };
    (@modifier reversed) => { Modifier::REVERSED };
    (@modifier italic) => { Modifier::ITALIC };
    (@modifier emphatic) => { Modifier::BOLD.union(Modifier::UNDERLINED) };
}

roles! {
    Text "text" plain "Ordinary words, and the background of the screen.",
    Dim "dim" dim "Words that matter less: units, line numbers, hints.",
    Border "border" dim "Lines between views.",
    BorderFocus "border.focus" plain "Lines of the view that has the keyboard.",
    Title "title" plain "Names of views.",
    TitleFocus "title.focus" bold "Name of the view that has the keyboard.",
    ProcessRunning "process.running" plain "A running rank.",
    ProcessStopped "process.stopped" bold "A rank stopped by a step, a halt or its start.",
    ProcessBreakpoint "process.breakpoint" bold "A rank at a breakpoint or watchpoint.",
    ProcessSignal "process.signal" emphatic "A rank stopped by a signal or an exception.",
    ProcessExited "process.exited" dim "A rank that ended by itself, or was let go.",
    ProcessKilled "process.killed" underlined "A rank ended by a signal.",
    ProcessLost "process.lost" underlined "A rank out of reach, or one that could not be started.",
    ProcessStarting "process.starting" dim "A rank not yet under the debugger.",
    ProcessHeld "process.held" bold "A rank held at a barrier.",
    Selection "selection" reversed "The row or the ranks chosen in a view.",
    SelectionPassive "selection.passive" underlined "The chosen row of a view without the keyboard.",
    Cursor "cursor" reversed "The cell or character the keyboard acts on.",
    Mark "mark" underlined "A marked rank.",
    Match "match" underlined "Text that was searched for.",
    BreakpointEnabled "breakpoint.enabled" bold "A breakpoint that acts.",
    BreakpointDisabled "breakpoint.disabled" dim "A breakpoint that is off.",
    BreakpointPending "breakpoint.pending" dim "A breakpoint whose place is not loaded yet.",
    LineNumber "line.number" dim "Line numbers of the source.",
    LineCurrent "line.current" reversed "The line the lead rank is at.",
    LineOther "line.other" bold "Lines other ranks are at, in the margin.",
    ValueName "value.name" plain "Names of variables.",
    ValueType "value.type" dim "Types of variables.",
    Value "value" plain "Values.",
    ValueChanged "value.changed" emphatic "A value that changed with the last stop.",
    ValueNone "value.none" italic "Why there is no value.",
    Error "error" bold "Something went wrong.",
    Warning "warning" plain "Something works less well.",
    Note "note" plain "Something good to know.",
    Key "key" bold "Keys, in the key bar and in help.",
    KeyLabel "key.label" plain "What a key does.",
    Prompt "prompt" bold "The mark before typed text.",
    PromptHint "prompt.hint" dim "What could be typed next.",
    Popup "popup" plain "Background of what lies over the views.",
    Status "status" reversed "The status line.",
    StatusFocus "status.focus" reversed "The focus set in the status line.",
    StatusBusy "status.busy" reversed "What is awaited, in the status line.",
    StatusError "status.error" reversed "An error in the status line.",
    RankTag "rank" dim "Ranks before a line of output or a branch of a tree.",
    OutputError "output.error" italic "What ranks wrote to standard error.",
    CodeKeyword "code.keyword" bold "Keywords.",
    CodeType "code.type" plain "Types.",
    CodeString "code.string" plain "Strings and characters.",
    CodeNumber "code.number" plain "Numbers and constants.",
    CodeComment "code.comment" dim "Comments.",
    CodeFunction "code.function" plain "Functions.",
    CodePreprocessor "code.preprocessor" plain "Preprocessor directives and attributes.",
    CodeOperator "code.operator" plain "Operators and punctuation.",
}

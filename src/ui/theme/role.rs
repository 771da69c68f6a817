//! The roles a theme gives styles to.

use ratatui::style::Modifier;

macro_rules! roles {
    ($($variant:ident $name:literal $modifier:ident $doc:literal,)*) => {
        /// A part of the screen that a theme gives a style.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Role {
            $(#[doc = $doc] $variant,)*
        }

        impl Role {
            /// All roles, in the order of the table.
            pub const ALL: &[Role] = &[$(Role::$variant,)*];

            /// The name in theme files.
            pub fn name(self) -> &'static str {
                match self { $(Role::$variant => $name,)* }
            }

            /// The use of the role, for the documentation.
            pub fn sentence(self) -> &'static str {
                match self { $(Role::$variant => $doc,)* }
            }

            /// The modifiers that tell it apart on a terminal without colours.
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
    Text "text" plain "Ordinary text, and the background of the screen.",
    Dim "dim" dim "Less important text: units, line numbers, hints.",
    Border "border" dim "Borders between views.",
    BorderFocus "border.focus" plain "Borders of the active view.",
    Title "title" plain "Titles of views.",
    TitleFocus "title.focus" bold "Title of the active view.",
    ProcessRunning "process.running" plain "A running rank.",
    ProcessStopped "process.stopped" bold "A rank stopped by a step, a halt or its start.",
    ProcessBreakpoint "process.breakpoint" bold "A rank at a breakpoint or watchpoint.",
    ProcessSignal "process.signal" emphatic "A rank stopped by a signal or an exception.",
    ProcessExited "process.exited" dim "A rank that exited or was detached.",
    ProcessKilled "process.killed" underlined "A rank killed by a signal.",
    ProcessLost "process.lost" underlined "A rank that is unreachable or failed to start.",
    ProcessStarting "process.starting" dim "A rank not yet under the debugger.",
    ProcessHeld "process.held" bold "A rank held at a barrier.",
    Selection "selection" reversed "The selected row or ranks of a view.",
    SelectionPassive "selection.passive" underlined "The selected row of an inactive view.",
    Cursor "cursor" reversed "The cell or character under the cursor.",
    Mark "mark" underlined "A marked rank.",
    Match "match" underlined "Matches of a search.",
    BreakpointEnabled "breakpoint.enabled" bold "An enabled breakpoint.",
    BreakpointDisabled "breakpoint.disabled" dim "A disabled breakpoint.",
    BreakpointPending "breakpoint.pending" dim "A pending breakpoint.",
    LineNumber "line.number" dim "Line numbers of the source.",
    LineCurrent "line.current" reversed "The line the lead rank is at.",
    LineOther "line.other" bold "Lines other ranks are at, in the margin.",
    ValueName "value.name" plain "Names of variables.",
    ValueType "value.type" dim "Types of variables.",
    Value "value" plain "Values.",
    ValueChanged "value.changed" emphatic "A value that changed with the last stop.",
    ValueNone "value.none" italic "The reason for a missing value.",
    Heat1 "heat.1" plain "The lowest numbers in a picture of an array.",
    Heat2 "heat.2" plain "Low numbers in a picture of an array.",
    Heat3 "heat.3" plain "Middle numbers in a picture of an array.",
    Heat4 "heat.4" plain "High numbers in a picture of an array.",
    Heat5 "heat.5" plain "The highest numbers in a picture of an array.",
    HeatOdd "heat.odd" reversed "NaN and infinite numbers in a picture of an array.",
    Plot "plot" plain "The line of a picture of an array of one dimension.",
    Error "error" bold "Errors.",
    Warning "warning" plain "Warnings.",
    Note "note" plain "Notes.",
    Key "key" bold "Keys, in the key bar and in help.",
    KeyLabel "key.label" plain "The action of a key.",
    Prompt "prompt" bold "The prompt.",
    PromptHint "prompt.hint" dim "Suggestions and completions.",
    Popup "popup" plain "Background of dialogs and pages.",
    Status "status" reversed "The status line.",
    StatusFocus "status.focus" reversed "The focus set in the status line.",
    StatusBusy "status.busy" reversed "Pending replies, in the status line.",
    StatusError "status.error" reversed "An error in the status line.",
    RankTag "rank" dim "Ranks before a line of output or a branch of a tree.",
    OutputError "output.error" italic "Standard error of the ranks.",
    CodeKeyword "code.keyword" bold "Keywords.",
    CodeType "code.type" plain "Types.",
    CodeString "code.string" plain "Strings and characters.",
    CodeNumber "code.number" plain "Numbers and constants.",
    CodeComment "code.comment" dim "Comments.",
    CodeFunction "code.function" plain "Functions.",
    CodePreprocessor "code.preprocessor" plain "Preprocessor directives and attributes.",
    CodeOperator "code.operator" plain "Operators and punctuation.",
}

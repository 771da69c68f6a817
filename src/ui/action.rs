//! Everything a key can do, in one table: key map, key bar, help and `docs/KEYS.md` are made from it.

/// The views or layers in which a key binding applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    /// In every view.
    Anywhere,
    /// In one view only.
    In(ViewId),
    /// In every view, while a search is active.
    Search,
    /// In the dialog of programs that ask for a debugger.
    Requests,
    /// On a page over the views: help, a long answer.
    Page,
}

impl Scope {
    /// The name of the scope in `docs/KEYS.md` and configuration files; empty for [`Scope::Anywhere`].
    pub fn name(self) -> &'static str {
        match self {
            Scope::Anywhere => "",
            Scope::In(view) => view.title(),
            Scope::Search => "search",
            Scope::Requests => "requests",
            Scope::Page => "page",
        }
    }
}

/// The views, in the order of their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ViewId {
    /// The state of every rank, and the places where ranks are.
    Ranks,
    /// The source text, with breakpoints and the lines at which ranks are stopped.
    Source,
    /// Frames of the lead rank, or the merged tree of the focus.
    Stack,
    /// Arguments and locals of the selected frame; in other modes its registers or the loaded libraries.
    Variables,
    /// The standard output and error of the ranks.
    Output,
    /// Breakpoints, watchpoints and catchpoints.
    Breakpoints,
    /// Threads of the lead rank.
    Threads,
    /// The disposition of each signal: stop, print, pass.
    Signals,
    /// The log: commands with their results, events and messages.
    Messages,
    /// An array of numbers: its elements, or a picture of them. It takes the place of the source.
    Array,
    /// The memory at an address: bytes with their characters, or numbers of a type. It takes the place of the source.
    Memory,
}

impl ViewId {
    /// All views, in the order of their numbers.
    pub const ALL: [ViewId; 11] = [
        ViewId::Ranks,
        ViewId::Source,
        ViewId::Stack,
        ViewId::Variables,
        ViewId::Output,
        ViewId::Breakpoints,
        ViewId::Threads,
        ViewId::Signals,
        ViewId::Messages,
        ViewId::Array,
        ViewId::Memory,
    ];

    /// The key that goes to the view, in its title: 1 to 9, or a letter.
    pub fn sign(self) -> char {
        match self {
            ViewId::Array => 'A',
            ViewId::Memory => 'M',
            view => char::from(b'1' + view as u8),
        }
    }

    /// The view's name in its title, in `docs/KEYS.md` and in configuration files.
    pub fn title(self) -> &'static str {
        match self {
            ViewId::Ranks => "ranks",
            ViewId::Source => "source",
            ViewId::Stack => "stack",
            ViewId::Variables => "variables",
            ViewId::Output => "output",
            ViewId::Breakpoints => "breakpoints",
            ViewId::Threads => "threads",
            ViewId::Signals => "signals",
            ViewId::Messages => "messages",
            ViewId::Array => "array",
            ViewId::Memory => "memory",
        }
    }
}

/// The groups of actions; help has a heading for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// Running and stopping ranks.
    Run,
    /// Setting, editing and deleting breakpoints.
    Breakpoints,
    /// Choosing the focus and the lead rank.
    Focus,
    /// Moving cursors, searching, changing views.
    Move,
    /// Frames, threads and variables.
    Values,
    /// Help, prompt, reverse connection requests, leaving.
    Debugger,
}

impl Group {
    /// All groups, in the order of help.
    pub const ALL: [Group; 6] =
        [Group::Run, Group::Breakpoints, Group::Focus, Group::Values, Group::Move, Group::Debugger];

    /// The group's heading in help.
    pub fn title(self) -> &'static str {
        match self {
            Group::Run => "Run",
            Group::Breakpoints => "Breakpoints",
            Group::Focus => "Focus",
            Group::Move => "Move",
            Group::Values => "Values",
            Group::Debugger => "Debugger",
        }
    }
}

/// An action with its names and default keys.
#[derive(Clone, Copy, Debug)]
pub struct ActionRow {
    /// The action that the row describes.
    pub action: Action,
    /// The action's name in configuration files.
    pub name: &'static str,
    /// The label in the key bar; empty if the key bar does not show the action.
    pub label: &'static str,
    /// The views in which the keys are bound to this action.
    pub scope: Scope,
    /// The group under whose heading help lists the action.
    pub group: Group,
    /// Default key sequences; blanks separate the chords of one sequence.
    pub keys: &'static [&'static str],
    /// The description in help and `docs/KEYS.md`.
    pub sentence: &'static str,
}

macro_rules! actions {
    ($($variant:ident $name:literal $label:literal $scope:expr, $group:ident [$($key:literal),*] $sentence:literal;)*) => {
        /// An action that a key can be bound to.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Action {
            $(#[doc = $sentence] $variant,)*
        }

        /// The table, in the order of help and of the key bar.
        pub const ACTIONS: &[ActionRow] = &[
            $(ActionRow {
                action: Action::$variant,
                name: $name,
                label: $label,
                scope: $scope,
                group: Group::$group,
                keys: &[$($key),*],
                sentence: $sentence,
            },)*
        ];
    };
}

use Scope::{Anywhere, In};
use ViewId::{Array, Breakpoints, Memory, Messages, Output, Ranks, Signals, Source, Stack, Threads, Variables};

actions! {
    FocusMarked "focus-marked" "focus" In(Ranks), Focus ["enter"] "Focus on the marked ranks, the range, or the rank under the \
        cursor. If nothing is marked and the cell stands for several ranks, zoom into these; space and enter focus on them.";
    Mark "mark" "mark" In(Ranks), Focus ["space"] "Mark or unmark the rank under the cursor, or all ranks of its cell.";
    Range "range" "range" In(Ranks), Focus ["v"] "Start a range at the cursor; press again to mark it.";
    RankZoomIn "rank-zoom-in" "" In(Ranks), Move ["+"] "Show a quarter of the ranks, around the cursor, so that fewer share \
        a cell. The part moves with the cursor.";
    RankZoomOut "rank-zoom-out" "" In(Ranks), Move ["-"] "Show as many ranks as before the last zoom.";
    RankPlane "rank-plane" "" In(Ranks), Move ["]"] "Show the next plane of a grid of ranks (layout AxBxC).";
    RankPlaneBefore "rank-plane-before" "" In(Ranks), Move ["["] "Show the plane before.";
    SelectFrame "select-frame" "choose" In(Stack), Values ["enter"] "Select the frame under the cursor, or show \
        the frames of libraries; in the merged tree, focus on the branch's ranks and select its frame for them.";
    FoldFrames "fold-frames" "fold" In(Stack), Values ["space"] "Show or hide the frames of libraries.";
    Expand "expand" "open" In(Variables), Values ["enter", "space"] "Expand or collapse the value under the cursor.";
    Assign "assign" "set" In(Variables), Values ["V"] "Assign a value to the variable under the cursor.";
    CompareWith "compare-with" "" In(Variables), Values ["="] "Compare the values with those of other ranks, or with \
        a snapshot; an empty line compares with the last stop again.";
    AsArray "as-array" "" In(Variables), Values ["@"] "Show the pointer under the cursor as an array of the number \
        of elements you type.";
    TakeSnapshot "take-snapshot" "" In(Variables), Values ["S"] "Keep the values of the focused ranks, to compare later \
        ones with them (snapshot).";
    SinceSnapshot "since-snapshot" "" In(Variables), Values ["v"] "Compare with the newest snapshot instead of the last \
        stop, then with the one before, and at last with the last stop again.";
    ArraySection "array-section" "section" In(Array), Values ["]"] "Show the next section of an array of more than two \
        dimensions.";
    ArraySectionBefore "array-section-before" "" In(Array), Values ["["] "Show the section before.";
    ArrayAxes "array-axes" "turn" In(Array), Values ["r"] "Turn the grid: exchange rows and columns, or show two other \
        dimensions.";
    ArrayStatistics "array-statistics" "statistics" In(Array), Values ["S"] "Show or hide the statistics of the whole \
        array.";
    ArrayReduction "array-reduction" "" In(Array), Values ["v"] "Switch what a pixel of the picture shows of its elements: \
        mean, min or max.";
    ArrayTogether "array-together" "all ranks" In(Array), Values ["*"] "Put the arrays of the focused ranks together to \
        one picture, in the places of the layout, or show that of one rank again.";
    ArrayZoomIn "array-zoom-in" "" In(Array), Values ["+"] "Show the middle of the picture, twice as large; the arrows \
        then show other parts.";
    ArrayZoomOut "array-zoom-out" "" In(Array), Values ["-"] "Show twice as much of the array in the picture.";
    MemoryType "memory-type" "type" In(Memory), Values ["]"] "Show the memory as numbers of the next type: bytes, integers \
        of 2, 4 and 8 bytes, float, double, pointers.";
    MemoryTypeBefore "memory-type-before" "" In(Memory), Values ["["] "Show it as numbers of the type before.";
    MemoryNotation "memory-notation" "" In(Memory), Values ["v"] "Switch the notation of integers: signed, unsigned, \
        hexadecimal.";
    MemoryFollow "memory-follow" "follow" In(Memory), Values ["enter"] "Go to the address that is in the 8 bytes from the \
        cursor on.";
    MemoryBack "memory-back" "back" In(Memory), Values ["backspace"] "Go back to the address that was shown before.";
    ShowBreakpoint "show-breakpoint" "show" In(Breakpoints), Breakpoints ["enter"] "Show the source of the breakpoint under the cursor.";
    SelectThread "select-thread" "choose" In(Threads), Values ["enter"] "Select the thread under the cursor, or focus on the threads of its row.";
    ToggleDisposition "toggle-disposition" "toggle" In(Signals), Run ["enter", "space"] "Change whether the signal \
        under the cursor stops the rank, is printed, or is passed to the program.";
    OutputLine "output-line" "open" In(Output), Values ["enter"] "Show the whole of the line under the cursor.";
    MessageLine "message-line" "open" In(Messages), Values ["enter"] "Show the whole of the message under the cursor.";
    SendSignal "send-signal" "send" In(Signals), Run ["S"] "Continue the focus with the signal under the cursor.";

    Go "go" "go" Anywhere, Run ["c"] "Continue the focused ranks.";
    Next "next" "next" Anywhere, Run ["n"] "Step the focus over one line.";
    Step "step" "step" Anywhere, Run ["s"] "Step the focus one line, into functions.";
    Finish "finish" "finish" Anywhere, Run ["f"] "Run the focus until the selected frame returns.";
    Until "until" "" Anywhere, Run ["u"] "Run the focus to the line or the instruction under the source cursor; \
        ranks already at the line stay there.";
    Halt "halt" "halt" Anywhere, Run ["ctrl-c", "i"] "Stop the focus.";
    StepInstruction "step-instruction" "" Anywhere, Run ["x"] "Step the focus one instruction.";
    NextInstruction "next-instruction" "" Anywhere, Run ["X"] "Step the focus one instruction, over calls.";
    SendInput "send-input" "" In(Output), Run ["S"] "Type a line for the standard input of the focused ranks.";
    Restart "restart" "" Anywhere, Run ["R"] "Kill the job and start it again, with its breakpoints.";

    Break "break" "break" Anywhere, Breakpoints ["b"] "Toggle a breakpoint at the line under the source cursor; in the code, \
        at the instruction.";
    BreakPrompt "break-prompt" "" Anywhere, Breakpoints ["B"] "Set a breakpoint at file:line, function or *address, \
        with an optional \"if\" condition.";
    BreakOnce "break-once" "" Anywhere, Breakpoints ["t"] "Set a temporary breakpoint at the line or the \
        instruction under the source cursor.";
    Enable "enable" "on/off" Anywhere, Breakpoints ["e"] "Enable or disable the breakpoint under the cursor.";
    Delete "delete" "delete" Anywhere, Breakpoints ["d"] "Delete the breakpoint under the cursor.";
    Condition "condition" "condition" In(Breakpoints), Breakpoints ["C"] "Edit the condition of the breakpoint \
        under the cursor.";

    FocusPrompt "focus-prompt" "" Anywhere, Focus ["F"] "Focus on a set of ranks: 0-3, stopped, at(ring.c:12), {i > \
        3}.";
    FocusAll "focus-all" "all ranks" Anywhere, Focus ["a", "g a"] "Focus on all ranks.";
    FocusStopped "focus-stopped" "" Anywhere, Focus ["g s"] "Focus on the stopped ranks.";
    FocusRunning "focus-running" "" Anywhere, Focus ["g r"] "Focus on the running ranks.";
    FocusHere "focus-here" "" Anywhere, Focus ["g h"] "Focus on the ranks stopped at the lead rank's location.";
    FocusLead "focus-lead" "" Anywhere, Focus ["g l"] "Focus on the lead rank alone.";
    LeadNext "lead-next" "" Anywhere, Focus ["."] "Go to the next rank of the focus.";
    LeadPrevious "lead-previous" "" Anywhere, Focus [","] "Go to the previous rank of the focus.";
    LeadOtherPlace "lead-other-place" "" Anywhere, Focus [";"] "Go to the next location where ranks of the job \
        stopped.";

    FrameUp "frame-up" "" Anywhere, Values ["U"] "Select the caller's frame.";
    FrameDown "frame-down" "" Anywhere, Values ["D"] "Select the called frame.";
    Display "display" "display" Anywhere, Values ["w"] "Display an expression above the variables; d there removes it.";
    Print "print" "print" Anywhere, Values ["p"] "Print an expression on every rank of the focus, one line per value.";
    OpenArray "array" "array" Anywhere, Values ["A"] "Show the variable under the cursor as an array in a grid; elsewhere, go \
        back to the array that was shown last.";
    OpenMemory "memory" "memory" Anywhere, Values ["M"] "Show the memory of the variable under the cursor, or that at a \
        pointer; elsewhere, go back to the memory that was shown last.";
    Why "why" "why" Anywhere, Values ["W"] "Say for whom the focused ranks wait in MPI, and which ranks to look at.";
    Report "report" "" Anywhere, Values ["E"] "Write a report about all ranks: an HTML page, and its data as JSON.";
    MergedStack "merged-stack" "" Anywhere, Values ["T"] "Change what the stack shows: the frames of the lead \
        rank, one tree of the focus's stacks, or one tree of all threads of the focus.";
    Mode "mode" "mode" Anywhere, Values ["m"] "Switch the view's mode: density of ranks, code instead of the source, \
        merged stacks, registers, libraries, or the numbers of the frame across the focus instead of variables, output of the \
        focus only, threads of the focus, picture of an array, type of memory.";

    Up "up" "" Anywhere, Move ["k", "up"] "Up.";
    Down "down" "" Anywhere, Move ["j", "down"] "Down.";
    Left "left" "" Anywhere, Move ["h", "left"] "Left; collapses a value, or the frames of libraries.";
    Right "right" "" Anywhere, Move ["l", "right"] "Right; expands a value, or the frames of libraries.";
    LineStart "line-start" "" Anywhere, Move ["0", "^"] "Back to the start of lines that were scrolled to the right.";
    HalfUp "half-up" "" Anywhere, Move ["ctrl-u", "pageup"] "Half a view up.";
    HalfDown "half-down" "" Anywhere, Move ["ctrl-d", "pagedown"] "Half a view down.";
    Top "top" "" Anywhere, Move ["g g", "home"] "To the first.";
    Bottom "bottom" "" Anywhere, Move ["G", "end"] "To the last; output then follows new lines.";
    Search "search" "" Anywhere, Move ["/"] "Search in the view; n and N go to the next and previous match.";
    SearchNext "search-next" "" Anywhere, Move ["ctrl-n"] "To the next match, also of the previous search.";
    SearchPrevious "search-previous" "" Anywhere, Move ["ctrl-p", "N", "P"] "To the previous match.";
    MatchNext "match-next" "next match" Scope::Search, Move ["n"] "To the next match, while a search is active: \
        until esc, or until the focus runs.";
    MatchPrevious "match-previous" "previous match" Scope::Search, Move ["N"] "To the previous match, while a search \
        is active.";
    SearchEnd "search-end" "end search" Scope::Search, Move ["esc"] "End the search: n steps again.";
    GoToLine "go-to-current-line" "" Anywhere, Move ["g ."] "To the line the lead rank is at.";
    OpenSource "open-source" "" In(Source), Move ["o"] "Go to a location: file:line or a function.";
    ViewNext "view-next" "" Anywhere, Move ["tab"] "To the next view.";
    ViewPrevious "view-previous" "" Anywhere, Move ["shift-tab"] "To the previous view.";
    ViewRanks "view-ranks" "" Anywhere, Move ["1"] "To the ranks.";
    ViewSource "view-source" "" Anywhere, Move ["2"] "To the source.";
    ViewStack "view-stack" "" Anywhere, Move ["3"] "To the stack.";
    ViewVariables "view-variables" "" Anywhere, Move ["4"] "To the variables.";
    ViewOutput "view-output" "" Anywhere, Move ["5"] "To the output.";
    ViewBreakpoints "view-breakpoints" "" Anywhere, Move ["6"] "To the breakpoints.";
    ViewThreads "view-threads" "" Anywhere, Move ["7"] "To the threads.";
    ViewSignals "view-signals" "" Anywhere, Move ["8"] "To the signals.";
    ViewMessages "view-messages" "" Anywhere, Move ["9"] "To the messages.";
    Zoom "zoom" "zoom" Anywhere, Move ["z"] "Zoom the view to the whole screen, or back.";

    RequestAccept "request-accept" "accept" Scope::Requests, Debugger ["a"] "Accept the request.";
    RequestReject "request-reject" "reject" Scope::Requests, Debugger ["r"] "Reject the request, with an optional \
        reason. A stale request is removed.";
    RequestLater "request-later" "later" Scope::Requests, Debugger ["l"] "Leave the request pending.";
    RequestsClose "requests-close" "close" Scope::Requests, Debugger ["esc", "q"] "Leave all requests pending, and \
        close the dialog.";
    PageClose "page-close" "close" Scope::Page, Debugger ["esc", "q", "enter", "?"] "Close the page: help, or a \
        long reply. Any key without a meaning there closes it, too, and acts if nothing of the page is hidden.";
    PageForward "page-forward" "" Scope::Page, Debugger ["space"] "Half a page down.";
    PageTop "page-top" "" Scope::Page, Debugger ["g"] "To its start.";
    Requests "requests" "" Anywhere, Debugger ["g w"] "Show the programs that ask for a debugger.";
    Listen "listen" "" Anywhere, Debugger ["g L"] "Listen for such programs during a session, or stop.";
    Prompt "prompt" "command" Anywhere, Debugger [":"] "Type a command.";
    Help "help" "help" Anywhere, Debugger ["?", "f1"] "Show the keys.";
    Escape "escape" "" Anywhere, Debugger ["esc"] "Clear the range, the marks or the search, show all ranks again, undo the \
        zoom of the view, or close the array or the memory, in this order.";
    Redraw "redraw" "" Anywhere, Debugger ["ctrl-l"] "Redraw the screen.";
    Suspend "suspend" "" Anywhere, Debugger ["ctrl-z"] "Suspend to the shell; \"fg\" returns. The job is not affected.";
    Leave "leave" "" Anywhere, Debugger ["Q"] "Leave the session as it is; \"rankscope resume\" takes it back.";
    Quit "quit" "quit" Anywhere, Debugger ["q"] "Quit: kill the job, detach from it, leave it, or cancel.";
}

/// Actions that have a meaning of their own in a view, with the sentence about it.
pub(crate) const MEANINGS: &[(Action, ViewId, &str)] = &[
    (
        Action::Search,
        Array,
        "Mark the elements that meet a condition, such as nan or > 1e3; n and N go to the next and previous one.",
    ),
    (Action::Search, Memory, "Go to an address, or an offset such as +0x40."),
];

impl Action {
    /// The action's row in [`ACTIONS`].
    pub fn row(self) -> Option<&'static ActionRow> {
        ACTIONS.iter().find(|row| row.action == self)
    }

    /// Finds an action by its name in configuration files.
    pub fn parse(name: &str) -> Option<Self> {
        ACTIONS.iter().find(|row| row.name == name).map(|row| row.action)
    }

    /// True if the keys after it are typed into a line.
    pub fn opens_a_line(self) -> bool {
        matches!(
            self,
            Action::Prompt
                | Action::Search
                | Action::FocusPrompt
                | Action::BreakPrompt
                | Action::Print
                | Action::Display
                | Action::OpenSource
        )
    }

    /// The view that the action goes to; `None` for all other actions.
    pub fn view(self) -> Option<ViewId> {
        Some(match self {
            Action::ViewRanks => ViewId::Ranks,
            Action::ViewSource => ViewId::Source,
            Action::ViewStack => ViewId::Stack,
            Action::ViewVariables => ViewId::Variables,
            Action::ViewOutput => ViewId::Output,
            Action::ViewBreakpoints => ViewId::Breakpoints,
            Action::ViewThreads => ViewId::Threads,
            Action::ViewSignals => ViewId::Signals,
            Action::ViewMessages => ViewId::Messages,
            _ => return None,
        })
    }
}

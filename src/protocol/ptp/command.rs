//! Commands: front end → master (wire, section 2).

use super::BaseSet;
use super::field::{Field, Rest, messages};
use crate::{Arguments, Packet, ProtocolError};
use model::TransactionId;

/// The first argument of most commands.
pub(super) const SET: &str = "process set";

messages! {
    /// A command for a set of ranks. Numbers are those of a C `int` unless they count bytes.
    pub enum RankCommand {
        /// Answer: BreakpointSet; OK if temporary.
        2 SetLineBreakpoint {
            /// The breakpoint's number, which the client chooses.
            id: i32,
            /// Deleted by its first hit.
            temporary: bool,
            /// True to use a debug register.
            hardware: bool,
            /// The source file.
            file: String,
            /// Counted from 1.
            line: i32,
            /// The condition's expression; empty: none.
            condition: String,
            /// Hits to ignore first.
            ignore_count: i32,
            /// The only thread that stops; 0: any.
            thread: i32,
        },
        /// Answer: as for a line.
        3 SetFunctionBreakpoint {
            /// The breakpoint's number, which the client chooses.
            id: i32,
            /// Deleted by its first hit.
            temporary: bool,
            /// True to use a debug register.
            hardware: bool,
            /// The source file; empty: any.
            file: String,
            /// The function's name.
            function: String,
            /// The condition's expression; empty: none.
            condition: String,
            /// Hits to ignore first.
            ignore_count: i32,
            /// The only thread that stops; 0: any.
            thread: i32,
        },
        /// Answer: OK.
        4 DeleteBreakpoint {
            /// The breakpoint's number.
            id: i32,
        },
        /// Answer: OK.
        5 EnableBreakpoint {
            /// The breakpoint's number.
            id: i32,
        },
        /// Answer: OK.
        6 DisableBreakpoint {
            /// The breakpoint's number.
            id: i32,
        },
        /// Answer: OK.
        7 ConditionBreakpoint {
            /// The breakpoint's number.
            id: i32,
            /// The new condition; empty removes it.
            expression: String,
        },
        /// Answer: OK.
        8 BreakpointAfter {
            /// The breakpoint's number.
            id: i32,
            /// Hits to ignore from now on.
            ignore_count: i32,
        },
        /// Answer: BreakpointSet.
        9 SetWatchpoint {
            /// The watchpoint's number, which the client chooses.
            id: i32,
            /// The expression to watch.
            expression: String,
            /// Stop on any access, reading or writing.
            access: bool,
            /// Stop on reading.
            read: bool,
            /// The condition's expression; empty: none.
            condition: String,
            /// Accesses to ignore first.
            ignore_count: i32,
        },
        /// Answer: OK, later Suspend or Exit.
        10 Go,
        /// Answer: OK, later Suspend or Exit.
        11 Step {
            /// The number of steps.
            count: i32,
            /// 0 step into, 1 step over, 2 finish.
            kind: i32,
        },
        /// Answer: OK.
        12 Terminate,
        /// Answer: Suspend, no OK.
        13 Interrupt,
        /// Answer: Stackframe.
        14 ListStackframes {
            /// First level.
            low: i32,
            /// Last level; both 0: all.
            high: i32,
        },
        /// Answer: OK.
        15 SetCurrentStackframe {
            /// 0 is the innermost.
            level: i32,
        },
        /// Answer: Data.
        16 EvaluateExpression {
            /// In the language of the frame.
            expression: String,
        },
        /// Answer: Type.
        17 GetType {
            /// In the language of the frame.
            expression: String,
        },
        /// Answer: Vars.
        18 ListLocalVariables,
        /// Answer: Args.
        19 ListArguments {
            /// First level.
            low: i32,
            /// Last level.
            high: i32,
        },
        /// Answer: Vars.
        20 ListGlobalVariables,
        /// Answer: InfoThreads.
        21 ListInfoThreads,
        /// Answer: SetThreadSelect.
        22 SetThreadSelect {
            /// The thread's number.
            thread: i32,
        },
        /// Answer: StackInfoDepth.
        23 StackInfoDepth,
        /// Answer: MemoryInfo.
        24 DataReadMemory {
            /// Added to the address, in bytes.
            offset: i64,
            /// An expression.
            address: String,
            /// A letter: x d u o t a c f s.
            format: String,
            /// Bytes a word.
            word_size: i32,
            /// Rows.
            rows: i32,
            /// Words in each row.
            columns: i32,
            /// The character for unprintable bytes; empty: no text column.
            as_char: String,
        },
        /// Answer: OK.
        25 DataWriteMemory {
            /// Added to the address, in bytes.
            offset: i64,
            /// An expression.
            address: String,
            /// A letter, as for reading.
            format: String,
            /// Bytes of the word.
            word_size: i32,
            /// The word.
            value: String,
        },
        /// Answer: Signals.
        26 ListSignals {
            /// A signal's name; empty: all.
            name: String,
        },
        /// Answer: Signals. PTP 2.x.
        27 SignalInfo {
            /// A signal's name.
            argument: String,
        },
        /// Answer: OK.
        28 Cli {
            /// The arguments of gdb's `handle`: `SIGUSR1 nostop noprint pass`.
            text: String,
        },
        /// Answer: Data. PTP 2.x.
        29 DataEvaluateExpression {
            /// In the language of the frame.
            expression: String,
        },
        /// Answer: Data with the key.
        30 EvaluatePartialExpression {
            /// In the language of the frame.
            expression: String,
            /// The key of an earlier answer; empty: a new expression.
            key: String,
            /// True for one level down.
            list_children: bool,
            /// True to evaluate `expression` although there is a key.
            express: bool,
        },
        /// Answer: OK.
        31 DeletePartialExpression {
            /// The key of an earlier answer.
            key: String,
        },
    }
}

/// A message of a client of the base dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaseCommand {
    /// Ends the session; the connection closes.
    Quit,
    /// Answer: OK. The first Go starts the program.
    StartSession {
        /// The file name of the program.
        program: String,
        /// The directory of the program.
        directory: String,
        /// The working directory of the ranks.
        working_directory: String,
        /// The arguments, without the program's name.
        arguments: Vec<String>,
    },
    /// A command for ranks.
    Ranks(BaseSet, RankCommand),
}

impl BaseCommand {
    /// Reads a client's packet.
    pub fn parse(packet: &Packet) -> Result<Self, ProtocolError> {
        let unknown = ProtocolError::UnknownId { id: packet.id, tid: packet.tid.0 };
        match packet.id {
            0 => Arguments::new("Quit", packet).end().map(|()| Self::Quit),
            1 => {
                let mut a = Arguments::new("StartSession", packet);
                Ok(Self::StartSession {
                    program: a.text("program")?,
                    directory: a.text("directory")?,
                    working_directory: a.text("working directory")?,
                    arguments: Rest::read(&mut a, "argument")?.0,
                })
            }
            id => {
                let Some(name) = RankCommand::name_of(id) else { return Err(unknown) };
                let mut a = Arguments::new(name, packet);
                let ranks = BaseSet::read(&mut a, SET)?;
                let Some(command) = RankCommand::read(id, &mut a) else { return Err(unknown) };
                let command = command?;
                a.end()?;
                Ok(Self::Ranks(ranks, command))
            }
        }
    }

    /// Writes the packet that [`Self::parse`] reads.
    pub fn write(&self, tid: TransactionId) -> Packet {
        match self {
            Self::Quit => Packet::new(0, tid),
            Self::StartSession { program, directory, working_directory, arguments } => {
                let packet = Packet::new(1, tid).with_text(program).with_text(directory).with_text(working_directory);
                arguments.iter().fold(packet, |packet, word| packet.with_text(word))
            }
            Self::Ranks(ranks, command) => command.write(ranks.write(Packet::new(command.id(), tid))),
        }
    }
}

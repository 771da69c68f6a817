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
            /// The number it gets.
            id: i32,
            /// Deleted by its first stop.
            temporary: bool,
            /// By a debug register.
            hardware: bool,
            /// Source file.
            file: String,
            /// Counted from 1.
            line: i32,
            /// Empty: none.
            condition: String,
            /// Arrivals to pass over.
            ignore_count: i32,
            /// 0: any.
            thread: i32,
        },
        /// Answer: as for a line.
        3 SetFunctionBreakpoint {
            /// The number it gets.
            id: i32,
            /// Deleted by its first stop.
            temporary: bool,
            /// By a debug register.
            hardware: bool,
            /// Source file; empty: any.
            file: String,
            /// Its name.
            function: String,
            /// Empty: none.
            condition: String,
            /// Arrivals to pass over.
            ignore_count: i32,
            /// 0: any.
            thread: i32,
        },
        /// Answer: OK.
        4 DeleteBreakpoint {
            /// Which.
            id: i32,
        },
        /// Answer: OK.
        5 EnableBreakpoint {
            /// Which.
            id: i32,
        },
        /// Answer: OK.
        6 DisableBreakpoint {
            /// Which.
            id: i32,
        },
        /// Answer: OK.
        7 ConditionBreakpoint {
            /// Which.
            id: i32,
            /// Empty: none any more.
            expression: String,
        },
        /// Answer: OK.
        8 BreakpointAfter {
            /// Which.
            id: i32,
            /// Arrivals to pass over.
            ignore_count: i32,
        },
        /// Answer: BreakpointSet.
        9 SetWatchpoint {
            /// The number it gets.
            id: i32,
            /// What is watched.
            expression: String,
            /// Stop on any access.
            access: bool,
            /// Stop on reading.
            read: bool,
            /// Empty: none.
            condition: String,
            /// Accesses to pass over.
            ignore_count: i32,
        },
        /// Answer: OK, later Suspend or Exit.
        10 Go,
        /// Answer: OK, later Suspend or Exit.
        11 Step {
            /// Repetitions.
            count: i32,
            /// 0 into, 1 over, 2 finish.
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
            /// Which.
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
            /// Words a row.
            columns: i32,
            /// The character for bytes that cannot be shown; empty: no characters.
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
            /// Empty: all.
            name: String,
        },
        /// Answer: Signals. PTP 2.x.
        27 SignalInfo {
            /// A signal's name.
            argument: String,
        },
        /// Answer: OK.
        28 Cli {
            /// What follows gdb's `handle`: `SIGUSR1 nostop noprint pass`.
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
            /// Of an earlier answer; empty: a new one.
            key: String,
            /// One level down.
            list_children: bool,
            /// The key is an expression.
            express: bool,
        },
        /// Answer: OK.
        31 DeletePartialExpression {
            /// Of an earlier answer.
            key: String,
        },
    }
}

/// What a client of the base dialect says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaseCommand {
    /// The connection closes.
    Quit,
    /// Answer: OK. The first Go starts the program.
    StartSession {
        /// Its file name.
        program: String,
        /// The directory it is in.
        directory: String,
        /// Where it runs.
        working_directory: String,
        /// Without the program itself.
        arguments: Vec<String>,
    },
    /// For ranks.
    Ranks(BaseSet, RankCommand),
}

impl BaseCommand {
    /// Reads a packet that came from a client.
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

    /// The packet that [`Self::parse`] reads.
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

//! Events: master → front end (wire, section 3).

use super::field::{Field, messages};
use super::{BaseBreakpoint, BaseFrame, BaseSet, BaseSignal, MemoryRow};
use crate::{Arguments, Packet, ProtocolError};
use model::TransactionId;

/// The generation of the old program at the other end: the two use one id for different events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Era {
    /// PTP 4.x: 110 is Output.
    #[default]
    Four,
    /// PTP 2.x: 110 is Init.
    Two,
}

/// The way a rank ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It exited with this status.
    Exit(i32),
    /// A signal killed it.
    Signal(Option<BaseSignal>),
}

impl Field for Ending {
    fn read(a: &mut Arguments<'_>, field: &'static str) -> Result<Self, ProtocolError> {
        match a.number::<u32>(field)? {
            0 => Ok(Self::Exit(a.number("status")?)),
            1 => Ok(Self::Signal(Field::read(a, "signal")?)),
            _ => Err(a.fault(field, "expected 0 (exit) or 1 (signal)")),
        }
    }

    fn write(&self, packet: Packet) -> Packet {
        match self {
            Self::Exit(status) => packet.with_number(0).with_number(status),
            Self::Signal(signal) => signal.write(packet.with_number(1)),
        }
    }
}

/// The reason why a rank stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Suspension {
    /// Reason 0: at a breakpoint of this number.
    Breakpoint(i32),
    /// Reason 1: by a signal, in this frame.
    Signal(Option<BaseSignal>, Option<BaseFrame>),
    /// Reason 2: a step ended, in this frame.
    Step(Option<BaseFrame>),
    /// Reason 3: an interrupt or a temporary breakpoint, in this frame.
    Interrupt(Option<BaseFrame>),
}

impl Field for Suspension {
    fn read(a: &mut Arguments<'_>, field: &'static str) -> Result<Self, ProtocolError> {
        match a.number::<u32>(field)? {
            0 => Ok(Self::Breakpoint(a.number("breakpoint")?)),
            1 => Ok(Self::Signal(Field::read(a, "signal")?, Field::read(a, "frame")?)),
            2 => Ok(Self::Step(Field::read(a, "frame")?)),
            3 => Ok(Self::Interrupt(Field::read(a, "frame")?)),
            _ => Err(a.fault(field, "expected a reason from 0 to 3")),
        }
    }

    fn write(&self, packet: Packet) -> Packet {
        match self {
            Self::Breakpoint(id) => packet.with_number(0).with_number(id),
            Self::Signal(signal, frame) => frame.write(signal.write(packet.with_number(1))),
            Self::Step(frame) => frame.write(packet.with_number(2)),
            Self::Interrupt(frame) => frame.write(packet.with_number(3)),
        }
    }
}

messages! {
    /// An event of a set of ranks.
    pub enum RankEvent {
        /// A rank has ended.
        102 Exit {
            /// The way it ended.
            reason: Ending,
        },
        /// A breakpoint was set.
        104 BreakpointSet {
            /// The number the client chose.
            id: i32,
            /// The breakpoint as set.
            breakpoint: Option<BaseBreakpoint>,
        },
        /// The frames of a stack.
        105 Stackframe {
            /// The frames, innermost first.
            frames: Vec<BaseFrame>,
        },
        /// The value of an expression.
        106 Data {
            /// AIF type.
            descriptor: String,
            /// AIF data, upper-case hexadecimal.
            data: String,
            /// The type's name in the program's language.
            type_name: String,
            /// The key for the value's children; empty: none.
            key: String,
        },
        /// The type of an expression.
        107 Type {
            /// The type's name in the program's language.
            text: String,
        },
        /// The names of variables.
        108 Vars {
            /// The names, in the order in which the rank lists them.
            names: Vec<String>,
        },
        /// The names of parameters.
        109 Args {
            /// The names, in the order in which the rank lists them.
            names: Vec<String>,
        },
        /// Output of the program.
        110 Output {
            /// The output, unchanged.
            text: String,
        },
        /// A command succeeded.
        111 Ok,
        /// A command failed.
        112 Error {
            /// See [`model::ErrorCode`].
            code: i32,
            /// The reason, for the user.
            message: String,
        },
        /// A rank stopped.
        113 Suspend {
            /// The reason and the place.
            reason: Suspension,
            /// The thread that stopped.
            thread: i32,
            /// The number of frames on its stack.
            depth: i32,
            /// The names of variables that changed.
            changed: Vec<String>,
        },
        /// The threads of a rank.
        114 InfoThreads {
            /// The number of the selected thread.
            current: i32,
            /// The numbers of the others.
            ids: Vec<String>,
        },
        /// A thread was selected.
        115 SetThreadSelect {
            /// The thread's number.
            thread: i32,
            /// The thread's innermost frame.
            frame: Option<BaseFrame>,
        },
        /// The number of frames on a stack.
        116 StackInfoDepth {
            /// The number, at least 1.
            depth: i32,
        },
        /// The content of memory.
        117 MemoryInfo {
            /// The address of the first byte, `0x…`.
            address: String,
            /// The address of the next row.
            next_row: String,
            /// The address of the row before.
            previous_row: String,
            /// The address of the next page.
            next_page: String,
            /// The address of the page before.
            previous_page: String,
            /// The number of bytes read.
            bytes: i64,
            /// The number of bytes asked for.
            total: i64,
            /// The rows read.
            rows: Vec<MemoryRow>,
        },
        /// The signals and their settings.
        119 Signals {
            /// The signals, by number.
            signals: Vec<BaseSignal>,
        },
    }
}

messages! {
    /// Events of PTP 2.x that are read and never sent.
    pub enum OldEvent {
        /// All servers are connected.
        110 Init {
            /// The number of servers.
            servers: i32,
        },
        /// A value as text.
        120 DataExpressionValue {
            /// The text, as gdb prints it.
            text: String,
        },
        /// A part of a value.
        121 PartialAif {
            /// AIF type.
            descriptor: String,
            /// AIF data, upper-case hexadecimal.
            data: String,
            /// The type's name in the program's language.
            type_name: String,
            /// The key for the value's children.
            key: String,
        },
    }
}

/// A message to a client of the base dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaseEvent {
    /// The proxy's OK (id 0).
    ProxyOk,
    /// The proxy's message to the user (id 1).
    ProxyMessage {
        /// FATAL, ERROR, WARNING or INFO.
        level: String,
        /// See [`model::ErrorCode`].
        code: i32,
        /// The message.
        text: String,
    },
    /// The proxy's error (id 5).
    ProxyError {
        /// See [`model::ErrorCode`].
        code: i32,
        /// The reason, for the user.
        message: String,
    },
    /// The proxy's shutdown (id 6).
    ProxyShutdown,
    /// An event of ranks.
    Ranks(BaseSet, RankEvent),
    /// An event of ranks, from PTP 2.x.
    Old(BaseSet, OldEvent),
}

impl BaseEvent {
    /// Reads a master's packet.
    pub fn parse(packet: &Packet, era: Era) -> Result<Self, ProtocolError> {
        match packet.id {
            0 => Arguments::new("proxy OK", packet).end().map(|()| Self::ProxyOk),
            1 => {
                let mut a = Attributes::read(Arguments::new("proxy MESSAGE", packet))?;
                let (level, code, text) = (a.text("messageLevel"), a.number("messageCode")?, a.text("messageText"));
                Ok(Self::ProxyMessage { level, code, text })
            }
            5 => {
                let mut a = Attributes::read(Arguments::new("proxy ERROR", packet))?;
                Ok(Self::ProxyError { code: a.number("errorCode")?, message: a.text("errorMsg") })
            }
            6 => Arguments::new("proxy SHUTDOWN", packet).end().map(|()| Self::ProxyShutdown),
            id => Self::parse_of_ranks(id, packet, era),
        }
    }

    fn parse_of_ranks(id: u16, packet: &Packet, era: Era) -> Result<Self, ProtocolError> {
        let unknown = ProtocolError::UnknownId { id, tid: packet.tid.0 };
        let old = OldEvent::name_of(id).filter(|_| era == Era::Two);
        let Some(name) = old.or_else(|| RankEvent::name_of(id)) else { return Err(unknown) };
        let mut a = Arguments::new(name, packet);
        let ranks = BaseSet::read(&mut a, "process set")?;
        let event = if old.is_some() {
            OldEvent::read(id, &mut a).map(|event| event.map(|event| Self::Old(ranks, event)))
        } else {
            RankEvent::read(id, &mut a).map(|event| event.map(|event| Self::Ranks(ranks, event)))
        };
        let event = event.ok_or(unknown)??;
        a.end()?;
        Ok(event)
    }

    /// Writes the packet that [`Self::parse`] reads.
    pub fn write(&self, tid: TransactionId) -> Packet {
        match self {
            Self::ProxyOk => Packet::new(0, tid),
            Self::ProxyMessage { level, code, text } => Packet::new(1, tid)
                .with_number(3)
                .with(format!("messageLevel={level}"))
                .with(format!("messageCode={code}"))
                .with(format!("messageText={text}")),
            Self::ProxyError { code, message } => {
                Packet::new(5, tid).with_number(2).with(format!("errorCode={code}")).with(format!("errorMsg={message}"))
            }
            Self::ProxyShutdown => Packet::new(6, tid),
            Self::Ranks(ranks, event) => event.write(ranks.write(Packet::new(event.id(), tid))),
            Self::Old(ranks, event) => event.write(ranks.write(Packet::new(event.id(), tid))),
        }
    }

    /// Builds the event that is sent before a link with malformed input is closed.
    pub fn malformed(fault: &ProtocolError) -> Self {
        let text = format!("malformed message, closing the link: {fault}");
        Self::ProxyMessage { level: "FATAL".to_owned(), code: 3, text }
    }
}

/// The `key=value` arguments of proxy messages, in any order; a missing text is empty, a missing number 0.
struct Attributes<'a> {
    arguments: Arguments<'a>,
    pairs: Vec<(String, String)>,
}

impl<'a> Attributes<'a> {
    fn read(mut arguments: Arguments<'a>) -> Result<Self, ProtocolError> {
        let count: u64 = arguments.number("number of attributes")?;
        let mut pairs = Vec::new();
        for _ in 0..count {
            let text = arguments.text("attribute")?;
            let (key, value) =
                text.split_once('=').ok_or_else(|| arguments.fault("attribute", "expected KEY=VALUE"))?;
            pairs.push((key.to_owned(), value.to_owned()));
        }
        arguments.end()?;
        Ok(Self { arguments, pairs })
    }

    fn text(&self, key: &str) -> String {
        self.pairs.iter().find(|pair| pair.0 == key).map(|pair| pair.1.clone()).unwrap_or_default()
    }

    fn number(&mut self, key: &'static str) -> Result<i32, ProtocolError> {
        match self.text(key) {
            text if text.is_empty() => Ok(0),
            text => text.parse().map_err(|_| self.arguments.fault(key, "expected a decimal number")),
        }
    }
}

//! Events: master → front end (wire, section 3).

use super::field::{Field, messages};
use super::{BaseBreakpoint, BaseFrame, BaseSet, BaseSignal, MemoryRow};
use crate::{Arguments, Packet, ProtocolError};
use model::TransactionId;

/// Which generation of the old program is at the other end: they use one id for two things.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Era {
    /// PTP 4.x: 110 is Output.
    #[default]
    Four,
    /// PTP 2.x: 110 is Init.
    Two,
}

/// How a rank ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with this status.
    Exit(i32),
    /// By a signal.
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

/// Why a rank stopped.
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
        /// The rank is gone.
        102 Exit {
            /// How.
            reason: Ending,
        },
        /// A breakpoint is there.
        104 BreakpointSet {
            /// The number asked for.
            id: i32,
            /// What it became.
            breakpoint: Option<BaseBreakpoint>,
        },
        /// Frames.
        105 Stackframe {
            /// Innermost first.
            frames: Vec<BaseFrame>,
        },
        /// A value.
        106 Data {
            /// AIF type.
            descriptor: String,
            /// AIF data, upper-case hexadecimal.
            data: String,
            /// As the language spells it.
            type_name: String,
            /// For children of it; empty: none.
            key: String,
        },
        /// A type.
        107 Type {
            /// As the language spells it.
            text: String,
        },
        /// Names of variables.
        108 Vars {
            /// In order.
            names: Vec<String>,
        },
        /// Names of parameters.
        109 Args {
            /// In order.
            names: Vec<String>,
        },
        /// What the program wrote.
        110 Output {
            /// As it wrote it.
            text: String,
        },
        /// Done.
        111 Ok,
        /// Not done.
        112 Error {
            /// See [`model::ErrorCode`].
            code: i32,
            /// In words.
            message: String,
        },
        /// The rank stopped.
        113 Suspend {
            /// Why, and where.
            reason: Suspension,
            /// The thread that stopped.
            thread: i32,
            /// Frames on its stack.
            depth: i32,
            /// Names of variables that changed.
            changed: Vec<String>,
        },
        /// Threads.
        114 InfoThreads {
            /// The selected one.
            current: i32,
            /// The numbers of the others.
            ids: Vec<String>,
        },
        /// A thread is selected.
        115 SetThreadSelect {
            /// Which.
            thread: i32,
            /// Where it is.
            frame: Option<BaseFrame>,
        },
        /// Number of frames.
        116 StackInfoDepth {
            /// At least 1 on a stack.
            depth: i32,
        },
        /// Memory.
        117 MemoryInfo {
            /// Of the first byte, `0x…`.
            address: String,
            /// Address of the next row.
            next_row: String,
            /// Address of the row before.
            previous_row: String,
            /// Address of the next page.
            next_page: String,
            /// Address of the page before.
            previous_page: String,
            /// Bytes read.
            bytes: i64,
            /// Bytes asked for.
            total: i64,
            /// What was read.
            rows: Vec<MemoryRow>,
        },
        /// Signals and what happens on them.
        119 Signals {
            /// In the order of numbers.
            signals: Vec<BaseSignal>,
        },
    }
}

messages! {
    /// Events of PTP 2.x that are read and never sent.
    pub enum OldEvent {
        /// All servers are there.
        110 Init {
            /// How many.
            servers: i32,
        },
        /// A value in words.
        120 DataExpressionValue {
            /// As gdb prints it.
            text: String,
        },
        /// A part of a value.
        121 PartialAif {
            /// AIF type.
            descriptor: String,
            /// AIF data, upper-case hexadecimal.
            data: String,
            /// As the language spells it.
            type_name: String,
            /// For children of it.
            key: String,
        },
    }
}

/// What the master says to a client of the base dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BaseEvent {
    /// The proxy has done it (id 0).
    ProxyOk,
    /// Words for the user from the proxy (id 1).
    ProxyMessage {
        /// FATAL, ERROR, WARNING or INFO.
        level: String,
        /// See [`model::ErrorCode`].
        code: i32,
        /// In words.
        text: String,
    },
    /// The proxy could not do it (id 5).
    ProxyError {
        /// See [`model::ErrorCode`].
        code: i32,
        /// In words.
        message: String,
    },
    /// The proxy ends (id 6).
    ProxyShutdown,
    /// Of ranks.
    Ranks(BaseSet, RankEvent),
    /// Of ranks, from PTP 2.x.
    Old(BaseSet, OldEvent),
}

impl BaseEvent {
    /// Reads a packet that came from a master.
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

    /// The packet that [`Self::parse`] reads.
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

    /// What is said before a link is closed on which something malformed came.
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

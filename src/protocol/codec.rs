//! Encodes rankscope's own messages as packets: ids from 512 up (wire, section 5). Encoding and decoding of a message
//! are side by side.

use super::arguments::Arguments;
use super::beside_json::{self, json};
use super::{
    Packet, Priority, ProtocolError, Reply, Request, SessionCommand, SessionEvent, TreeDown, TreeUp, WaitPolicy,
};
use model::{Answer, ErrorCode, Failure, Operation, TransactionId};

/// The direction in which a message travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Front end → master → servers.
    Down,
    /// Servers → master → front end.
    Up,
    /// In both directions.
    Both,
}

impl Direction {
    /// Returns the direction as `docs/PROTOCOL.md` spells it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Down => "down",
            Self::Up => "up",
            Self::Both => "both",
        }
    }
}

/// A row of the table of extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extension {
    /// The packet id, from [`FIRST_EXTENSION`] up.
    pub id: u16,
    /// The heading in the table of `docs/PROTOCOL.md`.
    pub name: &'static str,
    /// The sides that send it.
    pub direction: Direction,
    /// The arguments in order, as `docs/PROTOCOL.md` shows them.
    pub arguments: &'static str,
}

const fn row(id: u16, name: &'static str, direction: Direction, arguments: &'static str) -> Extension {
    Extension { id, name, direction, arguments }
}

/// The lowest id of an extension.
pub const FIRST_EXTENSION: u16 = 512;

const HELLO: Extension = row(512, "Hello", Direction::Both, "version, role, highest extension known, capability…");
const ASK_RANKS: Extension = row(520, "Ranks", Direction::Down, "ranks, waiting policy, operation (JSON), bytes");
const ASK_SESSION: Extension = row(521, "SessionCommand", Direction::Down, "command (JSON)");
const ANSWER: Extension = row(528, "Answer", Direction::Up, "ranks, ranks missing, late, answer (JSON), bytes");
const MISSING: Extension = row(529, "Missing", Direction::Up, "ranks");
const EVENT: Extension = row(530, "Event", Direction::Up, "ranks, event (JSON), bytes");
const SESSION_EVENT: Extension = row(531, "SessionEvent", Direction::Up, "event (JSON)");
const LAUNCH: Extension =
    row(544, "Launch", Direction::Down, "server, first rank, count, size of the job, program (JSON)");
const ANCESTORS: Extension = row(545, "Ancestors", Direction::Down, "server, path (JSON)");
const SHUTDOWN: Extension = row(546, "Shutdown", Direction::Down, "kill");
const OUTPUT_TAKEN: Extension = row(547, "OutputTaken", Direction::Down, "bytes times ranks");
const ATTACH: Extension =
    row(548, "Attach", Direction::Down, "server, size of the job, held, ranks with process ids (JSON), program (JSON)");
const CHILDREN: Extension = row(549, "Children", Direction::Down, "server, children to dial (JSON)");
const OPEN_CORES: Extension =
    row(550, "OpenCores", Direction::Down, "server, size of the job, ranks with core files (JSON), program (JSON)");
const HERE: Extension = row(560, "Here", Direction::Up, "server, host, address, ranks");
const ACQUIRED: Extension = row(561, "Acquired", Direction::Up, "server, size of the job, ranks (JSON)");
const LAUNCH_FAILED: Extension = row(562, "LaunchFailed", Direction::Up, "server, message");
const SERVER_LOST: Extension = row(563, "ServerLost", Direction::Up, "server, message");
const DOWN: Extension = row(564, "Down", Direction::Up, "–");

/// Every extension, by ascending id.
pub const EXTENSIONS: &[Extension] = &[
    HELLO,
    ASK_RANKS,
    ASK_SESSION,
    ANSWER,
    MISSING,
    EVENT,
    SESSION_EVENT,
    LAUNCH,
    ANCESTORS,
    SHUTDOWN,
    OUTPUT_TAKEN,
    ATTACH,
    CHILDREN,
    OPEN_CORES,
    HERE,
    ACQUIRED,
    LAUNCH_FAILED,
    SERVER_LOST,
    DOWN,
];

/// The highest extension id known here; HELLO announces it.
pub const HIGHEST_EXTENSION: u16 = DOWN.id;
pub(super) const HELLO_ID: u16 = HELLO.id;

/// The base dialect's Error, which refuses a message that cannot be read.
const REFUSAL: u16 = 112;

/// A message that links carry.
pub trait Message: Sized {
    /// Encodes the message.
    fn to_packet(&self) -> Packet;

    /// Reads what [`Self::to_packet`] writes; fails with [`ProtocolError::UnknownId`] for the id of another kind of
    /// message.
    fn from_packet(packet: &Packet) -> Result<Self, ProtocolError>;

    /// Returns the message's place in a send queue.
    fn priority(&self) -> Priority {
        Priority::Ordinary
    }

    /// Returns the message to send instead of one that is too long for a packet.
    fn instead(&self, _fault: &ProtocolError) -> Option<Self> {
        None
    }

    /// Returns the message that a peer's refusal of ours amounts to.
    fn from_refusal(_refusal: &Refusal) -> Option<Self> {
        None
    }
}

/// The reply to a packet that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The transaction of the refused packet.
    pub tid: TransactionId,
    /// [`ErrorCode::NOT_IMPLEMENTED`] for an unknown id, [`ErrorCode::BAD_MESSAGE`] for arguments that cannot be read.
    pub code: ErrorCode,
    /// The fault, in words for the log or the user.
    pub message: String,
}

impl Refusal {
    /// Builds the refusal of a packet that could not be read.
    pub fn of(packet: &Packet, fault: &ProtocolError) -> Self {
        let code = match fault {
            ProtocolError::UnknownId { .. } => ErrorCode::NOT_IMPLEMENTED,
            _ => ErrorCode::BAD_MESSAGE,
        };
        Self { tid: packet.tid, code, message: fault.to_string() }
    }

    /// Encodes the refusal: an Error event for no rank.
    pub fn to_packet(&self) -> Packet {
        let packet = Packet::new(REFUSAL, self.tid).with_text("0:");
        packet.with_number(self.code.0).with_text(&self.message)
    }

    /// Reads what [`Self::to_packet`] writes; `None` if the packet is not an Error.
    pub fn from_packet(packet: &Packet) -> Option<Result<Self, ProtocolError>> {
        let read = || {
            let mut arguments = Arguments::new("Error", packet);
            arguments.bytes("ranks")?;
            let code = ErrorCode(arguments.number("code")?);
            let message = arguments.text("message")?;
            arguments.end()?;
            Ok(Self { tid: packet.tid, code, message })
        };
        (packet.id == REFUSAL).then(read)
    }
}

fn unknown(packet: &Packet) -> ProtocolError {
    ProtocolError::UnknownId { id: packet.id, tid: packet.tid.0 }
}

impl WaitPolicy {
    /// Spells the policy: `all`, `first`, or milliseconds.
    pub fn to_text(self) -> String {
        match self {
            Self::All => "all".to_owned(),
            Self::First => "first".to_owned(),
            Self::Within(milliseconds) => milliseconds.to_string(),
        }
    }

    /// Reads what [`Self::to_text`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "all" => Some(Self::All),
            "first" => Some(Self::First),
            digits if digits.bytes().all(|b| b.is_ascii_digit()) => digits.parse().ok().map(Self::Within),
            _ => None,
        }
    }
}

impl Message for Request {
    fn to_packet(&self) -> Packet {
        match self {
            Self::Ranks { tid, ranks, wait, operation } => {
                let packet = Packet::new(ASK_RANKS.id, *tid).with(ranks.to_compact()).with(wait.to_text());
                beside_json::write(packet, operation)
            }
            Self::Session { tid, command } => Packet::new(ASK_SESSION.id, *tid).with(json(command)),
        }
    }

    fn from_packet(packet: &Packet) -> Result<Self, ProtocolError> {
        let tid = packet.tid;
        match packet.id {
            id if id == ASK_RANKS.id => {
                let mut a = Arguments::new(ASK_RANKS.name, packet);
                let ranks = a.set("ranks")?;
                if ranks.is_empty() {
                    return Err(a.fault("ranks", "expected a set that is not empty"));
                }
                let wait = WaitPolicy::parse(&a.text("waiting policy")?)
                    .ok_or_else(|| a.fault("waiting policy", "expected all, first or milliseconds"))?;
                let operation = beside_json::read(&mut a, "operation")?;
                a.end()?;
                Ok(Self::Ranks { tid, ranks, wait, operation })
            }
            id if id == ASK_SESSION.id => {
                let mut a = Arguments::new(ASK_SESSION.name, packet);
                let command = a.json("command")?;
                a.end()?;
                Ok(Self::Session { tid, command })
            }
            _ => Err(unknown(packet)),
        }
    }

    fn priority(&self) -> Priority {
        match self {
            Self::Ranks { ranks, operation, .. } => match operation {
                Operation::Interrupt => Priority::Interrupt(ranks.clone()),
                Operation::Terminate => Priority::Terminate,
                Operation::Detach => Priority::Detach(ranks.clone()),
                other if other.is_run_control() => Priority::RunControl(ranks.clone()),
                _ => Priority::Ordinary,
            },
            Self::Session { command: SessionCommand::Quit { .. }, .. } => Priority::Terminate,
            Self::Session { command: SessionCommand::OutputTaken(_) | SessionCommand::Keep { .. }, .. } => {
                Priority::Ordinary
            }
            Self::Session { .. } => Priority::Barrier,
        }
    }
}

impl Request {
    /// True if the request kills ranks or ends the session: it waits behind detaches, but not behind others.
    pub fn is_urgent(&self) -> bool {
        self.priority() == Priority::Terminate
    }
}

impl Message for Reply {
    fn to_packet(&self) -> Packet {
        match self {
            Self::Answer { tid, ranks, missing, late, answer } => {
                let packet = Packet::new(ANSWER.id, *tid).with(ranks.to_compact()).with(missing.to_compact());
                beside_json::write(packet.with_bool(*late), answer)
            }
            Self::Missing { tid, ranks } => Packet::new(MISSING.id, *tid).with(ranks.to_compact()),
            Self::Event { tid, ranks, event } => {
                beside_json::write(Packet::new(EVENT.id, *tid).with(ranks.to_compact()), event)
            }
            Self::Session { tid, event } => Packet::new(SESSION_EVENT.id, *tid).with(json(event)),
        }
    }

    fn from_packet(packet: &Packet) -> Result<Self, ProtocolError> {
        let tid = packet.tid;
        let (reply, a) = match packet.id {
            id if id == ANSWER.id => {
                let mut a = Arguments::new(ANSWER.name, packet);
                let (ranks, missing) = (a.set("ranks")?, a.set("ranks missing")?);
                let (late, answer) = (a.boolean("late")?, beside_json::read(&mut a, "answer")?);
                (Self::Answer { tid, ranks, missing, late, answer }, a)
            }
            id if id == MISSING.id => {
                let mut a = Arguments::new(MISSING.name, packet);
                (Self::Missing { tid, ranks: a.set("ranks")? }, a)
            }
            id if id == EVENT.id => {
                let mut a = Arguments::new(EVENT.name, packet);
                let ranks = a.set("ranks")?;
                (Self::Event { tid, ranks, event: beside_json::read(&mut a, "event")? }, a)
            }
            id if id == SESSION_EVENT.id => {
                let mut a = Arguments::new(SESSION_EVENT.name, packet);
                (Self::Session { tid, event: a.json("event")? }, a)
            }
            _ => return Err(unknown(packet)),
        };
        a.end()?;
        Ok(reply)
    }

    fn instead(&self, fault: &ProtocolError) -> Option<Self> {
        let Self::Answer { tid, ranks, missing, late, .. } = self else { return None };
        let failure = Failure::new(ErrorCode::DEBUGGER, format!("the reply is too long for one packet: {fault}"));
        let (ranks, missing) = (ranks.clone(), missing.clone());
        Some(Self::Answer { tid: *tid, ranks, missing, late: *late, answer: Answer::Failed(failure) })
    }

    fn from_refusal(refusal: &Refusal) -> Option<Self> {
        let event = SessionEvent::Failed(format!("the peer refused the request: {}", refusal.message));
        Some(Self::Session { tid: refusal.tid, event })
    }
}

impl Message for TreeDown {
    fn to_packet(&self) -> Packet {
        let new = |row: Extension| Packet::new(row.id, TransactionId(0));
        match self {
            Self::Request(request) => request.to_packet(),
            Self::Launch { server, first, count, size, spec } => new(LAUNCH)
                .with_number(server.0)
                .with_number(first)
                .with_number(count)
                .with_number(size)
                .with(json(spec)),
            Self::Attach { server, processes, size, held, spec } => new(ATTACH)
                .with_number(server.0)
                .with_number(size)
                .with_bool(*held)
                .with(json(processes))
                .with(json(spec)),
            Self::OpenCores { server, cores, size, spec } => {
                new(OPEN_CORES).with_number(server.0).with_number(size).with(json(cores)).with(json(spec))
            }
            Self::Ancestors { server, path } => new(ANCESTORS).with_number(server.0).with(json(path)),
            Self::Children { server, children } => new(CHILDREN).with_number(server.0).with(json(children)),
            Self::Shutdown { kill } => new(SHUTDOWN).with_bool(*kill),
            Self::OutputTaken(weight) => new(OUTPUT_TAKEN).with_number(weight),
        }
    }

    fn from_packet(packet: &Packet) -> Result<Self, ProtocolError> {
        let (message, a) = match packet.id {
            id if id == LAUNCH.id => {
                let mut a = Arguments::new(LAUNCH.name, packet);
                let (server, first) = (a.server()?, a.rank("first rank")?);
                let (count, size, spec) = (a.number("count")?, a.number("size of the job")?, a.json("program")?);
                (Self::Launch { server, first, count, size, spec }, a)
            }
            id if id == ATTACH.id => {
                let mut a = Arguments::new(ATTACH.name, packet);
                let (server, size, held) = (a.server()?, a.number("size of the job")?, a.boolean("held")?);
                (Self::Attach { server, size, held, processes: a.json("ranks")?, spec: a.json("program")? }, a)
            }
            id if id == OPEN_CORES.id => {
                let mut a = Arguments::new(OPEN_CORES.name, packet);
                let (server, size) = (a.server()?, a.number("size of the job")?);
                (Self::OpenCores { server, size, cores: a.json("ranks")?, spec: a.json("program")? }, a)
            }
            id if id == ANCESTORS.id => {
                let mut a = Arguments::new(ANCESTORS.name, packet);
                (Self::Ancestors { server: a.server()?, path: a.json("path")? }, a)
            }
            id if id == CHILDREN.id => {
                let mut a = Arguments::new(CHILDREN.name, packet);
                (Self::Children { server: a.server()?, children: a.json("children")? }, a)
            }
            id if id == SHUTDOWN.id => {
                let mut a = Arguments::new(SHUTDOWN.name, packet);
                (Self::Shutdown { kill: a.boolean("kill")? }, a)
            }
            id if id == OUTPUT_TAKEN.id => {
                let mut a = Arguments::new(OUTPUT_TAKEN.name, packet);
                (Self::OutputTaken(a.number("bytes times ranks")?), a)
            }
            _ => return Request::from_packet(packet).map(Self::Request),
        };
        a.end()?;
        Ok(message)
    }

    fn priority(&self) -> Priority {
        match self {
            Self::Request(request) => request.priority(),
            Self::Shutdown { .. } => Priority::Terminate,
            Self::OutputTaken(_) => Priority::Ordinary,
            // Messages that bring servers and ranks together keep their order with everything else.
            _ => Priority::Barrier,
        }
    }
}

impl Message for TreeUp {
    fn to_packet(&self) -> Packet {
        let new = |row: Extension| Packet::new(row.id, TransactionId(0));
        match self {
            Self::Reply(reply) => reply.to_packet(),
            Self::Here { server, host, address, ranks } => {
                new(HERE).with_number(server.0).with_text(host).with_text(address).with(ranks.to_compact())
            }
            Self::Acquired { server, ranks, size } => {
                new(ACQUIRED).with_number(server.0).with_number(size).with(json(ranks))
            }
            Self::LaunchFailed { server, message } => new(LAUNCH_FAILED).with_number(server.0).with_text(message),
            Self::ServerLost { server, message } => new(SERVER_LOST).with_number(server.0).with_text(message),
            Self::Down => new(DOWN),
        }
    }

    fn from_packet(packet: &Packet) -> Result<Self, ProtocolError> {
        let (message, a) = match packet.id {
            id if id == HERE.id => {
                let mut a = Arguments::new(HERE.name, packet);
                let (server, host, address) = (a.server()?, a.text("host")?, a.text("address")?);
                (Self::Here { server, host, address, ranks: a.set("ranks")? }, a)
            }
            id if id == ACQUIRED.id => {
                let mut a = Arguments::new(ACQUIRED.name, packet);
                let (server, size) = (a.server()?, a.number("size of the job")?);
                (Self::Acquired { server, ranks: a.json("ranks")?, size }, a)
            }
            id if id == LAUNCH_FAILED.id => {
                let mut a = Arguments::new(LAUNCH_FAILED.name, packet);
                (Self::LaunchFailed { server: a.server()?, message: a.text("message")? }, a)
            }
            id if id == SERVER_LOST.id => {
                let mut a = Arguments::new(SERVER_LOST.name, packet);
                (Self::ServerLost { server: a.server()?, message: a.text("message")? }, a)
            }
            id if id == DOWN.id => (Self::Down, Arguments::new(DOWN.name, packet)),
            _ => return Reply::from_packet(packet).map(Self::Reply),
        };
        a.end()?;
        Ok(message)
    }

    fn instead(&self, fault: &ProtocolError) -> Option<Self> {
        match self {
            Self::Reply(reply) => reply.instead(fault).map(Self::Reply),
            _ => None,
        }
    }

    fn from_refusal(refusal: &Refusal) -> Option<Self> {
        Reply::from_refusal(refusal).map(Self::Reply)
    }
}

#[cfg(test)]
mod tests;

//! The arguments of a call, from its text and the values of the names in it.

use super::arithmetic::Term;
use super::call_text::Language;
use super::mpi_calls::MpiCall;
use super::situation::{Communicator, Direction, Doing, Message, Peer, Source};
use model::Observation;

/// The implementation of MPI, whose constants differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Implementation {
    OpenMpi,
    /// MPICH and those with its binary interface: Intel MPI, Cray MPICH, MVAPICH.
    Mpich,
    Unknown,
}

impl Implementation {
    /// Tells it by the name of its library.
    pub(crate) fn of_library(path: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        if name.starts_with("libmpi.so.4") || name.starts_with("libmpi_mpifh") || name.starts_with("libmpi_usempif") {
            Self::OpenMpi
        } else if name.starts_with("libmpich") || name.starts_with("libmpi") {
            Self::Mpich
        } else {
            Self::Unknown
        }
    }

    /// The values of `MPI_ANY_SOURCE` and `MPI_PROC_NULL`.
    fn peers(self) -> Option<(i64, i64)> {
        match self {
            Self::OpenMpi => Some((-1, -2)),
            Self::Mpich => Some((-2, -1)),
            Self::Unknown => None,
        }
    }
}

/// MPICH's handles of `MPI_COMM_WORLD` and `MPI_COMM_SELF`.
const MPICH_HANDLES: [i64; 2] = [0x4400_0000, 0x4400_0001];

/// The addresses that are Open MPI's handles in C.
pub(crate) const OPEN_MPI_HANDLES: [&str; 2] = ["&ompi_mpi_comm_world", "&ompi_mpi_comm_self"];

/// Longer arguments are left out of the answer.
const LONGEST_NAME: usize = 40;

/// A call with the text of its arguments.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CallValues {
    pub(crate) call: MpiCall,
    /// `None` if the text was not found.
    pub(crate) arguments: Option<Vec<String>>,
    pub(crate) language: Language,
    pub(crate) mpi: Implementation,
    /// The messages that the text begins before it waits for their requests.
    pub(crate) posted: Vec<CallValues>,
}

/// The values of names and arguments on a rank.
pub(crate) struct RankValues<'a> {
    pub(crate) name: &'a dyn Fn(&str) -> Option<i64>,
    /// The arguments of the call by their places, as the caller has passed them.
    pub(crate) passed: &'a [Option<u64>],
}

impl RankValues<'_> {
    fn without_passed(&self) -> Self {
        Self { name: self.name, passed: &[] }
    }

    /// An argument as the compiler has described it.
    fn described(&self, place: usize) -> Option<u64> {
        (place < Observation::IN_REGISTERS).then(|| self.passed.get(place).copied().flatten())?
    }

    /// An argument on the stack, which the called function may have overwritten.
    fn on_stack(&self, place: usize) -> Option<u64> {
        (place >= Observation::IN_REGISTERS).then(|| self.passed.get(place).copied().flatten())?
    }
}

impl CallValues {
    fn argument(&self, place: usize) -> Option<&str> {
        self.arguments.as_ref()?.get(place).map(|text| text.trim())
    }

    /// The places of the arguments that are integers, and of the communicator.
    fn places(&self) -> (Vec<usize>, Option<usize>) {
        match self.call {
            MpiCall::World | MpiCall::Requests(_) => (Vec::new(), None),
            MpiCall::Collective { communicator, root } => (root.into_iter().collect(), communicator),
            MpiCall::Send { peer, tag, communicator } | MpiCall::Receive { peer, tag, communicator } => {
                (vec![peer, tag], Some(communicator))
            }
            MpiCall::Exchange { to, to_tag, from, from_tag, communicator } => {
                (vec![to, to_tag, from, from_tag], Some(communicator))
            }
        }
    }

    /// Returns the expressions to be evaluated in the caller's frame: names of variables, which run no code.
    pub(crate) fn wanted(&self) -> Vec<String> {
        let (integers, communicator) = self.places();
        let mut wanted = Vec::new();
        for text in integers.into_iter().filter_map(|place| self.argument(place)).filter(|text| !is_constant(text)) {
            if let Some(term) = Term::parse(text, self.language) {
                term.names(&mut wanted);
            }
        }
        let text = communicator.and_then(|place| self.argument(place));
        let is_open_mpi = self.mpi == Implementation::OpenMpi && self.language != Language::Fortran;
        if is_open_mpi && communicator.is_some() && !text.is_some_and(is_constant) {
            wanted.extend(OPEN_MPI_HANDLES.map(str::to_owned));
        }
        if let Some(text) = text.filter(|text| !is_constant(text))
            && let Some(Term::Name(name)) = Term::parse(text, self.language)
        {
            if self.language == Language::Fortran {
                wanted.push(format!("{name}%mpi_val"));
            }
            wanted.push(name);
        }
        wanted.extend(self.posted.iter().flat_map(Self::wanted));
        wanted.sort();
        wanted.dedup();
        wanted
    }

    /// Returns what the call waits for, and the best source of its arguments.
    pub(crate) fn doing(&self, of: &RankValues<'_>) -> (Doing, Source) {
        let (integers, place) = self.places();
        // Without its text, the caller may have called a function that has left its frame to this one: then the
        // arguments are that function's.
        let Some(_) = &self.arguments else { return (self.activity(&of.without_passed()), Source::Call) };
        let is_described = integers.into_iter().chain(place).any(|place| of.described(place).is_some());
        let source = if is_described { Source::CallSite } else { Source::Text };
        (self.activity(of), source)
    }

    fn activity(&self, of: &RankValues<'_>) -> Doing {
        let communicator = |place: usize| self.communicator(place, of);
        let messages = |place: usize, messages| Doing::Messages { communicator: communicator(place), messages };
        match self.call {
            MpiCall::World => Doing::Collective { communicator: Communicator::World, root: None },
            MpiCall::Requests(place) => {
                let text = place.and_then(|place| self.argument(place)).map(|text| text.trim_start_matches('&'));
                let text = text.filter(|text| text.len() <= LONGEST_NAME).map(Into::into);
                Doing::Requests { text, messages: self.posted_messages(of).unwrap_or_default() }
            }
            MpiCall::Collective { communicator: place, root } => Doing::Collective {
                communicator: place.map_or(Communicator::Other(None), communicator),
                root: root.and_then(|place| self.integer(place, of)),
            },
            MpiCall::Send { peer, tag, communicator: place } => {
                messages(place, vec![self.message(Direction::Send, (peer, tag), of)])
            }
            MpiCall::Receive { peer, tag, communicator: place } => {
                messages(place, vec![self.message(Direction::Receive, (peer, tag), of)])
            }
            MpiCall::Exchange { to, to_tag, from, from_tag, communicator: place } => {
                let sent = self.message(Direction::Send, (to, to_tag), of);
                let received = self.message(Direction::Receive, (from, from_tag), of);
                messages(place, vec![sent, received])
            }
        }
    }

    /// Returns the messages of the requests, if the peers of all are known and ranks of `MPI_COMM_WORLD`.
    fn posted_messages(&self, of: &RankValues<'_>) -> Option<Vec<Message>> {
        let of = of.without_passed();
        let mut found = Vec::new();
        for posted in &self.posted {
            let Doing::Messages { communicator: Communicator::World, messages } = posted.activity(&of) else {
                return None;
            };
            found.extend(messages);
        }
        let are_known = found.iter().all(|message| !matches!(message.peer, Peer::Unknown | Peer::Any));
        are_known.then_some(found)
    }

    /// The value of an argument: as the compiler has described it, by its text, or as it is on the stack.
    fn integer(&self, place: usize, of: &RankValues<'_>) -> Option<i64> {
        let int = |bits: u64| i64::from(bits as i32);
        if let Some(described) = of.described(place) {
            return Some(int(described));
        }
        let text = self.argument(place).filter(|text| !is_constant(text));
        let value = text.and_then(|text| Term::parse(text, self.language)?.value(of.name));
        value.or_else(|| of.on_stack(place).map(int))
    }

    fn message(&self, direction: Direction, (peer, tag): (usize, usize), of: &RankValues<'_>) -> Message {
        let tag = self.integer(tag, of).filter(|tag| *tag >= 0);
        let name = self.argument(peer).unwrap_or("").to_ascii_uppercase();
        let peer = match (name.as_str(), self.integer(peer, of)) {
            ("MPI_ANY_SOURCE", _) => Peer::Any,
            ("MPI_PROC_NULL", _) => Peer::Nobody,
            (_, Some(rank)) => match u32::try_from(rank) {
                Ok(rank) => Peer::Rank(rank),
                Err(_) => match self.mpi.peers() {
                    Some((any, _)) if rank == any => Peer::Any,
                    Some((_, nobody)) if rank == nobody => Peer::Nobody,
                    _ => Peer::Unknown,
                },
            },
            _ => Peer::Unknown,
        };
        Message { direction, peer, tag }
    }

    fn communicator(&self, place: usize, of: &RankValues<'_>) -> Communicator {
        let text = self.argument(place);
        match text.map(str::to_ascii_uppercase).as_deref() {
            Some("MPI_COMM_WORLD") => return Communicator::World,
            Some("MPI_COMM_SELF") => return Communicator::Itself,
            _ => {}
        }
        let named = || match Term::parse(text?, self.language)? {
            Term::Name(name) => (of.name)(&name).or_else(|| (of.name)(&format!("{name}%mpi_val"))),
            _ => None,
        };
        let handle = of.described(place).map(|bits| bits as i64).or_else(named);
        let handle = handle.or_else(|| of.on_stack(place).map(|bits| bits as i64));
        let is_it = |known: Option<i64>| match (self.mpi, self.language) {
            // The upper half of a register or a word of the stack is not of an `int`.
            (Implementation::Mpich, _) | (_, Language::Fortran) => {
                handle.zip(known).is_some_and(|(handle, known)| handle as i32 == known as i32)
            }
            _ => handle.is_some() && handle == known,
        };
        let handles = match (self.mpi, self.language) {
            (Implementation::Mpich, _) => MPICH_HANDLES.map(Some),
            (Implementation::OpenMpi, Language::Fortran) => [Some(0), Some(1)],
            (Implementation::OpenMpi, Language::C | Language::Cpp) => OPEN_MPI_HANDLES.map(of.name),
            (Implementation::Unknown, _) => [None, None],
        };
        match handles {
            [world, _] if is_it(world) => Communicator::World,
            [_, own] if is_it(own) => Communicator::Itself,
            _ => Communicator::Other(text.map(Into::into)),
        }
    }
}

/// Constants that are macros in C. Variables may have names such as `mpi_rank`.
const CONSTANTS: &[&str] = &[
    "MPI_ANY_SOURCE",
    "MPI_ANY_TAG",
    "MPI_PROC_NULL",
    "MPI_ROOT",
    "MPI_UNDEFINED",
    "MPI_COMM_WORLD",
    "MPI_COMM_SELF",
    "MPI_COMM_NULL",
];

fn is_constant(text: &str) -> bool {
    CONSTANTS.iter().any(|constant| text.eq_ignore_ascii_case(constant))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::why::mpi_call;
    use crate::why::mpi_calls::{POSTING, mpi_name};

    fn call(name: &str, arguments: &[&str], mpi: Implementation) -> CallValues {
        let arguments = Some(arguments.iter().map(|&text| text.to_owned()).collect());
        let posting = POSTING.iter().find(|(posting, _)| mpi_name(name).as_deref() == Some(posting));
        let call = mpi_call(name).or(posting.map(|(_, call)| *call)).unwrap();
        CallValues { call, arguments, language: Language::C, mpi, posted: Vec::new() }
    }

    fn doing(call: &CallValues) -> Doing {
        call.doing(&RankValues { name: &of, passed: &[] }).0
    }

    fn of(name: &str) -> Option<i64> {
        match name {
            "rank" => Some(3),
            "minus" => Some(-1),
            "mpi_rank" => Some(9),
            "comm" => Some(0x4400_0000),
            "sub" => Some(0x8400_0002),
            "pointer" | "&ompi_mpi_comm_world" => Some(0x7f00),
            _ => None,
        }
    }

    #[test]
    fn peers_tags_and_communicators_come_from_the_text() {
        let receive = call("MPI_Recv", &["b", "1", "MPI_INT", "rank - 1", "7", "comm", "&s"], Implementation::Mpich);
        assert_eq!(receive.wanted(), ["comm", "rank"]);
        let message = Message { direction: Direction::Receive, peer: Peer::Rank(2), tag: Some(7) };
        let expected = Doing::Messages { communicator: Communicator::World, messages: vec![message] };
        assert_eq!(doing(&receive), expected);
        let other = doing(&call("MPI_Barrier", &["sub"], Implementation::Mpich));
        assert_eq!(other, Doing::Collective { communicator: Communicator::Other(Some("sub".into())), root: None });
        let open = call("MPI_Barrier", &["pointer"], Implementation::OpenMpi);
        assert_eq!(open.wanted(), ["&ompi_mpi_comm_self", "&ompi_mpi_comm_world", "pointer"]);
        assert_eq!(doing(&open), Doing::Collective { communicator: Communicator::World, root: None });
    }

    #[test]
    fn negative_ranks_mean_what_the_implementation_says() {
        for (mpi, text, peer) in [
            (Implementation::OpenMpi, "minus", Peer::Any),
            (Implementation::Mpich, "minus", Peer::Nobody),
            (Implementation::Unknown, "minus", Peer::Unknown),
            (Implementation::Mpich, "MPI_ANY_SOURCE", Peer::Any),
            (Implementation::OpenMpi, "MPI_PROC_NULL", Peer::Nobody),
            (Implementation::OpenMpi, "next(rank)", Peer::Unknown),
            (Implementation::OpenMpi, "mpi_rank", Peer::Rank(9)),
        ] {
            let call = call("MPI_Probe", &[text, "MPI_ANY_TAG", "MPI_COMM_SELF"], mpi);
            let Doing::Messages { communicator, messages } = doing(&call) else { panic!() };
            assert_eq!((messages[0].peer, messages[0].tag, communicator), (peer, None, Communicator::Itself), "{text}");
        }
    }

    #[test]
    fn without_the_text_only_the_call_is_known() {
        let call = CallValues { arguments: None, ..call("MPI_Bcast", &[], Implementation::Mpich) };
        assert!(call.wanted().is_empty());
        assert_eq!(doing(&call), Doing::Collective { communicator: Communicator::Other(None), root: None });
    }

    fn requests(text: Option<&str>) -> Doing {
        Doing::Requests { text: text.map(Into::into), messages: Vec::new() }
    }

    #[test]
    fn the_compilers_description_of_a_call_is_the_best_source() {
        let text = call("MPI_Recv", &["b", "1", "MPI_INT", "gone", "8", "comm", "&s"], Implementation::Mpich);
        let stripped = CallValues { arguments: None, ..text.clone() };
        let passed = [None, None, None, Some(2), Some(7), Some(0x7fff_4400_0000)];
        let message = Message { direction: Direction::Receive, peer: Peer::Rank(2), tag: Some(7) };
        let expected = Doing::Messages { communicator: Communicator::World, messages: vec![message] };
        assert_eq!(text.doing(&RankValues { name: &of, passed: &passed }), (expected, Source::CallSite));
        let (unknown, source) = stripped.doing(&RankValues { name: &of, passed: &passed });
        let Doing::Messages { messages, .. } = unknown else { panic!() };
        assert_eq!((messages[0].peer, source), (Peer::Unknown, Source::Call), "it may be the call of another function");
        let (found, source) = text.doing(&RankValues { name: &of, passed: &[None; 6] });
        let message = Message { direction: Direction::Receive, peer: Peer::Unknown, tag: Some(8) };
        assert_eq!(found, Doing::Messages { communicator: Communicator::World, messages: vec![message] });
        assert_eq!(source, Source::Text);
        let probe = call("MPI_Probe", &["f()", "g()", "h()", "&s"], Implementation::Mpich);
        let any = [Some(0xffff_fffe), Some(0xffff_ffff), Some(0x4400_0001)];
        let Doing::Messages { communicator, messages } = probe.doing(&RankValues { name: &of, passed: &any }).0 else {
            panic!()
        };
        assert_eq!((messages[0].peer, messages[0].tag, communicator), (Peer::Any, None, Communicator::Itself));
    }

    #[test]
    fn arguments_on_the_stack_are_the_last_resort() {
        let mut passed = vec![None; Observation::IN_REGISTERS];
        passed.extend([Some(0), Some(0), Some(0xdead_0000_0003), Some(5), Some(0x4400_0000), Some(0)]);
        let exchange = call("MPI_Sendrecv", &["f()"; 12], Implementation::Mpich);
        let (found, source) = exchange.doing(&RankValues { name: &of, passed: &passed });
        let Doing::Messages { communicator, messages } = found else { panic!() };
        assert_eq!((messages[1].peer, messages[1].tag, communicator), (Peer::Rank(3), Some(5), Communicator::World));
        assert_eq!((messages[0].peer, source), (Peer::Unknown, Source::Text));
    }

    #[test]
    fn the_messages_of_requests_are_those_that_the_text_begins() {
        let irecv = call("MPI_Irecv", &["b", "1", "MPI_INT", "rank - 1", "1", "comm", "&r[0]"], Implementation::Mpich);
        let isend = call("MPI_Isend", &["b", "1", "MPI_INT", "4", "2", "comm", "&r[1]"], Implementation::Mpich);
        let wait = call("MPI_Waitall", &["2", "r", "s"], Implementation::Mpich);
        let all = CallValues { posted: vec![irecv, isend.clone()], ..wait.clone() };
        assert_eq!(all.wanted(), ["comm", "rank"]);
        let Doing::Requests { messages, .. } = doing(&all) else { panic!() };
        let peers: Vec<_> = messages.iter().map(|message| (message.direction, message.peer)).collect();
        assert_eq!(peers, [(Direction::Receive, Peer::Rank(2)), (Direction::Send, Peer::Rank(4))]);
        let unknown = call("MPI_Irecv", &["b", "1", "MPI_INT", "next()", "1", "comm", "&r[0]"], Implementation::Mpich);
        assert_eq!(doing(&CallValues { posted: vec![unknown, isend], ..wait }), requests(Some("r")));
    }

    #[test]
    fn requests_are_named_as_in_the_text() {
        for (name, arguments, text) in
            [("MPI_Wait", ["&halo.request", "&status"], "halo.request"), ("MPI_Waitall", ["2", "requests"], "requests")]
        {
            let call = call(name, &arguments, Implementation::Mpich);
            assert!(call.wanted().is_empty());
            assert_eq!(doing(&call), requests(Some(text)));
        }
        assert_eq!(doing(&call("MPI_Iprobe", &["0", "1"], Implementation::Mpich)), requests(None));
    }

    #[test]
    fn libraries_tell_the_implementation() {
        for (path, mpi) in [
            ("/usr/lib/libmpi.so.40", Implementation::OpenMpi),
            ("/opt/intel/libmpi.so.12", Implementation::Mpich),
            ("libmpich.so.12", Implementation::Mpich),
            ("libmpi_cray.so.12", Implementation::Mpich),
            ("/home/me/app", Implementation::Unknown),
        ] {
            assert_eq!(Implementation::of_library(path), mpi, "{path}");
        }
    }
}

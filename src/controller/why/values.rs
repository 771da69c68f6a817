//! The arguments of a call, from its text and the values of the names in it.

use super::arithmetic::Term;
use super::call_text::Language;
use super::implementation::{Implementation, MPICH_HANDLES, OPEN_MPI_HANDLES, is_constant};
use super::mpi_calls::{MpiCall, mpi_name};
use super::origins::Origins;
use super::situation::{Communicator, Direction, Doing, Message, Peer, Source};
use model::Observation;

/// Longer arguments are left out of the answer.
const LONGEST_NAME: usize = 40;

/// A call with the text of its arguments.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CallValues {
    pub(crate) call: MpiCall,
    /// `None` if the text was not found.
    pub(crate) arguments: Option<Vec<String>>,
    /// The value of the communicator, if the text gives it no other.
    pub(crate) constant: Option<String>,
    pub(crate) language: Language,
    pub(crate) mpi: Implementation,
    /// The messages that the text begins before it waits for their requests.
    pub(crate) posted: Vec<CallValues>,
    /// The text that gave the names of the arguments their values.
    pub(crate) origins: Origins,
}

/// The values of names and arguments on a rank.
pub(crate) struct RankValues<'a> {
    pub(crate) name: &'a dyn Fn(&str) -> Option<i64>,
    /// The arguments of the call by their places, as the caller has passed them.
    pub(crate) passed: &'a [Option<u64>],
    /// The function that the caller has called, if the compiler has described the call.
    pub(crate) called: Option<&'a str>,
}

impl RankValues<'_> {
    fn without_passed(&self) -> Self {
        Self { passed: &[], ..*self }
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

    /// True if the text names a communicator that is neither `MPI_COMM_WORLD` nor `MPI_COMM_SELF`.
    pub(crate) fn has_other_communicator(&self) -> bool {
        let text = self.places().1.and_then(|place| self.argument(place));
        text.is_some_and(|text| !is_constant(text))
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

    /// The name of the variable that is the communicator.
    pub(crate) fn communicator_variable(&self) -> Option<String> {
        let (_, place) = self.places();
        match Term::parse(self.argument(place?)?, self.language)? {
            Term::Name(name) => Some(name),
            _ => None,
        }
    }

    /// Returns what the call waits for, and the best source of its arguments; `name` is that of the called function.
    pub(crate) fn doing(&self, name: &str, of: &RankValues<'_>) -> (Doing, Source) {
        // The caller may have called a function that has left its frame to this one: then what it has passed are that
        // function's arguments.
        let is_passed_to_it = match of.called {
            Some(called) => mpi_name(called) == mpi_name(name),
            None => self.arguments.is_some(),
        };
        if !is_passed_to_it {
            let source = if self.arguments.is_some() { Source::Text } else { Source::Call };
            return (self.activity(&of.without_passed()), source);
        }
        let (integers, place) = self.places();
        let is_described = integers.into_iter().chain(place).any(|place| of.described(place).is_some());
        let source = match (is_described, &self.arguments) {
            (true, _) => Source::CallSite,
            (false, Some(_)) => Source::Text,
            (false, None) => Source::Call,
        };
        (self.activity(of), source)
    }

    /// True if arguments say for whom the call waits.
    pub(crate) fn has_arguments(&self) -> bool {
        self.places() != (Vec::new(), None)
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
        if let Some(known) = text.and_then(predefined) {
            return known;
        }
        let named = || match Term::parse(text?, self.language)? {
            Term::Name(name) => (of.name)(&name).or_else(|| (of.name)(&format!("{name}%mpi_val"))),
            _ => None,
        };
        let handle = of.described(place).map(|bits| bits as i64).or_else(named);
        if handle.is_none()
            && let Some(known) = self.constant.as_deref().and_then(predefined)
        {
            return known;
        }
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

fn predefined(name: &str) -> Option<Communicator> {
    match name.to_ascii_uppercase().as_str() {
        "MPI_COMM_WORLD" => Some(Communicator::World),
        "MPI_COMM_SELF" => Some(Communicator::Itself),
        _ => None,
    }
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
        CallValues {
            call,
            arguments,
            constant: None,
            language: Language::C,
            mpi,
            posted: Vec::new(),
            origins: Origins::default(),
        }
    }

    fn doing(call: &CallValues) -> Doing {
        call.doing("MPI_Any", &values(&[])).0
    }

    fn values(passed: &[Option<u64>]) -> RankValues<'_> {
        RankValues { name: &of, passed, called: None }
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
    fn a_communicator_that_is_no_variable_has_the_value_of_the_text() {
        let world = Some("MPI_COMM_WORLD".to_owned());
        let gone = CallValues { constant: world.clone(), ..call("MPI_Barrier", &["gone"], Implementation::OpenMpi) };
        assert_eq!(doing(&gone), Doing::Collective { communicator: Communicator::World, root: None });
        let there = CallValues { constant: world, ..call("MPI_Barrier", &["sub"], Implementation::Mpich) };
        let sub = Communicator::Other(Some("sub".into()));
        assert_eq!(doing(&there), Doing::Collective { communicator: sub, root: None });
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
        assert_eq!(text.doing("MPI_Recv", &values(&passed)), (expected.clone(), Source::CallSite));
        for called in ["MPI_Recv", "PMPI_Recv", "mpi_recv_"] {
            let described = RankValues { called: Some(called), ..values(&passed) };
            assert_eq!(stripped.doing("PMPI_Recv", &described), (expected.clone(), Source::CallSite), "{called}");
        }
        let other = RankValues { called: Some("exchange"), ..values(&passed) };
        assert_eq!(text.doing("MPI_Recv", &other).1, Source::Text, "it has passed this to another function");
        let (unknown, source) = stripped.doing("MPI_Recv", &values(&passed));
        let Doing::Messages { messages, .. } = unknown else { panic!() };
        assert_eq!((messages[0].peer, source), (Peer::Unknown, Source::Call), "it may be the call of another function");
        let (found, source) = text.doing("MPI_Recv", &values(&[None; 6]));
        let message = Message { direction: Direction::Receive, peer: Peer::Unknown, tag: Some(8) };
        assert_eq!(found, Doing::Messages { communicator: Communicator::World, messages: vec![message] });
        assert_eq!(source, Source::Text);
        let probe = call("MPI_Probe", &["f()", "g()", "h()", "&s"], Implementation::Mpich);
        let any = [Some(0xffff_fffe), Some(0xffff_ffff), Some(0x4400_0001)];
        let Doing::Messages { communicator, messages } = probe.doing("MPI_Probe", &values(&any)).0 else { panic!() };
        assert_eq!((messages[0].peer, messages[0].tag, communicator), (Peer::Any, None, Communicator::Itself));
    }

    #[test]
    fn arguments_on_the_stack_are_the_last_resort() {
        let mut passed = vec![None; Observation::IN_REGISTERS];
        passed.extend([Some(0), Some(0), Some(0xdead_0000_0003), Some(5), Some(0x4400_0000), Some(0)]);
        let exchange = call("MPI_Sendrecv", &["f()"; 12], Implementation::Mpich);
        let (found, source) = exchange.doing("MPI_Sendrecv", &values(&passed));
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
}

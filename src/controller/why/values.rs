//! The arguments of a call, from its text and the values of the names in it.

use super::arithmetic::Term;
use super::call_text::Language;
use super::mpi_calls::MpiCall;
use super::situation::{Communicator, Direction, Doing, Message, Peer};

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
        if let Some(text) = communicator.and_then(|place| self.argument(place)).filter(|text| !is_constant(text))
            && let Some(Term::Name(name)) = Term::parse(text, self.language)
        {
            if self.language == Language::Fortran {
                wanted.push(format!("{name}%mpi_val"));
            } else if self.mpi == Implementation::OpenMpi {
                wanted.extend(OPEN_MPI_HANDLES.map(str::to_owned));
            }
            wanted.push(name);
        }
        wanted.sort();
        wanted.dedup();
        wanted
    }

    /// Returns what the call waits for, given the values of names.
    pub(crate) fn doing(&self, of: &dyn Fn(&str) -> Option<i64>) -> Doing {
        let communicator = |place: usize| self.communicator(self.argument(place), of);
        match self.call {
            MpiCall::World => Doing::Collective { communicator: Communicator::World, root: None },
            MpiCall::Requests(place) => {
                let text = place.and_then(|place| self.argument(place)).map(|text| text.trim_start_matches('&'));
                Doing::Requests(text.filter(|text| text.len() <= LONGEST_NAME).map(Into::into))
            }
            MpiCall::Collective { communicator: place, root } => Doing::Collective {
                communicator: place.map_or(Communicator::Other(None), communicator),
                root: root.and_then(|place| self.integer(place, of)),
            },
            MpiCall::Send { peer, tag, communicator: place } => {
                let message = self.message(Direction::Send, (peer, tag), of);
                Doing::Messages { communicator: communicator(place), messages: vec![message] }
            }
            MpiCall::Receive { peer, tag, communicator: place } => {
                let message = self.message(Direction::Receive, (peer, tag), of);
                Doing::Messages { communicator: communicator(place), messages: vec![message] }
            }
            MpiCall::Exchange { to, to_tag, from, from_tag, communicator: place } => {
                let sent = self.message(Direction::Send, (to, to_tag), of);
                let received = self.message(Direction::Receive, (from, from_tag), of);
                Doing::Messages { communicator: communicator(place), messages: vec![sent, received] }
            }
        }
    }

    fn integer(&self, place: usize, of: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
        let text = self.argument(place).filter(|text| !is_constant(text))?;
        Term::parse(text, self.language)?.value(of)
    }

    fn message(&self, direction: Direction, (peer, tag): (usize, usize), of: &dyn Fn(&str) -> Option<i64>) -> Message {
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

    fn communicator(&self, text: Option<&str>, of: &dyn Fn(&str) -> Option<i64>) -> Communicator {
        let Some(text) = text else { return Communicator::Other(None) };
        match text.to_ascii_uppercase().as_str() {
            "MPI_COMM_WORLD" => return Communicator::World,
            "MPI_COMM_SELF" => return Communicator::Itself,
            _ => {}
        }
        let other = Communicator::Other(Some(text.into()));
        let Some(Term::Name(name)) = Term::parse(text, self.language) else { return other };
        let Some(handle) = of(&name).or_else(|| of(&format!("{name}%mpi_val"))) else { return other };
        let handles = match (self.mpi, self.language) {
            (Implementation::Mpich, _) => MPICH_HANDLES.map(Some),
            (Implementation::OpenMpi, Language::Fortran) => [Some(0), Some(1)],
            (Implementation::OpenMpi, Language::C | Language::Cpp) => OPEN_MPI_HANDLES.map(of),
            (Implementation::Unknown, _) => [None, None],
        };
        match handles {
            [Some(world), _] if world == handle => Communicator::World,
            [_, Some(own)] if own == handle => Communicator::Itself,
            _ => other,
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

    fn call(name: &str, arguments: &[&str], mpi: Implementation) -> CallValues {
        let arguments = Some(arguments.iter().map(|&text| text.to_owned()).collect());
        CallValues { call: mpi_call(name).unwrap(), arguments, language: Language::C, mpi }
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
        assert_eq!(receive.doing(&of), expected);
        let other = call("MPI_Barrier", &["sub"], Implementation::Mpich).doing(&of);
        assert_eq!(other, Doing::Collective { communicator: Communicator::Other(Some("sub".into())), root: None });
        let open = call("MPI_Barrier", &["pointer"], Implementation::OpenMpi);
        assert_eq!(open.wanted(), ["&ompi_mpi_comm_self", "&ompi_mpi_comm_world", "pointer"]);
        assert_eq!(open.doing(&of), Doing::Collective { communicator: Communicator::World, root: None });
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
            let Doing::Messages { communicator, messages } = call.doing(&of) else { panic!() };
            assert_eq!((messages[0].peer, messages[0].tag, communicator), (peer, None, Communicator::Itself), "{text}");
        }
    }

    #[test]
    fn without_the_text_only_the_call_is_known() {
        let call = CallValues { arguments: None, ..call("MPI_Bcast", &[], Implementation::Mpich) };
        assert!(call.wanted().is_empty());
        assert_eq!(call.doing(&of), Doing::Collective { communicator: Communicator::Other(None), root: None });
    }

    #[test]
    fn requests_are_named_as_in_the_text() {
        for (name, arguments, text) in
            [("MPI_Wait", ["&halo.request", "&status"], "halo.request"), ("MPI_Waitall", ["2", "requests"], "requests")]
        {
            let call = call(name, &arguments, Implementation::Mpich);
            assert!(call.wanted().is_empty());
            assert_eq!(call.doing(&of), Doing::Requests(Some(text.into())));
        }
        assert_eq!(call("MPI_Iprobe", &["0", "1"], Implementation::Mpich).doing(&of), Doing::Requests(None));
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

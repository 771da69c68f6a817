//! The ranks for which each rank waits: edges of a wait-for graph. Ranks that need the same are one class, so that the
//! graph of a large job stays small.

use super::mpi_calls::{initializes, leaves_early};
use super::operations::Operations;
use super::situation::{Communicator, Direction, Doing, Message, Peer, Situation};
use model::{ProcessSet, Rank};
use std::collections::HashMap;
use std::rc::Rc;

/// What a rank needs to go on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Need {
    /// It is not waiting, or all that it waits for has happened.
    Nothing,
    /// Each of these ranks.
    All(Rc<ProcessSet>),
    /// At least one of these ranks: others of them may have done their part.
    Any(Rc<ProcessSet>),
    /// It waits, and it is unknown for whom.
    Unknown,
}

impl Need {
    /// The ranks awaited, as far as they are known.
    pub(super) fn ranks(&self) -> Option<&ProcessSet> {
        match self {
            Self::All(ranks) | Self::Any(ranks) => Some(ranks),
            Self::Nothing | Self::Unknown => None,
        }
    }
}

/// Ranks of one situation with the same need.
pub(super) struct Class<'a> {
    pub(super) ranks: ProcessSet,
    pub(super) situation: &'a Situation,
    pub(super) need: Need,
}

/// The needs of all ranks.
pub(super) struct Needs<'a> {
    classes: Vec<Class<'a>>,
    /// The class of each rank.
    of_rank: HashMap<u32, usize>,
    pub(super) operations: Operations,
}

impl<'a> Needs<'a> {
    pub(super) fn new(situations: &'a [Situation]) -> Self {
        Self::of_graph(situations, Graph::new(situations))
    }

    /// The needs if every rank that waits for unknown others may wait for any.
    pub(super) fn supposed(situations: &'a [Situation]) -> Self {
        let mut graph = Graph::new(situations);
        graph.unknown = Need::Any(graph.all.clone());
        Self::of_graph(situations, graph)
    }

    /// The needs if messages that meet may be of different rounds of a loop: of a call that completes several, some may
    /// be done, so that its rank waits for a later message of the others than the one that they are sending.
    pub(super) fn across_rounds(situations: &'a [Situation]) -> Self {
        let mut graph = Graph::new(situations);
        graph.is_across_rounds = true;
        Self::of_graph(situations, graph)
    }

    fn of_graph(situations: &'a [Situation], graph: Graph<'a>) -> Self {
        let mut classes: Vec<Class<'a>> = Vec::new();
        for situation in situations {
            if let Some(need) = graph.of_situation(situation) {
                classes.push(Class { ranks: situation.ranks.clone(), situation, need });
                continue;
            }
            let mut of_need: HashMap<Need, ProcessSet> = HashMap::new();
            for rank in situation.ranks.iter() {
                of_need.entry(graph.of_messages(situation, rank)).or_default().insert(rank);
            }
            classes.extend(of_need.into_iter().map(|(need, ranks)| Class { ranks, situation, need }));
        }
        classes.sort_by_key(|class| class.ranks.first());
        let mut of_rank = HashMap::new();
        for (index, class) in classes.iter().enumerate() {
            of_rank.extend(class.ranks.iter().map(|rank| (rank.0, index)));
        }
        Self { classes, of_rank, operations: graph.operations }
    }

    /// All classes, in the order of their lowest ranks.
    pub(super) fn classes(&self) -> &[Class<'a>] {
        &self.classes
    }

    /// Returns the index of a rank's class.
    pub(super) fn class_of(&self, rank: u32) -> Option<usize> {
        self.of_rank.get(&rank).copied()
    }

    pub(super) fn of(&self, rank: Rank) -> Option<&Class<'a>> {
        self.classes.get(self.class_of(rank.0)?)
    }

    /// Returns ranks with all those for which they wait, directly or through others.
    pub(super) fn concerned(&self, ranks: &ProcessSet) -> ProcessSet {
        let mut found = ranks.clone();
        let mut fresh = ranks.clone();
        let mut seen = vec![false; self.classes.len()];
        while !fresh.is_empty() {
            let mut next = ProcessSet::new();
            for index in fresh.iter().filter_map(|rank| self.class_of(rank.0)) {
                let is_new = seen.get_mut(index).is_some_and(|seen| !std::mem::replace(seen, true));
                if is_new && let Some(others) = self.classes.get(index).and_then(|class| class.need.ranks()) {
                    next.extend_with(others);
                }
            }
            fresh = next.difference(&found);
            found.extend_with(&fresh);
        }
        found
    }
}

struct Graph<'a> {
    all: Rc<ProcessSet>,
    of_rank: HashMap<u32, &'a Situation>,
    /// The situations in which ranks send to a rank.
    senders: HashMap<u32, Vec<&'a Situation>>,
    operations: Operations,
    /// The ranks that have left `MPI_Init`: they are in another call.
    initialized: ProcessSet,
    /// The need of those that wait for unknown others.
    unknown: Need,
    /// True if messages of calls with several do not release each other.
    is_across_rounds: bool,
}

/// The other end of a message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Partner {
    Absent,
    /// It is there, but one of the two calls completes several messages, and may have completed this one.
    OfSomeRound,
    /// It is there, and both calls complete.
    OfThisCall,
}

impl<'a> Graph<'a> {
    fn new(situations: &'a [Situation]) -> Self {
        let (mut all, mut initialized) = (ProcessSet::new(), ProcessSet::new());
        let mut of_rank = HashMap::new();
        let mut senders: HashMap<u32, Vec<&Situation>> = HashMap::new();
        for situation in situations {
            all.extend_with(&situation.ranks);
            of_rank.extend(situation.ranks.iter().map(|rank| (rank.0, situation)));
            if is_after_init(situation) {
                initialized.extend_with(&situation.ranks);
            }
            let Some((_, messages)) = situation.doing.messages() else { continue };
            for message in messages.iter().filter(|message| message.direction == Direction::Send) {
                if let Peer::Rank(peer) = message.peer {
                    senders.entry(peer).or_default().push(situation);
                }
            }
        }
        let operations = Operations::new(situations);
        Self {
            all: Rc::new(all),
            of_rank,
            senders,
            operations,
            initialized,
            unknown: Need::Unknown,
            is_across_rounds: false,
        }
    }

    /// The need that all ranks of a situation share; `None` if it depends on the rank.
    fn of_situation(&self, situation: &Situation) -> Option<Need> {
        match &situation.doing {
            Doing::Collective { communicator: Communicator::World, .. } => {
                let mut outside = self.all.difference(&self.operations.with(situation));
                let call = situation.place.call.as_deref().unwrap_or("");
                if initializes(call) {
                    outside.remove_all(&self.initialized);
                }
                let outside = Rc::new(outside);
                Some(match outside.is_empty() {
                    true => Need::Nothing,
                    false if leaves_early(call) => Need::Any(outside),
                    false => Need::All(outside),
                })
            }
            Doing::Collective { communicator: Communicator::Itself, .. } => Some(Need::Nothing),
            Doing::Collective { communicator: communicator @ Communicator::Group { members, .. }, .. } => {
                let members: ProcessSet = members.iter().map(|rank| Rank(*rank)).collect();
                let is_in = |rank: &Rank| {
                    self.of_rank.get(&rank.0).is_some_and(|other| takes_part(other, situation, communicator))
                };
                let outside: ProcessSet = members.iter().filter(|rank| !is_in(rank)).collect();
                let call = situation.place.call.as_deref().unwrap_or("");
                Some(match Rc::new(outside) {
                    outside if outside.is_empty() => Need::Nothing,
                    outside if leaves_early(call) => Need::Any(outside),
                    outside => Need::All(outside),
                })
            }
            Doing::Requests { messages, .. } if messages.is_empty() => Some(self.unknown.clone()),
            Doing::Collective { .. } => Some(self.unknown.clone()),
            Doing::Messages { communicator: Communicator::Other(_), .. } => Some(self.unknown.clone()),
            Doing::Messages { .. } | Doing::Requests { .. } => None,
            Doing::Computing
            | Doing::Halted(_)
            | Doing::Silent(_)
            | Doing::Running(_)
            | Doing::Ended(_)
            | Doing::Io(_)
            | Doing::Lock(_)
            | Doing::Library => Some(Need::Nothing),
        }
    }

    fn of_messages(&self, situation: &Situation, rank: Rank) -> Need {
        let Some((communicator, messages)) = situation.doing.messages() else { return Need::Nothing };
        let mut needed = ProcessSet::new();
        let (mut any, mut unknown) = (false, false);
        for message in messages {
            match self.partner(rank, (communicator, messages), *message) {
                Partner::OfThisCall => continue,
                Partner::OfSomeRound if !self.is_across_rounds => continue,
                Partner::OfSomeRound | Partner::Absent => {}
            }
            match message.peer {
                Peer::Nobody => {}
                _ if *communicator == Communicator::Itself => _ = needed.insert(rank),
                Peer::Rank(peer) if self.all.contains(Rank(peer)) => _ = needed.insert(Rank(peer)),
                Peer::Any => any = true,
                Peer::Rank(_) | Peer::Unknown => unknown = true,
            }
        }
        match (needed.len(), any, unknown) {
            (.., true) => self.unknown.clone(),
            (_, true, _) => Need::Any(self.all.clone()),
            (0, ..) => Need::Nothing,
            (1, ..) => Need::All(Rc::new(needed)),
            // The message to one of them may be done.
            _ => Need::Any(Rc::new(needed)),
        }
    }

    /// Finds the other end of a message among those that a rank sends or receives.
    fn partner(&self, rank: Rank, own: (&Communicator, &[Message]), message: Message) -> Partner {
        let (communicator, messages) = own;
        let of = |peers: &Situation| match answers(peers, rank, communicator, message) {
            false => Partner::Absent,
            // A message to itself is of the same call.
            true if message.peer == Peer::Rank(rank.0) => Partner::OfThisCall,
            true if is_one(messages) && peers.doing.messages().is_some_and(|(_, theirs)| is_one(theirs)) => {
                Partner::OfThisCall
            }
            true => Partner::OfSomeRound,
        };
        match message.peer {
            Peer::Rank(peer) => self.of_rank.get(&peer).map_or(Partner::Absent, |peers| of(peers)),
            Peer::Any => {
                let senders = self.senders.get(&rank.0).into_iter().flatten();
                let others = senders.filter(|sender| sender.ranks != ProcessSet::one(rank));
                let found: Vec<Partner> = others.map(|sender| of(sender)).collect();
                let best = [Partner::OfThisCall, Partner::OfSomeRound].into_iter().find(|best| found.contains(best));
                best.unwrap_or(Partner::Absent)
            }
            Peer::Nobody => Partner::OfThisCall,
            Peer::Unknown => Partner::Absent,
        }
    }
}

/// True if a call completes one message, and not only a part of several.
fn is_one(messages: &[Message]) -> bool {
    messages.iter().filter(|message| message.peer != Peer::Nobody).count() == 1
}

/// True if ranks are in a call of MPI that they can only make after `MPI_Init`, which each rank calls once.
fn is_after_init(situation: &Situation) -> bool {
    matches!(situation.doing, Doing::Collective { .. } | Doing::Messages { .. } | Doing::Requests { .. })
        && !situation.place.call.as_deref().is_some_and(initializes)
}

/// True if ranks are in the same operation on a communicator.
fn takes_part(other: &Situation, situation: &Situation, communicator: &Communicator) -> bool {
    let is_same =
        |found: &Doing| matches!(found, Doing::Collective { communicator: theirs, .. } if theirs == communicator);
    is_same(&other.doing) && other.place.call == situation.place.call
}

/// True if ranks are sending what a rank receives, or the reverse.
fn answers(peers: &Situation, rank: Rank, communicator: &Communicator, message: Message) -> bool {
    let Some((theirs, messages)) = peers.doing.messages() else { return false };
    theirs == communicator
        && messages.iter().any(|other| {
            other.direction != message.direction
                && (other.peer == Peer::Rank(rank.0)
                    || (other.peer == Peer::Any && other.direction == Direction::Receive))
                && (other.tag.is_none() || message.tag.is_none() || other.tag == message.tag)
        })
}

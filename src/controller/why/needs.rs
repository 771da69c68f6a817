//! The ranks for which each rank waits: edges of a wait-for graph.

use super::situation::{Communicator, Direction, Doing, Message, Peer, Situation};
use model::{ProcessSet, Rank};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a rank needs to go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// It is not waiting, or all that it waits for has happened.
    Nothing,
    /// Each of these ranks.
    All(Rc<ProcessSet>),
    /// One of these ranks.
    Any(Rc<ProcessSet>),
    /// It waits, and it is unknown for whom.
    Unknown,
}

/// The needs of all ranks.
pub(super) struct Needs<'a> {
    situations: &'a [Situation],
    by_rank: BTreeMap<u32, (usize, Need)>,
}

impl<'a> Needs<'a> {
    pub(super) fn new(situations: &'a [Situation]) -> Self {
        let mut all = ProcessSet::new();
        let mut of_rank = BTreeMap::new();
        for (index, situation) in situations.iter().enumerate() {
            all.extend_with(&situation.ranks);
            of_rank.extend(situation.ranks.iter().map(|rank| (rank.0, index)));
        }
        let graph = Graph { situations, all, of_rank };
        let mut by_rank = BTreeMap::new();
        for (index, situation) in situations.iter().enumerate() {
            let shared = graph.of_collective(situation);
            for rank in situation.ranks.iter() {
                let need = shared.clone().unwrap_or_else(|| graph.of_messages(situation, rank.0));
                by_rank.insert(rank.0, (index, need));
            }
        }
        Self { situations, by_rank }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &'a Situation, &Need)> {
        self.by_rank.iter().filter_map(|(rank, (index, need))| Some((*rank, self.situations.get(*index)?, need)))
    }

    pub(super) fn of(&self, rank: u32) -> &Need {
        self.by_rank.get(&rank).map_or(&Need::Nothing, |(_, need)| need)
    }

    /// Returns ranks with all those for which they wait, directly or through others.
    pub(super) fn concerned(&self, ranks: &ProcessSet) -> ProcessSet {
        let mut found = ranks.clone();
        let mut fresh = ranks.clone();
        while !fresh.is_empty() {
            let mut next = ProcessSet::new();
            for rank in fresh.iter() {
                if let Need::All(others) | Need::Any(others) = self.of(rank.0) {
                    next.extend_with(others);
                }
            }
            fresh = next.difference(&found);
            found.extend_with(&fresh);
        }
        found
    }

    pub(super) fn situation_of(&self, rank: u32) -> Option<&'a Situation> {
        self.by_rank.get(&rank).and_then(|(index, _)| self.situations.get(*index))
    }
}

struct Graph<'a> {
    situations: &'a [Situation],
    all: ProcessSet,
    of_rank: BTreeMap<u32, usize>,
}

impl Graph<'_> {
    /// The need that all ranks of a situation share; `None` if it depends on the rank.
    fn of_collective(&self, situation: &Situation) -> Option<Need> {
        match &situation.doing {
            Doing::Collective { communicator: Communicator::World, .. } => {
                let inside = self.situations.iter().filter(|other| is_same_collective(situation, other));
                let inside = inside.fold(ProcessSet::new(), |sum, other| sum.union(&other.ranks));
                let outside = self.all.difference(&inside);
                Some(if outside.is_empty() { Need::Nothing } else { Need::All(Rc::new(outside)) })
            }
            Doing::Collective { communicator: Communicator::Itself, .. } => Some(Need::Nothing),
            Doing::Collective { .. } | Doing::Requests => Some(Need::Unknown),
            Doing::Messages { communicator: Communicator::Other(_), .. } => Some(Need::Unknown),
            Doing::Messages { .. } => None,
            Doing::Computing | Doing::Running | Doing::Ended(_) | Doing::Io | Doing::Lock | Doing::Library => {
                Some(Need::Nothing)
            }
        }
    }

    fn of_messages(&self, situation: &Situation, rank: u32) -> Need {
        let Doing::Messages { communicator, messages } = &situation.doing else { return Need::Nothing };
        let mut needed = ProcessSet::new();
        let (mut any, mut unknown) = (false, false);
        for message in messages.iter().filter(|message| !self.has_partner(rank, communicator, **message)) {
            match message.peer {
                _ if *communicator == Communicator::Itself => _ = needed.insert(Rank(rank)),
                Peer::Rank(peer) => _ = needed.insert(Rank(peer)),
                Peer::Any => any = true,
                Peer::Nobody => {}
                Peer::Unknown => unknown = true,
            }
        }
        match (needed.is_empty(), any, unknown) {
            // One peer is enough to be waited for.
            (false, ..) => Need::All(Rc::new(needed)),
            (true, _, true) => Need::Unknown,
            (true, true, false) => Need::Any(Rc::new(self.all.difference(&ProcessSet::one(Rank(rank))))),
            (true, false, false) => Need::Nothing,
        }
    }

    /// True if the other end of a message is there.
    fn has_partner(&self, rank: u32, communicator: &Communicator, message: Message) -> bool {
        match message.peer {
            Peer::Rank(peer) => self.answers(peer, rank, communicator, message),
            Peer::Any => {
                self.of_rank.keys().any(|peer| *peer != rank && self.answers(*peer, rank, communicator, message))
            }
            Peer::Nobody => true,
            Peer::Unknown => false,
        }
    }

    /// True if a rank is sending what another receives, or the reverse.
    fn answers(&self, peer: u32, rank: u32, communicator: &Communicator, message: Message) -> bool {
        let Some(Situation { doing: Doing::Messages { communicator: theirs, messages }, .. }) =
            self.of_rank.get(&peer).and_then(|index| self.situations.get(*index))
        else {
            return false;
        };
        // A message to oneself in one call needs no other rank.
        theirs == communicator
            && messages.iter().any(|other| {
                other.direction != message.direction
                    && (other.peer == Peer::Rank(rank)
                        || (other.peer == Peer::Any && other.direction == Direction::Receive))
                    && (other.tag.is_none() || message.tag.is_none() || other.tag == message.tag)
            })
    }
}

/// True if ranks take part in one operation: the same call, with the same root as far as it is known.
fn is_same_collective(one: &Situation, other: &Situation) -> bool {
    match (&one.doing, &other.doing) {
        (
            Doing::Collective { communicator: mine, root },
            Doing::Collective { communicator: theirs, root: their_root },
        ) => {
            let roots = root.is_none() || their_root.is_none() || root == their_root;
            mine == theirs && one.place.call == other.place.call && roots
        }
        _ => false,
    }
}

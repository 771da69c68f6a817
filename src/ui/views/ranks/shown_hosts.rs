//! The hosts that are shown, or the ranks of one host of which only some are.

use super::part::{Part, Span};
use controller::state::{JobHost, JobHosts};
use model::{ProcessSet, Rank};

/// Hosts of a job, counted from the first that is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShownHosts<'a> {
    hosts: &'a JobHosts,
    places: Span,
    /// The ranks that are shown of the host, which is the only one; `None`: all ranks of all hosts.
    ranks: Option<Span>,
}

pub(super) fn count(host: &JobHost) -> u32 {
    u32::try_from(host.ranks.len()).unwrap_or(u32::MAX)
}

impl<'a> ShownHosts<'a> {
    /// The hosts of a part; all of them if it is a part of another arrangement.
    pub(super) fn new(hosts: &'a JobHosts, part: Part) -> Self {
        let (places, ranks) = match part {
            Part::Hosts(places) => (places, None),
            Part::OfHost(place, ranks) => (Span::new(place, 1), Some(ranks)),
            Part::Ranks(_) | Part::Plane { .. } => (Span::new(0, hosts.len() as u32), None),
        };
        Self { hosts, places, ranks }
    }

    pub(super) fn all(&self) -> &'a JobHosts {
        self.hosts
    }

    pub(super) fn places(&self) -> Span {
        self.places
    }

    /// The part of its ranks, if only some of one host are shown.
    pub(super) fn ranks(&self) -> Option<Span> {
        self.ranks
    }

    pub(super) fn len(&self) -> usize {
        self.places.len as usize
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &'a JobHost> {
        self.hosts.iter().skip(self.places.from as usize).take(self.len())
    }

    pub(super) fn get(&self, place: usize) -> Option<&'a JobHost> {
        self.hosts.get(self.places.from as usize + place).filter(|_| place < self.len())
    }

    /// The number of ranks that are shown of a host.
    pub(super) fn count(&self, host: &JobHost) -> u32 {
        self.ranks.map_or_else(|| count(host), |ranks| ranks.end().min(count(host)).saturating_sub(ranks.from))
    }

    /// So many of the ranks that are shown of a host, after those before them.
    pub(super) fn slice(&self, host: &JobHost, index: u32, number: u32) -> ProcessSet {
        let from = self.ranks.map_or(0, |ranks| ranks.from);
        host.ranks.slice(from.saturating_add(index), number.min(self.count(host).saturating_sub(index)))
    }

    /// The place of a rank's host; that of the nearest one that is shown.
    pub(super) fn place_of(&self, rank: u32) -> usize {
        let place = u32::try_from(self.hosts.place_of(Rank(rank))).unwrap_or(u32::MAX);
        (self.places.nearest(place) - self.places.from) as usize
    }

    /// The place of a rank among the ranks that are shown of a host; the nearest one.
    pub(super) fn place_on(&self, host: &JobHost, rank: u32) -> u32 {
        let from = self.ranks.map_or(0, |ranks| ranks.from);
        let before = host.ranks.count_below(Rank(rank)).saturating_sub(from);
        before.min(self.count(host).saturating_sub(1))
    }

    /// The next rank behind the hosts that are shown, or the one before them; `None` if there is none.
    pub(super) fn beyond(&self, is_behind: bool) -> Option<u32> {
        let own = self.ranks.and_then(|ranks| {
            let place = if is_behind { Some(ranks.end()) } else { ranks.from.checked_sub(1) };
            self.get(0)?.ranks.nth(place?)
        });
        let place = if is_behind { Some(self.places.end()) } else { self.places.from.checked_sub(1) };
        let next = || {
            let ranks = &self.hosts.get(place? as usize)?.ranks;
            if !is_behind && self.ranks.is_some() { ranks.last() } else { ranks.first() }
        };
        own.or_else(next).map(|rank| rank.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use controller::state::RankTable;

    #[test]
    fn beyond_what_is_shown_are_the_neighbouring_ranks() {
        let mut table = RankTable::new(30);
        for host in 0..3 {
            table.set_host(&ProcessSet::range(host * 10, host * 10 + 10), &format!("n{host}"));
        }
        let beyond = |part| {
            let shown = ShownHosts::new(table.hosts(), part);
            [shown.beyond(false), shown.beyond(true)]
        };
        assert_eq!(beyond(Part::Hosts(Span::new(0, 3))), [None, None]);
        assert_eq!(beyond(Part::Hosts(Span::new(1, 1))), [Some(0), Some(20)]);
        assert_eq!(beyond(Part::OfHost(1, Span::new(4, 3))), [Some(13), Some(17)], "ranks of the same host come first");
        assert_eq!(beyond(Part::OfHost(1, Span::new(0, 10))), [Some(9), Some(20)]);
        let shown = ShownHosts::new(table.hosts(), Part::OfHost(1, Span::new(4, 3)));
        let host = shown.get(0).unwrap();
        assert_eq!((shown.count(host), shown.slice(host, 1, 9)), (3, ProcessSet::range(15, 17)));
        assert_eq!([shown.place_on(host, 3), shown.place_on(host, 15), shown.place_on(host, 29)], [0, 1, 2]);
    }
}

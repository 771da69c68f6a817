//! Finds the ranks that no event can release, and among them those that wait for each other.

use super::needs::{Need, Needs};
use super::situation::Doing;
use model::{ProcessSet, Rank};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the waiting ranks that cannot go on, whatever the others do: all that they wait for cannot go on either, or
/// has ended.
pub(super) fn stuck(needs: &Needs<'_>) -> ProcessSet {
    let mut stuck = ProcessSet::new();
    let mut ended = ProcessSet::new();
    for (rank, situation, need) in needs.iter() {
        match need {
            Need::All(_) | Need::Any(_) => _ = stuck.insert(Rank(rank)),
            Need::Nothing | Need::Unknown if matches!(situation.doing, Doing::Ended(_)) => _ = ended.insert(Rank(rank)),
            Need::Nothing | Need::Unknown => {}
        }
    }
    loop {
        let dead = stuck.union(&ended);
        let goes_on = |rank: &Rank| match needs.of(rank.0) {
            Need::All(others) => others.intersection(&dead).is_empty(),
            Need::Any(others) => !others.is_subset(&dead),
            Need::Nothing | Need::Unknown => true,
        };
        let released: ProcessSet = stuck.iter().filter(goes_on).collect();
        if released.is_empty() {
            return stuck;
        }
        stuck.remove_all(&released);
    }
}

/// Returns the ranks of cycles from which no way leads to another cycle.
pub(super) fn knots(needs: &Needs<'_>, stuck: &ProcessSet) -> ProcessSet {
    let targets = |rank: u32| match needs.of(rank) {
        Need::All(others) | Need::Any(others) => others.intersection(stuck),
        Need::Nothing | Need::Unknown => ProcessSet::new(),
    };
    let components = components(stuck, &targets);
    let mut of_rank = BTreeMap::new();
    for (index, component) in components.iter().enumerate() {
        of_rank.extend(component.iter().map(|rank| (*rank, index)));
    }
    let mut found = ProcessSet::new();
    for (index, component) in components.iter().enumerate() {
        let is_cycle = component.len() > 1 || component.iter().any(|rank| targets(*rank).contains(Rank(*rank)));
        let stays = || component.iter().all(|rank| targets(*rank).iter().all(|to| of_rank.get(&to.0) == Some(&index)));
        if is_cycle && stays() {
            found.extend_with(&component.iter().map(|rank| Rank(*rank)).collect());
        }
    }
    found
}

/// Strongly connected components (Tarjan), without recursion.
fn components(ranks: &ProcessSet, targets: &dyn Fn(u32) -> ProcessSet) -> Vec<Vec<u32>> {
    let mut order: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
    let mut open: Vec<u32> = Vec::new();
    let mut closed: BTreeSet<u32> = BTreeSet::new();
    let mut found = Vec::new();
    for root in ranks.iter() {
        if order.contains_key(&root.0) {
            continue;
        }
        let successors = |rank: u32| targets(rank).iter().map(|to| to.0).collect::<Vec<_>>();
        let mut walk = vec![(root.0, successors(root.0))];
        order.insert(root.0, (order.len(), order.len()));
        open.push(root.0);
        while let Some((rank, rest)) = walk.last_mut() {
            let rank = *rank;
            if let Some(next) = rest.pop() {
                match order.get(&next) {
                    None => {
                        let number = order.len();
                        order.insert(next, (number, number));
                        open.push(next);
                        walk.push((next, successors(next)));
                    }
                    Some((number, _)) if !closed.contains(&next) => {
                        let number = *number;
                        if let Some((_, low)) = order.get_mut(&rank) {
                            *low = (*low).min(number);
                        }
                    }
                    Some(_) => {}
                }
                continue;
            }
            walk.pop();
            let Some(&(number, low)) = order.get(&rank) else { continue };
            if let Some((parent, _)) = walk.last()
                && let Some((_, of_parent)) = order.get_mut(parent)
            {
                *of_parent = (*of_parent).min(low);
            }
            if number == low {
                let at = open.iter().rposition(|other| *other == rank).unwrap_or(0);
                let component = open.split_off(at);
                closed.extend(component.iter().copied());
                found.push(component);
            }
        }
    }
    found
}

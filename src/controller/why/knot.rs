//! Finds the ranks that no event can release, and among them those that wait for each other.

use super::needs::{Need, Needs};
use super::situation::Doing;
use model::{ProcessSet, Rank};
use std::collections::{HashMap, HashSet};

/// Needs of more ranks than this are looked at whenever ranks were released, others when one of their own was.
const FEW: usize = 4;

/// Returns the waiting ranks that cannot go on, whatever the others do: all that they wait for cannot go on either, or
/// has ended.
pub(super) fn stuck(needs: &Needs<'_>) -> ProcessSet {
    let classes = needs.classes();
    let mut stuck = ProcessSet::new();
    let mut dead = ProcessSet::new();
    let mut waiting_for: HashMap<u32, Vec<usize>> = HashMap::new();
    let (mut open, mut wide) = (Vec::new(), Vec::new());
    for (index, class) in classes.iter().enumerate() {
        let Some(others) = class.need.ranks() else {
            if matches!(class.situation.doing, Doing::Ended(_)) {
                dead.extend_with(&class.ranks);
            }
            continue;
        };
        stuck.extend_with(&class.ranks);
        if others.len() > FEW {
            wide.push(index);
            continue;
        }
        open.push(index);
        for rank in others.iter() {
            waiting_for.entry(rank.0).or_default().push(index);
        }
    }
    dead.extend_with(&stuck);
    let goes_on = |index: &usize, dead: &ProcessSet| match classes.get(*index).map(|class| &class.need) {
        Some(Need::All(others)) => !others.meets(dead),
        Some(Need::Any(others)) => !others.is_subset(dead),
        _ => true,
    };
    loop {
        while let Some(index) = open.pop() {
            let Some(class) = classes.get(index) else { continue };
            if !class.ranks.meets(&stuck) || !goes_on(&index, &dead) {
                continue;
            }
            stuck.remove_all(&class.ranks);
            dead.remove_all(&class.ranks);
            for rank in class.ranks.iter() {
                open.extend(waiting_for.remove(&rank.0).into_iter().flatten());
            }
        }
        (open, wide) = wide.into_iter().partition(|index| goes_on(index, &dead));
        if open.is_empty() {
            return stuck;
        }
    }
}

/// Returns the ranks of cycles from which no way leads to another cycle.
pub(super) fn knots(needs: &Needs<'_>, stuck: &ProcessSet) -> ProcessSet {
    let classes = needs.classes();
    // Classes with the same need are one node, that of the first.
    let mut first: HashMap<&Need, usize> = HashMap::new();
    let same = classes.iter().enumerate().map(|(index, class)| *first.entry(&class.need).or_insert(index));
    let same: Vec<usize> = same.collect();
    // Nodes are needs and, behind them, ranks: a rank leads to its need, and a need to its ranks.
    let of_rank = |rank: Rank| classes.len() + rank.0 as usize;
    let successors = |node: usize| match classes.get(node) {
        Some(class) => {
            let others = class.need.ranks().into_iter().flat_map(|others| others.iter());
            others.filter(|rank| stuck.contains(*rank)).map(of_rank).collect()
        }
        None => {
            let class = needs.class_of((node - classes.len()) as u32);
            class.and_then(|class| same.get(class)).copied().into_iter().collect::<Vec<usize>>()
        }
    };
    let mut found = ProcessSet::new();
    for component in components(stuck.iter().map(of_rank), &successors) {
        let own: HashSet<usize> = component.iter().copied().collect();
        let leaves = || component.iter().any(|node| successors(*node).iter().any(|to| !own.contains(to)));
        if component.len() > 1 && !leaves() {
            let ranks = component.iter().filter_map(|node| node.checked_sub(classes.len()));
            found.extend_with(&ranks.map(|rank| Rank(rank as u32)).collect());
        }
    }
    found
}

/// Strongly connected components (Tarjan), without recursion.
fn components(roots: impl Iterator<Item = usize>, successors: &dyn Fn(usize) -> Vec<usize>) -> Vec<Vec<usize>> {
    let mut order: HashMap<usize, (usize, usize)> = HashMap::new();
    let mut open: Vec<usize> = Vec::new();
    let mut closed: HashSet<usize> = HashSet::new();
    let mut found = Vec::new();
    for root in roots {
        if order.contains_key(&root) {
            continue;
        }
        let mut walk = vec![(root, successors(root))];
        order.insert(root, (order.len(), order.len()));
        open.push(root);
        while let Some((node, rest)) = walk.last_mut() {
            let node = *node;
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
                        if let Some((_, low)) = order.get_mut(&node) {
                            *low = (*low).min(number);
                        }
                    }
                    Some(_) => {}
                }
                continue;
            }
            walk.pop();
            let Some(&(number, low)) = order.get(&node) else { continue };
            if let Some((parent, _)) = walk.last()
                && let Some((_, of_parent)) = order.get_mut(parent)
            {
                *of_parent = (*of_parent).min(low);
            }
            if number == low {
                let at = open.iter().rposition(|other| *other == node).unwrap_or(0);
                let component = open.split_off(at);
                closed.extend(component.iter().copied());
                found.push(component);
            }
        }
    }
    found
}

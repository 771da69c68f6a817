//! The limits on the resources of ranks.

use crate::report::json_object::Object;
use crate::report::text_words::of;
use model::{ProcessSet, ResourceLimit};

/// Returns a line for the ranks that have the same limits: those that hold first, then the names of the others.
pub(in crate::report) fn text(lists: &[(ProcessSet, Vec<ResourceLimit>)]) -> Vec<String> {
    lists.iter().map(|(ranks, limits)| of(ranks, line(limits))).collect()
}

fn line(limits: &[ResourceLimit]) -> String {
    let has_none = |limit: &&ResourceLimit| limit.soft.is_none() && limit.hard.is_none();
    let (without, with): (Vec<&ResourceLimit>, Vec<&ResourceLimit>) = limits.iter().partition(has_none);
    let with: Vec<String> = with.into_iter().map(ToString::to_string).collect();
    let without: Vec<&str> = without.into_iter().map(|limit| &*limit.name).collect();
    match (with.is_empty(), without.is_empty()) {
        (true, true) => "no limits".to_owned(),
        (true, false) => format!("unlimited: {}", without.join(", ")),
        (false, true) => with.join(", "),
        (false, false) => format!("{}; unlimited: {}", with.join(", "), without.join(", ")),
    }
}

/// Returns an object for the ranks that have the same limits. One without a number is unlimited.
pub(in crate::report) fn json(lists: &[(ProcessSet, Vec<ResourceLimit>)]) -> Vec<Object> {
    let row = |limit: &ResourceLimit| {
        let row = Object::default().with("name", &limit.name).maybe("soft", limit.soft).maybe("hard", limit.hard);
        row.maybe("unit", Some(&limit.unit).filter(|unit| !unit.is_empty()))
    };
    let object = |(ranks, limits): &(ProcessSet, Vec<ResourceLimit>)| {
        Object::of_type("limits").ranks(ranks).with("limits", limits.iter().map(row).collect::<Vec<_>>())
    };
    lists.iter().map(object).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_that_hold_come_first() {
        let limit =
            |name: &str, soft, hard, unit: &str| ResourceLimit { name: name.into(), soft, hard, unit: unit.into() };
        let some = vec![
            limit("cpu time", None, None, "seconds"),
            limit("stack size", Some(8 << 20), None, "bytes"),
            limit("nice priority", Some(0), Some(0), ""),
        ];
        let ranks = |text: &str| ProcessSet::parse(text).unwrap();
        let lists = [(ranks("0-2"), some.clone()), (ranks("3"), Vec::new()), (ranks("4"), some[..1].to_vec())];
        assert_eq!(
            text(&lists),
            [
                "[0-2] stack size 8388608 bytes (at most unlimited), nice priority 0; unlimited: cpu time",
                "[3] no limits",
                "[4] unlimited: cpu time",
            ]
        );
        let objects: Vec<String> = json(&lists).iter().map(Object::text).collect();
        assert_eq!(
            objects[0],
            "{\"type\":\"limits\",\"ranks\":\"0-2\",\"limits\":[{\"name\":\"cpu time\",\"unit\":\"seconds\"},\
                {\"name\":\"stack size\",\"soft\":8388608,\"unit\":\"bytes\"},\
                {\"name\":\"nice priority\",\"soft\":0,\"hard\":0}]}"
        );
    }
}

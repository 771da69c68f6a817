//! The places at which `find` has found bytes.

use crate::report::json_object::Object;
use crate::report::text_words::of;
use model::{ByteMatch, BytesFound, ProcessSet};

/// Returns the lines that gdb shows. `limited`: the user said how many.
pub(in crate::report) fn text(ranks: &ProcessSet, found: &BytesFound, limited: bool) -> Vec<String> {
    let row = |one: &ByteMatch| match &one.symbol {
        Some(symbol) => format!("{} <{symbol}>", one.address),
        None => one.address.to_string(),
    };
    let mut lines: Vec<String> = found.matches.iter().map(row).collect();
    if let Some((address, bytes)) = &found.unreadable {
        lines.push(format!("warning: Unable to access {bytes} bytes of target memory at {address}, halting search."));
    }
    lines.push(match found.matches.len() {
        0 => "Pattern not found.".to_owned(),
        1 => "1 pattern found.".to_owned(),
        count => format!("{count} patterns found."),
    });
    if let Some(address) = found.searched_to.filter(|_| !limited) {
        lines.push(format!("Memory from {address} on was not searched (find /COUNT shows more matches)."));
    }
    lines.into_iter().map(|line| of(ranks, line)).collect()
}

pub(in crate::report) fn json(ranks: &ProcessSet, found: &BytesFound) -> Object {
    let row = |one: &ByteMatch| Object::default().address(Some(one.address)).maybe("symbol", one.symbol.as_deref());
    let unreadable =
        found.unreadable.map(|(address, bytes)| Object::default().address(Some(address)).with("bytes", bytes));
    Object::of_type("bytes_found")
        .ranks(ranks)
        .with("count", found.matches.len())
        .with("matches", found.matches.iter().map(row).collect::<Vec<_>>())
        .maybe("unreadable", unreadable)
        .maybe("searched_to", found.searched_to.map(|address| address.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::VirtualAddress;

    #[test]
    fn matches_look_as_in_gdb() {
        let ranks = ProcessSet::parse("0-1").unwrap();
        let mut found = BytesFound::default();
        assert_eq!(text(&ranks, &found, false), ["[0-1] Pattern not found."]);
        let symbol = Some("table+8".to_owned());
        found.matches.push(ByteMatch { address: VirtualAddress(0x1008), symbol });
        assert_eq!(text(&ranks, &found, false), ["[0-1] 0x1008 <table+8>", "[0-1] 1 pattern found."]);
        found.searched_to = Some(VirtualAddress(0x2000));
        assert_eq!(text(&ranks, &found, true).len(), 2);
        assert!(text(&ranks, &found, false)[2].contains("from 0x2000 on was not searched"));
        assert_eq!(
            json(&ranks, &found).text(),
            r#"{"type":"bytes_found","ranks":"0-1","count":1,"matches":[{"address":"0x1008","symbol":"table+8"}],"searched_to":"0x2000"}"#
        );
    }
}

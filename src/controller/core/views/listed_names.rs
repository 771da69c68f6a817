//! Names out of lists of what a program defines, for completion.

use model::{MyCode, SymbolList};
use std::collections::BTreeSet;

/// Returns the declarations of a list.
pub(super) fn declarations(list: &SymbolList) -> Vec<String> {
    list.groups.iter().flat_map(|group| &group.symbols).map(|symbol| symbol.text.clone()).collect()
}

/// Returns the words of the declarations in the user's own code that begin like this: the declared names are among
/// them, wherever they stand in a declaration.
pub(super) fn own_names(list: &SymbolList, my_code: &MyCode, begun: &str) -> BTreeSet<String> {
    let own = list.groups.iter().filter(|group| my_code.has_place(None, &group.file, None));
    let words = own.flat_map(|group| &group.symbols).flat_map(|symbol| {
        symbol
            .text
            .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':')))
            .filter(|word| word.starts_with(begun))
    });
    words.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::ListedSymbol;

    #[test]
    fn names_of_libraries_are_not_among_those_of_own_code() {
        let mut list = SymbolList::default();
        let symbol = |text: &str| ListedSymbol { line: None, name: None, text: text.to_owned() };
        list.add(&"/home/me/ring.c".into(), symbol("static int (*lookup)(int);"));
        list.add(&"/home/me/ring.c".into(), symbol("double load[3];"));
        list.add(&"/usr/include/regexp.h".into(), symbol("char *loc1;"));
        list.add(&"/usr/include/lock.h".into(), symbol("int lock;"));
        let own = own_names(&list, &MyCode::default(), "lo");
        assert_eq!(own.into_iter().collect::<Vec<_>>(), ["load", "lookup"]);
        assert_eq!(declarations(&list).len(), 4);
    }
}

//! The numbers by which the ranks on the screen are coloured.

use model::{Answer, CellNumbers, Failure, ProcessSet, RankCells, RankPicture};

/// The numbers of an expression on the stopped ranks, in the cells of the screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RankColours {
    /// The expression.
    pub expression: String,
    /// The cells.
    pub cells: RankCells,
    /// The ranks that have answered.
    pub known: ProcessSet,
    /// Their numbers.
    pub picture: RankPicture,
    /// Why ranks have no value.
    pub failed: Vec<(ProcessSet, Failure)>,
    /// True once ranks have moved since, or other cells are shown.
    pub stale: bool,
}

impl RankColours {
    /// Begins to collect numbers.
    pub fn new(expression: String, cells: RankCells) -> Self {
        Self { expression, cells, ..Self::default() }
    }

    /// Adds an answer. Each rank counts once: what it says again is left out.
    pub fn learn(&mut self, ranks: &ProcessSet, answer: Answer) {
        let fresh = ranks.difference(&self.known);
        if fresh.is_empty() {
            return;
        }
        match answer {
            Answer::Data(value) => self.picture.add(&self.cells, &fresh, &value),
            // A rank cannot be taken out of a picture; those that are new are asked again.
            Answer::Picture(_) if fresh != *ranks => return,
            Answer::Picture(part) => self.picture.join(&part),
            Answer::Failed(failure) => match self.failed.iter_mut().find(|(_, known)| *known == failure) {
                Some((ranks, _)) => ranks.extend_with(&fresh),
                None => self.failed.push((fresh.clone(), failure)),
            },
            _ => return,
        }
        self.known.extend_with(&fresh);
    }

    /// Returns the numbers in a cell of the screen; `None` if none of its ranks has a value.
    pub fn numbers(&self, ranks: &ProcessSet) -> Option<CellNumbers> {
        let cells = self.cells.of_cell(ranks).filter_map(|cell| self.picture.cell(cell).copied());
        cells.reduce(|mut all, numbers| {
            all.join(&numbers);
            all
        })
    }

    /// Returns the place of a number between the least, 0, and the greatest, 1, of all ranks.
    pub fn level(&self, number: f64) -> f64 {
        let finite = self.picture.summary.finite.as_ref();
        let end = |list: &[model::RankValue]| list.first().and_then(|kept| kept.value.as_f64());
        let Some((least, greatest)) = finite.and_then(|all| Some((end(&all.least)?, end(&all.greatest)?))) else {
            return 0.0;
        };
        // Halved: the difference of huge numbers may overflow.
        let range = greatest / 2.0 - least / 2.0;
        if range > 0.0 { ((number / 2.0 - least / 2.0) / range).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// The number of ranks without a value.
    pub fn without_value(&self) -> usize {
        self.failed.iter().map(|(ranks, _)| ranks.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Datum, ErrorCode, PictureAnswer};

    fn set(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    fn value(number: u8) -> Datum {
        Datum { descriptor: "is1".into(), data: vec![number], type_name: "char".into() }
    }

    fn part(cells: &RankCells, ranks: &str, number: u8) -> PictureAnswer {
        let mut picture = RankPicture::default();
        picture.add(cells, &set(ranks), &value(number));
        picture.into_answer()
    }

    #[test]
    fn a_rank_counts_once_however_often_it_answers() {
        let cells = RankCells::new(0, (1, 8), (1, 2));
        let mut colours = RankColours::new("x".into(), cells);
        colours.learn(&set("0-2"), Answer::Picture(Box::new(part(&cells, "0-2", 4))));
        colours.learn(&set("2-3"), Answer::Picture(Box::new(part(&cells, "2-3", 9))));
        assert_eq!((colours.known.clone(), colours.picture.summary.count), (set("0-2"), 3));
        colours.learn(&set("2-3"), Answer::Data(value(8)));
        colours.learn(&set("3-4"), Answer::Failed(Failure::new(ErrorCode::UNKNOWN_VARIABLE, "no x")));
        assert_eq!((colours.known.clone(), colours.without_value()), (set("0-4"), 1));
        let numbers = colours.numbers(&set("2-3")).unwrap();
        assert_eq!((numbers.finite, numbers.least.get(), numbers.greatest.get()), (2, 4.0, 8.0));
        assert!(colours.numbers(&set("4-5")).is_none());
    }

    #[test]
    fn levels_go_from_the_least_to_the_greatest() {
        let mut colours = RankColours::new("x".into(), RankCells::of_each(4));
        assert_eq!(colours.level(3.0), 0.0);
        colours.learn(&set("0"), Answer::Data(value(2)));
        assert_eq!(colours.level(2.0), 0.0, "all the same");
        colours.learn(&set("1"), Answer::Data(value(6)));
        assert_eq!([2.0, 3.0, 6.0, 99.0].map(|number| colours.level(number)), [0.0, 0.25, 1.0, 1.0]);
    }
}

//! A distributed array: the pictures of the ranks' parts, put together to one of the whole.

use model::{
    ArrayFinding, ArrayLook, ArrayPart, ArrayPicture, ArraySection, Double, Failure, Pixel, ProcessSet, Rank,
    Reduction, Span,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The places of the ranks' parts in the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiling {
    /// The ranks in the order of their places.
    pub ranks: ProcessSet,
    /// Rows of parts.
    pub rows: u32,
    /// Columns of parts.
    pub columns: u32,
    /// True if the ranks follow each other down the columns, false if along the rows.
    pub by_columns: bool,
}

impl Tiling {
    /// The most parts that are put together.
    pub const MOST: usize = 1 << 12;

    /// All parts in one row, as those of a line.
    pub fn line(ranks: ProcessSet) -> Self {
        let columns = u32::try_from(ranks.len()).unwrap_or(u32::MAX);
        Self { ranks, rows: 1, columns, by_columns: false }
    }

    /// All parts one below the other.
    pub fn pile(ranks: ProcessSet) -> Self {
        let Self { ranks, rows, columns, .. } = Self::line(ranks);
        Self { ranks, rows: columns, columns: rows, by_columns: false }
    }

    /// The pixels of a part, down and across, of a picture with so many.
    pub fn share(&self, height: u32, width: u32) -> (u32, u32) {
        ((height / self.rows.max(1)).max(1), (width / self.columns.max(1)).max(1))
    }

    /// The row and the column of the part with this number.
    fn place_of(&self, number: u32) -> (u32, u32) {
        if self.by_columns {
            (number % self.rows.max(1), number / self.rows.max(1))
        } else {
            (number / self.columns.max(1), number % self.columns.max(1))
        }
    }

    /// The row and the column of a rank's part.
    pub fn place(&self, rank: Rank) -> Option<(u32, u32)> {
        let number = self.ranks.contains(rank).then(|| self.ranks.iter().take_while(|other| *other < rank).count())?;
        Some(self.place_of(u32::try_from(number).ok()?))
    }

    /// The rank whose part is there.
    pub fn rank_at(&self, row: u32, column: u32) -> Option<Rank> {
        let number = if self.by_columns {
            u64::from(column) * u64::from(self.rows) + u64::from(row)
        } else {
            u64::from(row) * u64::from(self.columns) + u64::from(column)
        };
        let inside = row < self.rows && column < self.columns;
        inside.then(|| self.ranks.iter().nth(usize::try_from(number).ok()?)).flatten()
    }
}

/// A request of the screen for the parts of ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TilesWish {
    /// The places.
    pub tiling: Tiling,
    /// The picture of each part.
    pub look: ArrayLook,
}

/// The parts of the ranks that have answered.
#[derive(Clone, Debug, Default)]
pub struct ArrayTiles {
    look: Option<ArrayLook>,
    known: BTreeMap<Rank, Arc<Result<ArrayPart, Failure>>>,
    version: TilesVersion,
}

/// The answers that parts are made of: another one after each answer, also of another array.
#[derive(Clone, Debug, Default)]
pub struct TilesVersion(Arc<()>);

impl PartialEq for TilesVersion {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Pixels, and the place of each rank's in them.
type Tile<'a> = ((u32, u32), &'a ArrayPicture);

impl ArrayTiles {
    /// Records the answer of ranks. Answers to another question are forgotten.
    pub fn learn(&mut self, look: &ArrayLook, ranks: &ProcessSet, part: Result<ArrayPart, Failure>) {
        if self.look.as_ref() != Some(look) {
            *self = Self { look: Some(look.clone()), ..Self::default() };
        }
        self.version = TilesVersion::default();
        let part = Arc::new(part);
        self.known.extend(ranks.iter().map(|rank| (rank, Arc::clone(&part))));
    }

    /// The answers that the parts are made of.
    pub fn version(&self) -> &TilesVersion {
        &self.version
    }

    /// The ranks whose parts are known.
    pub fn ranks(&self) -> ProcessSet {
        set(self.known.iter().filter(|(_, part)| part.is_ok()).map(|(rank, _)| *rank))
    }

    /// The ranks that have no such part, and why the first of them has none.
    pub fn failed(&self) -> Option<(ProcessSet, &Failure)> {
        let mut failed = self.known.iter().filter(|(_, part)| part.is_err()).peekable();
        let why = failed.peek()?.1.as_ref().as_ref().err()?;
        Some((set(failed.map(|(rank, _)| *rank)), why))
    }

    /// Puts the parts together to a picture of at most this size; `None` as long as no part is known. Each part takes the
    /// same share of it.
    pub fn picture(&self, tiling: &Tiling, height: u32, width: u32) -> Option<ArrayPicture> {
        let numbered = (0..).zip(tiling.ranks.iter());
        let places: BTreeMap<Rank, (u32, u32)> =
            numbered.map(|(number, rank)| (rank, tiling.place_of(number))).collect();
        let mut tiles: Vec<Tile<'_>> = Vec::new();
        for (rank, part) in &self.known {
            let Ok(ArrayPart { finding: ArrayFinding::Picture(picture), .. }) = part.as_ref() else { continue };
            tiles.extend(places.get(rank).map(|place| (*place, picture)));
        }
        let whole = whole(tiling, &tiles)?;
        Some(shrunk(whole, height, width))
    }
}

fn set(ranks: impl Iterator<Item = Rank>) -> ProcessSet {
    let mut all = ProcessSet::new();
    ranks.for_each(|rank| _ = all.insert(rank));
    all
}

/// Draws each part at its place, on the scale of all.
fn whole(tiling: &Tiling, tiles: &[Tile<'_>]) -> Option<ArrayPicture> {
    let (_, first) = tiles.first()?;
    let most = |size: fn(&ArrayPicture) -> u64| tiles.iter().map(|(_, picture)| size(picture)).max().unwrap_or(0);
    let size = |size: u64| u32::try_from(size).unwrap_or(u32::MAX).clamp(1, ArrayPicture::MOST);
    let (tall, wide) = (size(most(|one| one.height.into())), size(most(|one| one.width.into())));
    let (height, width) = (tall.checked_mul(tiling.rows)?, wide.checked_mul(tiling.columns)?);
    let count = u64::from(height) * u64::from(width);
    if count > u64::from(ArrayPicture::MOST) * 4 {
        return None;
    }
    let range = tiles.iter().filter_map(|(_, picture)| picture.range).reduce(|(low, high), (other_low, other_high)| {
        (Double::new(low.get().min(other_low.get())), Double::new(high.get().max(other_high.get())))
    });
    let planes = first.reductions.len();
    let count = usize::try_from(count).ok()?;
    let mut levels = vec![ArrayPicture::MISSING; count * planes];
    for ((row, column), picture) in tiles {
        for plane in 0..planes {
            for y in 0..tall {
                for x in 0..wide {
                    // Parts of fewer elements than others are stretched.
                    let scaled =
                        |at: u32, size: u32, all: u32| (u64::from(at) * u64::from(size) / u64::from(all)) as u32;
                    let pixel = picture.pixel(plane, scaled(y, picture.height, tall), scaled(x, picture.width, wide));
                    let at = (row * tall + y) as usize * width as usize + (column * wide + x) as usize;
                    if let Some(place) = levels.get_mut(plane * count + at) {
                        *place = level(pixel.unwrap_or(Pixel::Missing), picture, range);
                    }
                }
            }
        }
    }
    let rows = Span { from: 0, count: most(|one| one.section.rows.count).saturating_mul(tiling.rows.into()) };
    let columns = Span { from: 0, count: most(|one| one.section.columns.count).saturating_mul(tiling.columns.into()) };
    let section = ArraySection { axes: first.section.axes, at: Vec::new(), rows, columns };
    Some(made(section, (height, width), first.reductions.clone(), range, &levels))
}

fn made(
    section: ArraySection,
    (height, width): (u32, u32),
    reductions: Vec<Reduction>,
    range: Option<(Double, Double)>,
    levels: &[u16],
) -> ArrayPicture {
    let levels = levels.iter().flat_map(|level| level.to_be_bytes()).collect();
    ArrayPicture { section, height, width, reductions, range, levels }
}

/// The level on the scale of `range` of a pixel of a picture with its own.
fn level(pixel: Pixel, picture: &ArrayPicture, range: Option<(Double, Double)>) -> u16 {
    match pixel {
        Pixel::NotANumber => ArrayPicture::NAN,
        Pixel::Infinite => ArrayPicture::INFINITE,
        Pixel::Missing => ArrayPicture::MISSING,
        Pixel::Level(level) => {
            let known = picture.value(level).zip(range);
            let Some((value, (low, high))) = known else { return ArrayPicture::MISSING };
            // Halved: the difference of huge numbers may overflow.
            let (value, low, high) = (value / 2.0, low.get() / 2.0, high.get() / 2.0);
            let place = if high > low { ((value - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 };
            (place * f64::from(ArrayPicture::HIGHEST)).round() as u16
        }
    }
}

/// Lets pixels share one until the picture is no larger than this.
fn shrunk(picture: ArrayPicture, height: u32, width: u32) -> ArrayPicture {
    let (tall, wide) = (picture.height.div_ceil(height.max(1)), picture.width.div_ceil(width.max(1)));
    if tall <= 1 && wide <= 1 {
        return picture;
    }
    let (height, width) = (picture.height.div_ceil(tall), picture.width.div_ceil(wide));
    let mut levels = Vec::new();
    for (plane, reduction) in picture.reductions.iter().enumerate() {
        for y in 0..height {
            for x in 0..width {
                let pixels = (y * tall..(y + 1) * tall).flat_map(|y| (x * wide..(x + 1) * wide).map(move |x| (y, x)));
                levels.push(joined(pixels.filter_map(|(y, x)| picture.pixel(plane, y, x)), *reduction));
            }
        }
    }
    made(picture.section, (height, width), picture.reductions, picture.range, &levels)
}

/// The level of a pixel that stands for several.
fn joined(pixels: impl Iterator<Item = Pixel>, reduction: Reduction) -> u16 {
    let (mut nan, mut infinite, mut levels) = (false, false, Vec::new());
    for pixel in pixels {
        match pixel {
            Pixel::NotANumber => nan = true,
            Pixel::Infinite => infinite = true,
            Pixel::Missing => {}
            Pixel::Level(level) => levels.push(level),
        }
    }
    if nan {
        return ArrayPicture::NAN;
    }
    if infinite {
        return ArrayPicture::INFINITE;
    }
    let level = match reduction {
        Reduction::Mean => levels.iter().copied().reduce(|sum, level| sum + level).map(|sum| sum / levels.len() as f64),
        Reduction::Minimum => levels.into_iter().reduce(f64::min),
        Reduction::Maximum => levels.into_iter().reduce(f64::max),
    };
    level.map_or(ArrayPicture::MISSING, |level| (level * f64::from(ArrayPicture::HIGHEST)).round() as u16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{ArrayExtent, ArrayShape, Axes};
    use proptest::prelude::*;

    fn picture(height: u32, width: u32, value: impl Fn(u32, u32) -> f64) -> ArrayPicture {
        let values: Vec<f64> =
            (0..height).flat_map(|y| (0..width).map(move |x| (y, x))).map(|(y, x)| value(y, x)).collect();
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        let range = finite().reduce(f64::min).zip(finite().reduce(f64::max));
        let levels = values.iter().map(|value| match range {
            _ if value.is_nan() => ArrayPicture::NAN,
            Some((low, high)) if high > low => {
                ((value - low) / (high - low) * f64::from(ArrayPicture::HIGHEST)).round() as u16
            }
            _ => 0,
        });
        let levels: Vec<u16> = levels.collect();
        let span = |count: u32| Span { from: 0, count: count.into() };
        let section =
            ArraySection { axes: Some(Axes::default()), at: vec![0, 0], rows: span(height), columns: span(width) };
        let range = range.map(|(low, high)| (Double::new(low), Double::new(high)));
        made(section, (height, width), vec![Reduction::Mean], range, &levels)
    }

    fn part(picture: ArrayPicture) -> ArrayPart {
        let extents =
            [picture.height, picture.width].map(|count| ArrayExtent { lower: 0, count: count.into() }).to_vec();
        let shape = ArrayShape { element_type: "double".into(), extents, parentheses: false, by_columns: false };
        ArrayPart { shape, finding: ArrayFinding::Picture(picture) }
    }

    fn look() -> ArrayLook {
        ArrayLook::Picture { section: ArraySection::default(), height: 1, width: 1, reductions: vec![Reduction::Mean] }
    }

    fn tiles(parts: impl Iterator<Item = (u32, ArrayPicture)>) -> ArrayTiles {
        let mut tiles = ArrayTiles::default();
        for (rank, picture) in parts {
            tiles.learn(&look(), &ProcessSet::one(Rank(rank)), Ok(part(picture)));
        }
        tiles
    }

    #[test]
    fn a_rank_that_has_not_answered_leaves_its_place_empty() {
        let tiling = Tiling { ranks: ProcessSet::parse("3,5,8-9").unwrap(), rows: 2, columns: 2, by_columns: false };
        let mut tiles = tiles([3, 9].into_iter().map(|rank| (rank, picture(2, 2, |_, _| f64::from(rank)))));
        tiles.learn(&look(), &ProcessSet::one(Rank(5)), Err(Failure::new(model::ErrorCode::DEBUGGER, "no u here")));
        let shown = tiles.picture(&tiling, 40, 80).unwrap();
        assert_eq!((shown.height, shown.width, shown.section.rows.count), (4, 4, 4));
        assert_eq!(shown.pixel(0, 1, 1), Some(Pixel::Level(0.0)));
        assert_eq!(shown.pixel(0, 1, 2), Some(Pixel::Missing));
        assert_eq!(shown.pixel(0, 3, 3), Some(Pixel::Level(1.0)));
        assert_eq!(tiles.ranks().to_string(), "3,9");
        assert_eq!(
            tiles.failed().map(|(ranks, why)| (ranks.to_string(), why.message.clone())),
            Some(("5".into(), "no u here".into()))
        );
        assert_eq!(
            (tiling.place(Rank(9)), tiling.place(Rank(4)), tiling.rank_at(1, 0)),
            (Some((1, 1)), None, Some(Rank(8)))
        );
        assert_eq!((tiling.rank_at(0, 2), tiling.share(45, 81), tiling.share(1, 1)), (None, (22, 40), (1, 1)));
    }

    #[test]
    fn more_parts_than_pixels_share_them() {
        let odd = |rank: u32| if rank == 70 { f64::NAN } else { f64::from(rank / 50) };
        let tiles = tiles((0..100).map(|rank| (rank, picture(1, 1, move |_, _| odd(rank)))));
        let shown = tiles.picture(&Tiling::pile(ProcessSet::all(100)), 20, 10).unwrap();
        assert_eq!((shown.height, shown.width), (20, 1));
        let pixels: Vec<Pixel> = (0..20).filter_map(|row| shown.pixel(0, row, 0)).collect();
        let expected = |row| if row == 14 { Pixel::NotANumber } else { Pixel::Level(f64::from(row / 10)) };
        assert_eq!(pixels, (0..20).map(expected).collect::<Vec<_>>());
    }

    #[test]
    fn another_question_forgets_the_answers() {
        let mut tiles = tiles([(0, picture(1, 1, |_, _| 1.0))].into_iter());
        let other = ArrayLook::Picture {
            section: ArraySection::default(),
            height: 2,
            width: 1,
            reductions: vec![Reduction::Mean],
        };
        tiles.learn(&other, &ProcessSet::new(), Err(Failure::new(model::ErrorCode::DEBUGGER, "none")));
        assert_eq!((tiles.ranks().len(), tiles.failed()), (0, None));
        assert_eq!(tiles.picture(&Tiling::line(ProcessSet::all(1)), 9, 9), None);
    }

    proptest! {
        #[test]
        fn an_array_cut_into_parts_is_put_together_again(
            rows in 1u32..5, columns in 1u32..5, tall in 1u32..5, wide in 1u32..5, seed in 1u32..1000, by_columns: bool,
        ) {
            let value = |y: u32, x: u32| f64::from((y * 31 + x * 17 + seed) % 97) - 40.0;
            let all = picture(rows * tall, columns * wide, value);
            let tiling = Tiling { ranks: ProcessSet::all(rows * columns), rows, columns, by_columns };
            let parts = (0..rows * columns).map(|rank| {
                let (row, column) = tiling.place(Rank(rank)).unwrap();
                assert_eq!(tiling.rank_at(row, column), Some(Rank(rank)));
                (rank, picture(tall, wide, move |y, x| value(row * tall + y, column * wide + x)))
            });
            let shown = tiles(parts).picture(&tiling, 100, 100).unwrap();
            prop_assert_eq!((shown.height, shown.width, shown.range), (all.height, all.width, all.range));
            for y in 0..all.height {
                for x in 0..all.width {
                    let (Some(Pixel::Level(one)), Some(Pixel::Level(other))) = (shown.pixel(0, y, x), all.pixel(0, y, x)) else {
                        return Err(TestCaseError::fail("no level"));
                    };
                    prop_assert!((one - other).abs() < 1e-4, "{} {}", one, other);
                }
            }
        }
    }
}

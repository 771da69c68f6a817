//! Colours between those that a theme names for low and high numbers.

use ratatui::style::Color;

/// Colours of a ramp between two stops.
const STEPS: usize = 16;

/// Returns the colours from the first stop to the last. Colours that the terminal chooses have none between them.
pub(super) fn between(stops: &[Option<Color>]) -> Vec<Color> {
    let stops: Vec<Color> = stops.iter().copied().flatten().collect();
    let fine: Option<Vec<[f64; 3]>> = stops.iter().map(|colour| parts(*colour)).collect();
    let Some(fine) = fine else { return stops };
    let mixed = |pair: &[[f64; 3]], step: usize| {
        let share = step as f64 / STEPS as f64;
        let [from, to] = [pair.first(), pair.last()].map(|stop| stop.copied().unwrap_or_default());
        let part = |at: usize| {
            let (from, to) = (from.get(at).copied().unwrap_or(0.0), to.get(at).copied().unwrap_or(0.0));
            (from + (to - from) * share).round() as u8
        };
        Color::Rgb(part(0), part(1), part(2))
    };
    let between = fine.windows(2).flat_map(|pair| (0..STEPS).map(move |step| mixed(pair, step)));
    between.chain(stops.last().copied()).collect()
}

fn parts(colour: Color) -> Option<[f64; 3]> {
    match colour {
        Color::Rgb(red, green, blue) => Some([red, green, blue].map(f64::from)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ramp_goes_through_its_stops() {
        let stops = [Color::Rgb(0, 0, 0), Color::Rgb(160, 0, 0), Color::Rgb(160, 80, 0)];
        let ramp = between(&stops.map(Some));
        assert_eq!(ramp.len(), 2 * STEPS + 1);
        assert_eq!([ramp[0], ramp[STEPS], ramp[2 * STEPS]], stops);
        assert_eq!(ramp[STEPS / 2], Color::Rgb(80, 0, 0));
        assert_eq!(between(&[Some(Color::Blue), Some(Color::Red)]), [Color::Blue, Color::Red]);
        assert_eq!(between(&[None, None]), []);
    }
}

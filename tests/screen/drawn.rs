//! Screens as values: a state drawn into a buffer, and the buffer as text or as a picture.

use rankscope::controller::State;
use rankscope::ui::{app::App, draw, theme::Theme};
use ratatui::{
    Terminal,
    backend::TestBackend,
    buffer::Buffer,
    layout::Rect,
    style::{Color, Modifier, Style},
};

/// The screen of a state.
pub fn screen(app: &App, state: &State, theme: &Theme) -> Buffer {
    let area = app.view.area;
    let mut terminal = Terminal::new(TestBackend::new(area.width, area.height)).unwrap();
    terminal.draw(|frame| draw(frame, area, state, &app.view, theme)).unwrap();
    terminal.backend().buffer().clone()
}

/// The contents of a terminal.
pub fn shown(screen: &vt100::Screen) -> Buffer {
    let (rows, columns) = screen.size();
    let mut buffer = Buffer::empty(Rect::new(0, 0, columns.get(), rows.get()));
    let colour = |colour| match colour {
        vt100::Color::Default => Color::Reset,
        vt100::Color::Idx(number) => Color::Indexed(number),
        vt100::Color::Rgb(red, green, blue) => Color::Rgb(red, green, blue),
    };
    for (row, column) in (0..rows.get()).flat_map(|row| (0..columns.get()).map(move |column| (row, column))) {
        let Some(cell) = screen.cell(row, column) else { continue };
        let mut style = Style::new().fg(colour(cell.fgcolor())).bg(colour(cell.bgcolor()));
        for (is_set, modifier) in [
            (cell.bold(), Modifier::BOLD),
            (cell.dim(), Modifier::DIM),
            (cell.italic(), Modifier::ITALIC),
            (cell.underline(), Modifier::UNDERLINED),
            (cell.inverse(), Modifier::REVERSED),
        ] {
            if is_set {
                style = style.add_modifier(modifier);
            }
        }
        let symbol = if cell.has_contents() { cell.contents() } else { " " };
        buffer[(column, row)].set_symbol(symbol).set_style(style);
    }
    buffer
}

/// The characters of a buffer.
pub fn text(buffer: &Buffer) -> String {
    let mut text = String::new();
    for row in 0..buffer.area.height {
        let line: String = (0..buffer.area.width).map(|column| buffer[(column, row)].symbol()).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The characters of a buffer with their styles: a line for each run that has one of its own.
pub fn styled(buffer: &Buffer) -> String {
    let mut text = String::new();
    let plain = buffer[(0, 0)].style();
    for row in 0..buffer.area.height {
        let mut column = 0;
        while column < buffer.area.width {
            let style = buffer[(column, row)].style();
            let start = column;
            let mut words = String::new();
            while column < buffer.area.width && buffer[(column, row)].style() == style {
                words.push_str(buffer[(column, row)].symbol());
                column += 1;
            }
            let bare = words.trim_end();
            if bare.is_empty() && style.bg == plain.bg && !style.add_modifier.contains(Modifier::REVERSED) {
                continue;
            }
            let named =
                |colour: Option<Color>| colour.filter(|c| *c != Color::Reset).map_or("-".into(), |c| c.to_string());
            text.push_str(&format!(
                "{row:>2}:{start:<3} {} {} {:?} |{words}|\n",
                named(style.fg),
                named(style.bg),
                style.add_modifier
            ));
        }
    }
    text
}

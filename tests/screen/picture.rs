//! A buffer as an SVG picture: sharp at any size, and a diff shows what changed.

use rankscope::ui::theme::{Role, Theme};
use ratatui::{
    buffer::{Buffer, Cell},
    style::{Color, Modifier},
};
use std::fmt::Write as _;

const CELL: (f64, f64) = (8.4, 18.0);
const MARGIN: f64 = 16.0;
const BAR: f64 = 30.0;

fn hex(colour: Color) -> Option<String> {
    match colour {
        Color::Rgb(r, g, b) => Some(format!("#{r:02x}{g:02x}{b:02x}")),
        _ => None,
    }
}

fn mix(a: Color, b: Color) -> Color {
    match (a, b) {
        (Color::Rgb(r, g, bl), Color::Rgb(x, y, z)) => {
            let half = |p: u8, q: u8| ((u16::from(p) * 11 + u16::from(q) * 9) / 20) as u8;
            Color::Rgb(half(r, x), half(g, y), half(bl, z))
        }
        _ => a,
    }
}

fn colours(cell: &Cell, theme: &Theme) -> (Color, Color) {
    let text = theme.style(Role::Text);
    let or = |colour: Color, other: Option<Color>| {
        if colour == Color::Reset { other.unwrap_or(Color::Reset) } else { colour }
    };
    let (mut fg, mut bg) = (or(cell.fg, text.fg), or(cell.bg, text.bg));
    if cell.modifier.contains(Modifier::REVERSED) {
        std::mem::swap(&mut fg, &mut bg);
    }
    if cell.modifier.contains(Modifier::DIM) {
        fg = mix(fg, bg);
    }
    (fg, bg)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The picture of a screen in a window with a title.
pub fn svg(buffer: &Buffer, theme: &Theme, title: &str) -> String {
    let (columns, rows) = (buffer.area.width, buffer.area.height);
    let width = f64::from(columns) * CELL.0 + 2.0 * MARGIN;
    let height = f64::from(rows) * CELL.1 + MARGIN + BAR;
    let ground = hex(theme.style(Role::Text).bg.unwrap_or(Color::Reset)).unwrap_or_default();
    let raised = hex(theme.style(Role::Popup).bg.unwrap_or(Color::Reset)).unwrap_or_default();
    let faint = hex(theme.style(Role::Dim).fg.unwrap_or(Color::Reset)).unwrap_or_default();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\n\
         <style>text{{font-family:'DejaVu Sans Mono','JetBrains Mono',Menlo,Consolas,monospace;font-size:14px;white-space:pre}}</style>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{ground}\"/>\n\
         <path d=\"M0 {BAR}V8a8 8 0 0 1 8-8H{:.0}a8 8 0 0 1 8 8V{BAR}z\" fill=\"{raised}\"/>\n\
         <text x=\"{:.0}\" y=\"20\" text-anchor=\"middle\" fill=\"{faint}\">{}</text>\n",
        width - 8.0,
        width / 2.0,
        escape(title)
    );
    let top = BAR + 4.0;
    for row in 0..rows {
        let y = top + f64::from(row) * CELL.1;
        let mut column = 0;
        while column < columns {
            let cell = &buffer[(column, row)];
            let (fg, bg) = colours(cell, theme);
            let modifier = cell.modifier - Modifier::DIM;
            let start = column;
            let mut words = String::new();
            while column < columns {
                let next = &buffer[(column, row)];
                if (colours(next, theme), next.modifier - Modifier::DIM) != ((fg, bg), modifier) {
                    break;
                }
                words.push_str(next.symbol());
                column += 1;
            }
            let x = MARGIN + f64::from(start) * CELL.0;
            let run = f64::from(column - start) * CELL.0;
            if let Some(bg) = hex(bg).filter(|bg| *bg != ground) {
                let _ = writeln!(
                    svg,
                    "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{run:.1}\" height=\"{}\" fill=\"{bg}\"/>",
                    CELL.1
                );
            }
            lines(&mut svg, &mut words, x, y, &hex(fg).unwrap_or_default());
            if words.trim().is_empty() && !modifier.contains(Modifier::UNDERLINED) {
                continue;
            }
            let mut style = String::new();
            for (flag, attribute) in [
                (Modifier::BOLD, " font-weight=\"bold\""),
                (Modifier::ITALIC, " font-style=\"italic\""),
                (Modifier::UNDERLINED, " text-decoration=\"underline\""),
            ] {
                if modifier.contains(flag) {
                    style.push_str(attribute);
                }
            }
            // The length keeps the columns aligned with any font.
            let shown = words.trim_end();
            let length = unicode_columns(shown) * CELL.0;
            let fill = hex(fg).unwrap_or_default();
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{:.1}\" textLength=\"{length:.1}\" xml:space=\"preserve\" fill=\"{fill}\"{style}>{}</text>",
                y + 13.5,
                escape(shown)
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Draws box characters as lines, so that they meet with any font, and removes them from the text.
fn lines(svg: &mut String, words: &mut String, x: f64, y: f64, colour: &str) {
    let (middle_x, middle_y) = (CELL.0 / 2.0, CELL.1 / 2.0);
    let mut path = String::new();
    let mut rest = String::new();
    for (i, c) in words.chars().enumerate() {
        let left = x + i as f64 * CELL.0;
        if c == '▀' {
            // Pixels meet with any font; those of one run are one rectangle.
            rest.push(' ');
            if i == 0 || words.chars().nth(i - 1).is_none_or(|before| before != '▀') {
                let run = words.chars().skip(i).take_while(|next| *next == '▀').count() as f64 * CELL.0;
                let half = CELL.1 / 2.0;
                let _ = writeln!(
                    svg,
                    "<rect x=\"{left:.1}\" y=\"{y:.1}\" width=\"{run:.1}\" height=\"{half}\" fill=\"{colour}\"/>"
                );
            }
            continue;
        }
        let (up, down, west, east) = match c {
            '─' => (false, false, true, true),
            '│' => (true, true, false, false),
            '┬' => (false, true, true, true),
            '┴' => (true, false, true, true),
            '├' => (true, true, false, true),
            '└' => (true, false, false, true),
            '╭' => (false, true, false, true),
            '╮' => (false, true, true, false),
            '╰' => (true, false, false, true),
            '╯' => (true, false, true, false),
            _ => {
                rest.push(c);
                continue;
            }
        };
        rest.push(' ');
        let (cx, cy) = (left + middle_x, y + middle_y);
        for (there, to_x, to_y) in [(up, cx, y), (down, cx, y + CELL.1), (west, left, cy), (east, left + CELL.0, cy)] {
            if there {
                let _ = write!(path, "M{cx:.1} {cy:.1}L{to_x:.1} {to_y:.1}");
            }
        }
    }
    if !path.is_empty() {
        let _ = writeln!(svg, "<path d=\"{path}\" stroke=\"{colour}\" stroke-width=\"1.2\" fill=\"none\"/>");
    }
    *words = rest;
}

fn unicode_columns(text: &str) -> f64 {
    text.chars().count() as f64
}

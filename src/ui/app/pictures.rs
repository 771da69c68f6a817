//! Pictures in the pixels of the terminal.

use super::App;
use crate::Graphics;
use crate::action::ViewId;
use crate::screen::layout_of;
use crate::theme::Theme;
use crate::views::array;
use controller::State;

impl App {
    /// True if a picture is to be drawn and the terminal has not been asked how.
    pub fn asks_for_graphics(&self, state: &State) -> bool {
        let array = &self.view.array;
        array.pixels.graphics == Graphics::Unasked
            && array.picture
            && layout_of(self.view.area, state, &self.view).pane(ViewId::Array).is_some()
    }

    /// Encodes the picture on the screen if it has changed; returns what the terminal has to get before the next frame.
    pub fn prepare_picture(&mut self, state: &State, theme: &Theme) -> String {
        let mut pixels = std::mem::take(&mut self.view.array.pixels);
        self.view.array.pixels.graphics = pixels.graphics;
        let body = layout_of(self.view.area, state, &self.view).pane(ViewId::Array).map(|pane| pane.body);
        let out = array::prepare(&mut pixels, body, state, &self.view, theme);
        self.view.array.pixels = pixels;
        out
    }

    /// Sends the picture anew: the terminal no longer has it.
    pub fn forget_picture(&mut self) {
        self.view.array.pixels.forget();
    }

    /// The terminal has another size, and perhaps another font: it is asked again before the next picture.
    pub fn doubt_graphics(&mut self) {
        let pixels = &mut self.view.array.pixels;
        if pixels.graphics.cell().is_some() {
            pixels.graphics = Graphics::Unasked;
        }
    }
}

impl Theme {
    /// True if pictures in its colours can be drawn in pixels.
    pub fn has_known_colours(&self) -> bool {
        array::graphics::Palette::of(self).is_some()
    }
}

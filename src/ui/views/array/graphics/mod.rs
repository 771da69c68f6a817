//! Pictures in the pixels of the terminal: sixel, or the graphics protocol of kitty.

pub(crate) mod kind;
pub(crate) mod kitty;
mod png;
pub(crate) mod prepared;
mod raster;
mod sixel;

pub(crate) use raster::Palette;

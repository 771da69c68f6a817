//! Frames: selecting them, and reading the arguments of those that are shown.

pub(in crate::core) mod arguments;
mod selection;

pub(in crate::core) use selection::{
    ask_for_address, ask_for_function, choose_function, frame_chosen, is_named, move_frames, move_stopped,
};

//! Layer controller.

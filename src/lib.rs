//! rankscope: every rank of a parallel program on one screen.
//!
//! The layers, each naming only those to its left (`tests/docs/layers.rs` keeps this); each is a crate:
//!
//! ```text
//! model  <-  protocol  <-  tree  <-  app  <-  bin
//! model  <-  debuginfo  <-  expr  <-  engine  <-  tree
//! model, protocol  <-  controller  <-  ui  <-  app
//! ```

pub use app;
pub use controller;
pub use debuginfo;
pub use engine;
pub use expr;
pub use model;
pub use protocol;
pub use tree;
pub use ui;

//! rankscope: every rank of a parallel program on one screen.
//!
//! The layers, each naming only those to its left (`tests/layers.rs` keeps this):
//!
//! ```text
//! model  <-  protocol  <-  tree        <-  bin/rankscope-sdm
//! model  <-  engine    <-  tree
//! model, protocol      <-  controller  <-  ui  <-  bin/rankscope
//! ```

pub mod controller;
pub mod engine;
pub mod model;
pub mod protocol;
pub mod tree;
pub mod ui;

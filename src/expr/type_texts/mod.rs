//! Types and declarations as text.

mod declarations;
mod type_text;

pub use declarations::{declaration_text, type_declaration_text, type_of_declaration};
pub use type_text::type_text;

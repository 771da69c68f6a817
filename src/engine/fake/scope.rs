//! Names inside a function of a simulated program.

use super::{
    code::{Local, Place},
    ctype::CType,
    data::Memory,
    emit::Scope,
    parse::Names,
    parse::syntax::FunctionText,
};
use std::sync::Arc;

/// Base of function addresses as values: the code has no addresses yet when these are taken.
pub(super) const FUNCTIONS: u64 = 0x40_0000;

/// Names in scope inside a function: its open blocks, then the file.
pub(super) struct Inside<'a> {
    pub(super) open: Vec<usize>,
    pub(super) locals: Vec<Local>,
    pub(super) globals: &'a [(Arc<str>, CType, u64)],
    pub(super) functions: &'a [FunctionText],
    pub(super) memory: &'a mut Memory,
}

impl Scope for Inside<'_> {
    fn variable(&self, name: &str) -> Option<(Place, CType)> {
        let local = self.open.iter().rev().filter_map(|at| self.locals.get(*at)).find(|l| &*l.name == name);
        if let Some(local) = local {
            return Some((local.place, local.ty.clone()));
        }
        let (_, ty, address) = self.globals.iter().find(|(global, ..)| &**global == name)?;
        Some((Place::Fixed(*address), ty.clone()))
    }

    fn function(&self, name: &str) -> Option<(u16, Vec<CType>, CType, u64)> {
        let at = self.functions.iter().position(|f| &*f.name == name)?;
        let f = self.functions.get(at)?;
        let parameters = f.parameters.iter().map(|(_, ty)| ty.clone()).collect();
        // The code has no address yet; the index stands for it, and the machine accepts both in calls.
        Some((at as u16, parameters, f.returns.clone(), FUNCTIONS + at as u64))
    }

    fn text(&mut self, text: &[u8]) -> Option<u64> {
        Some(self.memory.text(text))
    }
}

/// Resolves a structure that was declared after its tag was first used.
pub(super) fn complete(ty: &CType, names: &Names) -> CType {
    match ty {
        CType::Tag(tag) => names.structures.get(tag).map_or_else(|| ty.clone(), |s| CType::Structure(s.clone())),
        other => other.clone(),
    }
}

//! Looks up names and types at a frame, for expressions.

use super::enumerators::local_enumerator;
use super::hosts::of_host;
use super::imports::{imports_around, meanings};
use super::library_release::release_of_library;
use super::namespaces::has_namespace;
use super::overloads::{function_beginning, virtual_slot_of};
use super::parameters::parameters_of;
use super::rust_scopes::implementor_of;
use super::view::FrameView;
use super::whole_types::{class_of, measured_at};
use crate::dwarf::unit_language::UnitLanguage;
use crate::types::base_types::{built_in, built_in_rust};
use crate::types::classes::ClassDetail;
use crate::types::description::{
    Encoding, INDIRECT_CODE, Kind, NamedValue, Place, Type, TypeRef, UNDESCRIBED_CODE, UNDESCRIBED_DATA,
};
use crate::types::parameters::Parameter;
use crate::types::symbols::Symbols;
use crate::types::tags::TypeName;
use crate::unwind::registers::register_named;
use crate::unwind::stack::functions_from;
use model::VirtualAddress;
use std::sync::Arc;

impl Symbols for FrameView<'_> {
    fn type_of(&self, reference: &TypeRef) -> Arc<Type> {
        match reference {
            TypeRef::Void => Arc::new(Type { name: None, size: None, kind: Kind::Void }),
            TypeRef::Made(made) => Arc::clone(made),
            TypeRef::Entry(id) => {
                let Some(loaded) = self.images.by_index(id.image) else {
                    let kind = Kind::Unknown("its file is no longer loaded".into());
                    return Arc::new(Type { name: None, size: None, kind });
                };
                let complete = self.completion_of(loaded, id.entry);
                complete
                    .map_or_else(|| loaded.image.types().at(id.entry), |(loaded, entry)| loaded.image.types().at(entry))
            }
        }
    }

    fn template_arguments(&self, reference: &TypeRef) -> Vec<TypeRef> {
        let found = self.entry_behind(reference);
        found.map_or(Vec::new(), |(loaded, entry)| loaded.image.types().template_arguments(entry))
    }

    fn nested_type(&self, reference: &TypeRef, name: &str) -> Option<TypeRef> {
        let (loaded, entry) = self.entry_behind(reference)?;
        loaded.image.types().nested(entry, name.as_bytes())
    }

    fn is_declared_here(&self, reference: &TypeRef) -> bool {
        let found = self.entry_behind(reference).map(|(loaded, entry)| loaded.image.types().at(entry));
        found.is_some_and(|ty| matches!(ty.kind, Kind::Aggregate { declaration: true, .. }))
    }

    fn has_namespace(&self, name: &str) -> bool {
        self.scope.as_ref().is_some_and(|(_, scope)| has_namespace(scope, name))
    }

    fn measured(&self, array: &TypeRef, at: VirtualAddress) -> Option<(TypeRef, Result<Place, String>)> {
        measured_at(self, array, at)
    }

    fn class(&self, reference: &TypeRef) -> Option<ClassDetail> {
        class_of(self, reference)
    }

    fn unit_language(&self) -> UnitLanguage {
        *self.language.get_or_init(|| match &self.scope {
            Some((_, scope)) => scope.unit().language,
            // Without a unit, use the program's language.
            None => self.main_unit().map_or(UnitLanguage::Other, |unit| unit.language),
        })
    }

    fn variable(&self, name: &str) -> Option<NamedValue> {
        let lower = self.unit_language().ignores_case().then(|| name.to_lowercase());
        let found = lower.filter(|lower| *lower != name).and_then(|lower| named(self, &lower));
        found.or_else(|| named(self, name))
    }

    fn functions(&self, name: &str) -> Vec<NamedValue> {
        self.functions_of(name)
    }

    fn virtual_slot(&self, function: &TypeRef) -> Option<u64> {
        virtual_slot_of(self, function)
    }

    fn parameters(&self, function: &TypeRef) -> Option<Vec<Parameter>> {
        parameters_of(self, function)
    }

    fn type_named(&self, name: &str) -> Option<TypeRef> {
        let name = name.trim();
        if self.unit_language().names_are_paths() {
            let own = || built_in_rust(name);
            return self.declared_type(&TypeName::of_rust(name)).or_else(own);
        }
        let declared = |name: &str| self.declared_type(&TypeName::parse(name));
        let imported = || imported(self, name).iter().find_map(|name| declared(name));
        built_in(name).or_else(|| declared(name)).or_else(imported)
    }

    fn register_named(&self, name: &str) -> Option<u16> {
        register_named(name).map(|row| row.number)
    }

    fn file_at(&self, address: VirtualAddress) -> Option<Arc<str>> {
        self.images.locate(address).map(|(loaded, _)| Arc::clone(&loaded.name))
    }

    fn function(&self) -> Option<Arc<str>> {
        self.scope.as_ref().and_then(|(_, scope)| scope.own_name())
    }

    fn functions_on_stack(&self, most: u32) -> Vec<Option<Arc<str>>> {
        let Some(frame) = self.frame else { return Vec::new() };
        functions_from(self.images, frame, self.thread, most)
    }

    fn symbol_at(&self, address: VirtualAddress) -> Option<(Arc<str>, u64)> {
        let (loaded, address) = self.images.locate(address)?;
        loaded.image.symbol_at(address)
    }

    fn is_static(&self, address: VirtualAddress) -> bool {
        self.images.locate(address).is_some_and(|(loaded, address)| loaded.image.file().section_at(address).is_some())
    }

    fn module(&self) -> Option<String> {
        self.scope.as_ref().and_then(|(_, scope)| scope.module())
    }

    fn implementor(&self, table: VirtualAddress) -> Option<TypeRef> {
        implementor_of(self, table)
    }

    fn library_release(&self) -> u32 {
        *self.library.get_or_init(|| release_of_library(self))
    }
}

/// Returns what a qualified name may stand for in the frame's unit.
fn imported(view: &FrameView<'_>, name: &str) -> Vec<String> {
    let Some((_, scope)) = view.scope.as_ref().filter(|_| name.contains("::") && !name.starts_with("::")) else {
        return Vec::new();
    };
    meanings(view.imports.get_or_init(|| imports_around(scope)), name)
}

fn named(view: &FrameView<'_>, name: &str) -> Option<NamedValue> {
    if let Some((loaded, scope, unit, entry)) = view.local(name) {
        return view.locator(loaded, Some(scope))?.value(unit, &entry);
    }
    if let Some(found) = local_enumerator(view, name).or_else(|| of_host(view, name)) {
        return Some(found);
    }
    if name.ends_with(')') {
        return view.functions_of(name).into_iter().next();
    }
    let declared = || name.rsplit_once("::").and_then(|(scope, name)| view.named_within(scope, name));
    let imported = || imported(view, name).iter().find_map(|name| view.global(name));
    view.global(name).or_else(declared).or_else(imported).or_else(|| undescribed(view, name))
}

/// Looks up a name that only symbol tables have: its place is known, its type only if it is another name of a function
/// that is described, as `malloc` is of `__libc_malloc`.
fn undescribed(view: &FrameView<'_>, name: &str) -> Option<NamedValue> {
    view.files().find_map(|loaded| {
        let symbol = *loaded.image.symbols().named(name).first()?;
        let place = loaded.bias.loaded(symbol.address);
        if let (true, false, Some(found)) = (symbol.is_function, symbol.is_indirect, function_beginning(view, place)) {
            return Some(NamedValue { name: name.into(), ..found });
        }
        let ty = match (symbol.is_function, symbol.is_indirect) {
            (true, false) => undescribed_code(UNDESCRIBED_CODE),
            (true, true) => chosen_code(view, place).unwrap_or_else(|| undescribed_code(INDIRECT_CODE)),
            _ => undescribed_data(),
        };
        Some(NamedValue { name: name.into(), ty: TypeRef::Made(Arc::new(ty)), place: Ok(Place::Memory(place)) })
    })
}

/// Returns the type of the function that a resolver (ifunc) chooses, if the resolver is described: it returns a pointer
/// to such a function.
fn chosen_code(view: &FrameView<'_>, resolver: VirtualAddress) -> Option<Type> {
    let behind = |reference: &TypeRef| {
        let mut ty = view.type_of(reference);
        while let Kind::Typedef(next) | Kind::Qualified(_, next) = &ty.kind {
            ty = view.type_of(&next.clone());
        }
        ty
    };
    let resolver = behind(&function_beginning(view, resolver)?.ty);
    let Kind::Function { returns, .. } = &resolver.kind else { return None };
    let pointer = behind(returns);
    let Kind::Pointer(function) = &pointer.kind else { return None };
    let kind = behind(function).kind.clone();
    matches!(kind, Kind::Function { .. }).then(|| Type { name: Some(INDIRECT_CODE.into()), size: Some(1), kind })
}

fn undescribed_code(name: &str) -> Type {
    let int = Type { name: Some("int".into()), size: Some(4), kind: Kind::Base(Encoding::Signed) };
    Type {
        name: Some(name.into()),
        size: Some(1),
        kind: Kind::Function {
            returns: TypeRef::Made(Arc::new(int)),
            parameters: Vec::new(),
            variadic: false,
            prototyped: true,
        },
    }
}

fn undescribed_data() -> Type {
    Type { name: Some(UNDESCRIBED_DATA.into()), size: None, kind: Kind::Unknown(UNDESCRIBED_DATA.into()) }
}

//! Data of ranks in files.

use super::core_files::size;
use crate::command::DataForm;
use crate::report::json_object::Object;
use crate::report::text_words::of;
use model::{ProcessSet, Rank, VirtualAddress};

/// Data of ranks that is in files now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedData {
    /// The ranks whose data has this shape.
    pub ranks: ProcessSet,
    /// The data, as typed.
    pub text: String,
    /// The file, as typed.
    pub file: String,
    /// The file of each rank, if each has its own.
    pub files: Vec<(Rank, String)>,
    /// The form of the data.
    pub form: DataForm,
    /// True if it was added to the file.
    pub appended: bool,
    /// How many of the files existed before, and were replaced.
    pub replaced: u64,
    /// The bytes of all ranks together, without numpy's beginning.
    pub bytes: u64,
    /// numpy's name of the type of the elements.
    pub element: Option<String>,
    /// The elements along each axis, the first one that of the ranks if several have their arrays in the file.
    pub axes: Vec<u64>,
    /// True if the first subscript changes fastest in the file.
    pub by_columns: bool,
}

/// A file that is in memory now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestoredData {
    /// The ranks.
    pub ranks: ProcessSet,
    /// The file.
    pub file: String,
    /// The bytes that were written.
    pub bytes: u64,
    /// The address of the first one.
    pub address: VirtualAddress,
}

impl SavedData {
    fn has_axis_of_ranks(&self) -> bool {
        self.files.is_empty() && self.ranks.len() > 1
    }

    /// Returns the line of text.
    pub(in crate::report) fn text(&self) -> String {
        let Self { ranks, text, file, .. } = self;
        let mut words = vec![];
        if let Some(element) = &self.element {
            let counts: Vec<String> = self.axes.iter().map(u64::to_string).collect();
            let comma = if counts.len() == 1 { "," } else { "" };
            words.push(format!("{element} ({}{comma})", counts.join(", ")));
            words.extend(self.has_axis_of_ranks().then(|| "the first axis is the rank".to_owned()));
        } else if self.form == DataForm::Csv && self.has_axis_of_ranks() {
            words.push("the first column is the rank".to_owned());
        }
        if self.files.len() > 1 {
            words.push(format!("{} files", self.files.len()));
            words.extend((self.replaced > 0).then(|| format!("{} of them replaced", self.replaced)));
        }
        words.push(size(self.bytes));
        let (verb, file) = match self.files.as_slice() {
            [(_, only)] => (self.verb(), only),
            _ => (self.verb(), file),
        };
        of(ranks, format!("{verb} {file}: {text} ({})", words.join(", ")))
    }

    fn verb(&self) -> &'static str {
        match self.replaced {
            _ if self.appended => "added to",
            1.. if self.files.len() < 2 => "replaced",
            _ => "wrote",
        }
    }

    /// Returns the object of JSON.
    pub(in crate::report) fn json(&self) -> Object {
        let object = Object::of_type("saved").ranks(&self.ranks).with("expression", &self.text);
        let object = object.with("file", &self.file).with("format", self.form.word()).with("bytes", self.bytes);
        let object = object.maybe("appended", self.appended.then_some(true));
        let object = object.maybe("replaced", Some(self.replaced).filter(|count| *count > 0));
        let object = match &self.element {
            Some(element) => {
                let object = object.with("dtype", element).with("shape", &self.axes);
                object.with("fortran_order", self.by_columns)
            }
            None => object,
        };
        let row = |(rank, path): &(Rank, String)| Object::default().with("rank", rank).with("path", path);
        let files = Some(&self.files).filter(|files| !files.is_empty());
        object.maybe("files", files.map(|files| files.iter().map(row).collect::<Vec<_>>()))
    }
}

impl RestoredData {
    /// Returns the line of text.
    pub(in crate::report) fn text(&self) -> String {
        of(&self.ranks, format!("{} of {} restored at {}", size(self.bytes), self.file, self.address))
    }

    /// Returns the object of JSON.
    pub(in crate::report) fn json(&self) -> Object {
        let object = Object::of_type("restored").ranks(&self.ranks).with("file", &self.file);
        object.with("bytes", self.bytes).address(Some(self.address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_the_axes_are() {
        let saved = SavedData {
            ranks: ProcessSet::all(4),
            text: "u".into(),
            file: "u.npy".into(),
            files: Vec::new(),
            form: DataForm::Npy,
            appended: false,
            replaced: 0,
            bytes: 320,
            element: Some("<f8".into()),
            axes: vec![4, 10],
            by_columns: false,
        };
        assert_eq!(saved.text(), "[0-3] wrote u.npy: u (<f8 (4, 10), the first axis is the rank, 320 bytes)");
        assert_eq!(
            saved.json().text(),
            r#"{"type":"saved","ranks":"0-3","expression":"u","file":"u.npy","format":"npy","bytes":320,"dtype":"<f8","shape":[4,10],"fortran_order":false}"#
        );
        let files = vec![(Rank(2), "u.2.bin".to_owned())];
        let one = SavedData {
            bytes: 80,
            ranks: ProcessSet::one(Rank(2)),
            element: None,
            files,
            form: DataForm::Raw,
            ..saved
        };
        assert_eq!(one.text(), "[2] wrote u.2.bin: u (80 bytes)");
        let again = SavedData { replaced: 1, ..one.clone() };
        assert_eq!(again.text(), "[2] replaced u.2.bin: u (80 bytes)");
        assert!(again.json().text().contains(r#""replaced":1"#));
        assert!(one.json().text().ends_with(r#""files":[{"rank":2,"path":"u.2.bin"}]}"#));
    }
}

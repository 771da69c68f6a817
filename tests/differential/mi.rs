//! Parser for gdb's machine interface ("GDB/MI Output Syntax" in its manual).

/// A value of a result record.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Text(String),
    /// `{name=value,…}`, and the whole record.
    Tuple(Vec<(String, Value)>),
    /// `[…]`, without the names of the elements.
    List(Vec<Value>),
}

impl Value {
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Self::Tuple(fields) => fields.iter().find(|(own, _)| own == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text of a field; empty if there is none.
    pub fn text(&self, name: &str) -> &str {
        match self.get(name) {
            Some(Self::Text(text)) => text,
            _ => "",
        }
    }

    /// The elements of a list field.
    pub fn list(&self, name: &str) -> &[Value] {
        match self.get(name) {
            Some(Self::List(values)) => values,
            _ => &[],
        }
    }
}

/// Parses the fields after `^done,` and the like.
pub fn fields(text: &str) -> Value {
    let mut reader = Reader { bytes: text.as_bytes(), at: 0 };
    let mut fields = Vec::new();
    while reader.at < reader.bytes.len() {
        let Some(field) = reader.field() else { break };
        fields.push(field);
        if !reader.eat(b',') {
            break;
        }
    }
    Value::Tuple(fields)
}

/// Unescapes a C string.
pub fn unquoted(text: &str) -> String {
    Reader { bytes: text.as_bytes(), at: 0 }.string()
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn field(&mut self) -> Option<(String, Value)> {
        let start = self.at;
        while self.peek()? != b'=' {
            self.at += 1;
        }
        let name = String::from_utf8_lossy(&self.bytes[start..self.at]).into_owned();
        self.at += 1;
        Some((name, self.value()?))
    }

    fn value(&mut self) -> Option<Value> {
        match self.peek()? {
            b'"' => Some(Value::Text(self.string())),
            b'{' => {
                self.at += 1;
                let mut fields = Vec::new();
                while !self.eat(b'}') {
                    fields.push(self.field()?);
                    self.eat(b',');
                }
                Some(Value::Tuple(fields))
            }
            b'[' => {
                self.at += 1;
                let mut values = Vec::new();
                while !self.eat(b']') {
                    let value =
                        if matches!(self.peek()?, b'"' | b'{' | b'[') { self.value()? } else { self.field()?.1 };
                    values.push(value);
                    self.eat(b',');
                }
                Some(Value::List(values))
            }
            _ => None,
        }
    }

    fn string(&mut self) -> String {
        let mut text = Vec::new();
        self.eat(b'"');
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'"' => break,
                b'\\' => {
                    let escaped = self.peek().unwrap_or(b'\\');
                    self.at += 1;
                    match escaped {
                        b'n' => text.push(b'\n'),
                        b't' => text.push(b'\t'),
                        b'r' => text.push(b'\r'),
                        b'e' => text.push(0x1b),
                        b'0'..=b'7' => {
                            let mut code = u32::from(escaped - b'0');
                            for _ in 0..2 {
                                if let Some(digit @ b'0'..=b'7') = self.peek() {
                                    code = code * 8 + u32::from(digit - b'0');
                                    self.at += 1;
                                }
                            }
                            text.push(code as u8);
                        }
                        other => text.push(other),
                    }
                }
                byte => text.push(byte),
            }
        }
        String::from_utf8_lossy(&text).into_owned()
    }
}

#[test]
fn records_are_read() {
    let record = fields(r#"stack=[frame={level="0",func="f(int)"},frame={level="1",line="7"}],n="a\"b\\\303\251""#);
    let frames = record.list("stack");
    assert_eq!(frames.len(), 2);
    assert_eq!(frames[0].text("func"), "f(int)");
    assert_eq!(frames[1].text("line"), "7");
    assert_eq!(record.text("n"), "a\"b\\é");
    assert_eq!(unquoted(r#""$1 = 5\n""#), "$1 = 5\n");
}

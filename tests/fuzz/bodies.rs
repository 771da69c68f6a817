//! Handling of untrusted input. Whatever it is, there is an answer: no panic and no unlimited memory. cargo-fuzz calls
//! these, and so does the ordinary suite with stored inputs.

#[path = "anything.rs"]
pub mod anything;

use anything::Anything;
use bytes::BytesMut;
use rankscope::debuginfo::{FrameView, LoadedImage, LoadedImages, Registers, StackFrame, SymbolStore, stack};
use rankscope::expr::EvalContext;
use rankscope::expr::Expression;
use rankscope::expr::type_text;
use rankscope::model::aif::{FormatLetter, FormatOptions, format};
use rankscope::model::{Datum, FileAddress, LoadBias, LocationSpec, TypeDetail};
use rankscope::protocol::ptp::{BaseCommand, BaseEvent, Era};
use rankscope::protocol::reverse::{ConnectRequest, ConnectResponse};
use rankscope::protocol::{Hello, Message, Packet, PacketCodec, Reply, Request, TreeDown, TreeUp};
use tokio_util::codec::Decoder;

fn evaluate(text: &str, view: &FrameView<'_>) {
    let context = &EvalContext::new(view, view);
    let Ok(expression) = Expression::parse(text) else { return };
    let _ = expression.check(context);
    for detail in [TypeDetail::Members, TypeDetail::Layout { hexadecimal: true }] {
        let _ = type_text(&expression, detail, context);
    }
    let _ = expression.condition(context);
    if let Ok(datum) = expression.evaluate(context).and_then(|value| value.to_datum(context)) {
        let _ = format(&datum, &FormatOptions::default());
    }
}

/// An executable or library, with all queries about one.
pub fn elf(data: &[u8]) {
    let Ok(image) = SymbolStore::new().open_bytes("input", data.to_vec()) else { return };
    image.prepare();
    image.resolve(&LocationSpec::Function("main".to_owned()));
    image.resolve(&LocationSpec::FileLine { file: "values.c".to_owned(), line: 30 });
    image.contents().function_names("", 100);
    let loaded = LoadedImage::new(image.clone(), LoadBias(0), "input".into(), None);
    let images = LoadedImages::new(vec![loaded]);
    let globals = FrameView::new(&images, None, &Anything);
    for name in ["table", "main", "sizeof (struct cell)", "*(struct cell *) 4096"] {
        evaluate(name, &globals);
    }
    let text =
        image.file().sections().iter().find(|section| section.name == ".text").map(|text| text.addresses.clone());
    let Some(text) = text else { return };
    for address in (text.start.0..text.end.0.min(text.start.0.saturating_add(1 << 14))).step_by(61) {
        image.warm_at(FileAddress(address));
        image.stepping_ranges(FileAddress(address));
        image.symbol_at(FileAddress(address));
        image.after_prologue(FileAddress(address));
        let mut registers = Registers::new();
        for number in 0..16 {
            registers.set(number, 0x7fff_0000 + u64::from(number) * 8);
        }
        registers.set(16, address);
        let frames: Vec<StackFrame> = stack(&images, &registers, &Anything, 0, Some(4)).frames;
        if let Some(frame) = frames.first() {
            let view = FrameView::new(&images, Some(frame), &Anything);
            for variable in view.locals() {
                evaluate(&variable.name, &view);
            }
        }
    }
}

/// An expression without any known names.
pub fn expression(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let images = LoadedImages::new(Vec::new());
    evaluate(&text, &FrameView::new(&images, None, &Anything));
}

/// As [`expression`], with the names of a program.
pub fn expression_in(data: &[u8], images: &LoadedImages) {
    evaluate(&String::from_utf8_lossy(data), &FrameView::new(images, None, &Anything));
}

/// A value: its type up to the first line break, then its bytes.
pub fn aif(data: &[u8]) {
    let end = data.iter().position(|byte| *byte == b'\n').unwrap_or(data.len());
    let descriptor = String::from_utf8_lossy(&data[..end]).into_owned();
    let datum = Datum { descriptor, data: data.get(end + 1..).unwrap_or_default().to_vec(), type_name: "t".to_owned() };
    let letters = [None, Some(FormatLetter::Hexadecimal), Some(FormatLetter::String), Some(FormatLetter::Float)];
    for letter in letters {
        let _ = format(&datum, &FormatOptions { letter, ..FormatOptions::default() });
    }
    datum.number();
}

fn again<M: Message + PartialEq + std::fmt::Debug>(packet: &Packet) {
    if let Ok(message) = M::from_packet(packet) {
        assert_eq!(M::from_packet(&message.to_packet()).ok(), Some(message));
    }
}

/// A message from a socket, or a file with a reverse connection request.
pub fn wire(data: &[u8]) {
    let mut source = BytesMut::from(data);
    while let Ok(Some(packet)) = PacketCodec::default().decode(&mut source) {
        let mut written = BytesMut::new();
        packet.write(&mut written).expect("what was read can be written");
        let _ = BaseCommand::parse(&packet);
        for era in [Era::Two, Era::Four] {
            let _ = BaseEvent::parse(&packet, era);
        }
        let _ = Hello::from_packet(&packet);
        again::<Request>(&packet);
        again::<Reply>(&packet);
        again::<TreeDown>(&packet);
        again::<TreeUp>(&packet);
    }
    let _ = ConnectRequest::parse(data);
    let _ = ConnectResponse::parse(data);
}

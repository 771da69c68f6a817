//! The `printf` of simulated programs (C11, 7.21.6.1), as far as the test programs use it.

/// Formats arguments; `text` reads a string of the program.
pub(super) fn formatted(format: &[u8], arguments: &[u64], text: impl Fn(u64) -> Option<Vec<u8>>) -> Vec<u8> {
    let mut out = Vec::with_capacity(format.len() + 16);
    let mut arguments = arguments.iter().copied();
    let mut input = format.iter().copied().peekable();
    while let Some(byte) = input.next() {
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let (mut left, mut zeros, mut long) = (false, false, false);
        while let Some(flag) = input.next_if(|b| b"-0+ #".contains(b)) {
            left |= flag == b'-';
            zeros |= flag == b'0';
        }
        let mut number = || {
            let mut value = None;
            while let Some(digit) = input.next_if(u8::is_ascii_digit) {
                value = Some(value.unwrap_or(0usize) * 10 + usize::from(digit - b'0')).map(|n| n.min(500));
            }
            value
        };
        let width = number().unwrap_or(0);
        let precision = if input.next_if_eq(&b'.').is_some() {
            let mut value = 0;
            while let Some(digit) = input.next_if(u8::is_ascii_digit) {
                value = (value * 10 + usize::from(digit - b'0')).min(500);
            }
            Some(value)
        } else {
            None
        };
        while let Some(size) = input.next_if(|b| b"lzh".contains(b)) {
            long |= size != b'h';
        }
        let Some(kind) = input.next() else { break };
        if kind == b'%' {
            out.push(b'%');
            continue;
        }
        let value = arguments.next().unwrap_or(0);
        let float = f64::from_bits(value);
        let unsigned = if long { value } else { u64::from(value as u32) };
        let body = match kind {
            b'd' | b'i' => (value as i64).to_string().into_bytes(),
            b'u' => unsigned.to_string().into_bytes(),
            b'x' => format!("{unsigned:x}").into_bytes(),
            b'p' => format!("{value:#x}").into_bytes(),
            b'c' => vec![value as u8],
            b's' => {
                let mut bytes = text(value).unwrap_or_else(|| b"(null)".to_vec());
                bytes.truncate(precision.unwrap_or(usize::MAX));
                bytes
            }
            b'f' => format!("{float:.*}", precision.unwrap_or(6)).into_bytes(),
            b'e' => scientific(float, precision.unwrap_or(6)).into_bytes(),
            b'g' => general(float, precision.unwrap_or(6).max(1)).into_bytes(),
            other => vec![b'%', other],
        };
        let fill = width.saturating_sub(body.len());
        let pad = if zeros && !left { b'0' } else { b' ' };
        if !left {
            out.extend(std::iter::repeat_n(pad, fill));
        }
        out.extend(&body);
        if left {
            out.extend(std::iter::repeat_n(b' ', fill));
        }
    }
    out
}

fn scientific(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) => {
            let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |e| ('-', e));
            format!("{mantissa}e{sign}{exponent:0>2}")
        }
        None => text,
    }
}

/// Formats a number for `%g`: the shorter of the two notations, without trailing zeros.
fn general(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".to_owned() } else { value.to_string().to_lowercase() };
    }
    let spelled = format!("{value:.*e}", digits - 1);
    let exponent: i32 = spelled.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    if exponent < -4 || exponent >= digits as i32 {
        let text = scientific(value, digits - 1);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "+00"));
        return format!("{}e{exponent}", without_zeros(mantissa));
    }
    without_zeros(&format!("{value:.*}", (digits as i32 - 1 - exponent).max(0) as usize)).to_owned()
}

fn without_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(format: &str, arguments: &[u64]) -> String {
        let text = formatted(format.as_bytes(), arguments, |address| (address == 1).then(|| b"cell".to_vec()));
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn formats_as_c_does() {
        assert_eq!(text("%d|%5d|%-5d|%05d", &[1, 2, 3, 4]), "1|    2|3    |00004");
        assert_eq!(text("%d %u %lu %x", &[u64::MAX, u64::MAX, u64::MAX, 255]), "-1 4294967295 18446744073709551615 ff");
        assert_eq!(text("%s %.2s %c%%", &[1, 1, 113]), "cell ce q%");
        let f = |x: f64| x.to_bits();
        assert_eq!(text("%f %.2f %8.3f", &[f(0.5), f(1.0 / 3.0), f(2.0)]), "0.500000 0.33    2.000");
        assert_eq!(text("%g %g %g %g", &[f(0.5), f(1e10), f(100_000.0), f(0.0)]), "0.5 1e+10 100000 0");
        assert_eq!(text("%e %g", &[f(12345.678), f(1e-5)]), "1.234568e+04 1e-05");
    }
}

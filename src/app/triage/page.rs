//! The report as one HTML file with its data, style and script inside.

const PAGE: &str = include_str!("page/report.html");
const STYLE: &str = include_str!("page/report.css");
const SCRIPT: &str = include_str!("page/report.js");

/// Builds the page of a report. The script reads the data, and shows everything in it as text.
pub(super) fn page(data: &str) -> String {
    let parts = [("<!-- style -->", STYLE), ("<!-- data -->", &in_element(data)), ("<!-- script -->", SCRIPT)];
    let mut text = String::with_capacity(PAGE.len() + STYLE.len() + SCRIPT.len() + data.len());
    let mut rest = PAGE;
    // The parts themselves are not searched: the data may contain anything.
    for (mark, part) in parts {
        let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
        text.push_str(before);
        text.push_str(part);
        rest = after;
    }
    text + rest
}

/// Makes JSON safe inside a script element: nothing in it ends the element or begins a comment.
fn in_element(data: &str) -> String {
    data.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn data_cannot_end_its_element() {
        let hostile =
            json!({"function": "</script><script>alert(1)</script><!-- data -->", "b": "<!-- script -->&amp;"});
        let page = page(&hostile.to_string());
        assert!(!page.contains("alert(1)</script>"));
        let (_, rest) = page.split_once("type=\"application/json\">").unwrap();
        let (data, _) = rest.split_once("</script>").unwrap();
        assert_eq!(serde_json::from_str::<Value>(data).unwrap(), hostile);
        assert_eq!(page.matches("<script").count(), 2);
    }

    #[test]
    fn the_page_asks_for_nothing_from_elsewhere() {
        let page = page("{}");
        for word in ["http:", "https:", "src=", "@import", "url("] {
            assert!(!page.contains(word), "{word}");
        }
        assert!(page.contains("default-src 'none'"));
    }
}

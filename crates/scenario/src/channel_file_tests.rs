use super::*;

fn millis(switches: &[Instant]) -> Vec<u64> {
    switches.iter().map(|switch| switch.as_millis()).collect()
}

fn read(parse: Parser, text: &str) -> Result<Vec<u64>, Vec<String>> {
    let mut report = Report::default();
    let number = report.add_text("trace.dat", text);
    let switches = parse(number, "trace", text, &mut report);
    if report.is_clean() {
        return Ok(millis(&switches));
    }
    let error = report.into_error();
    let brief = |it: &crate::Diagnostic| {
        let at = it.position.unwrap();
        format!("{}:{} {}", at.line, at.column, it.message)
    };
    Err(error.diagnostics().iter().map(brief).collect())
}

#[test]
fn a_trace_lists_changes() {
    assert_eq!(read(trace, ""), Ok(vec![]));
    assert_eq!(read(trace, "0 1\n"), Ok(vec![]));
    assert_eq!(read(trace, "# c\n0 1\n5\t0 # BAD\r\n\n7.25  1"), Ok(vec![5, 7]));
    assert_eq!(read(trace, "0 0\n5 1"), Ok(vec![0, 5]), "BAD from the start");
    assert_eq!(read(trace, "5 0\n5 1\n9 0"), Ok(vec![5, 5, 9]), "a stay cut to nothing");
}

#[test]
fn every_wrong_line_of_a_trace_is_told() {
    let text = "5 1\n6 0\n4 1\n7 2\n8\n9 1 2\nx 1\n  10 0\n";
    assert_eq!(
        read(trace, text).unwrap_err(),
        [
            "1:3 found 1, which is the state before this line",
            "3:1 found 4, expected no time before the one in front of it",
            "4:3 found `2`, expected 1 (GOOD) or 0 (BAD)",
            "5:1 found one word, expected a time in ms and a state, 1 or 0",
            "6:1 found more than two words, expected a time in ms and a state, 1 or 0",
            "7:1 found `x`, expected a time in milliseconds",
            "8:6 found 0, which is the state before this line",
        ]
    );
}

#[test]
fn bad_periods_are_in_order_and_last() {
    assert_eq!(read(bad_periods, "1 2\n2 3\n5 9"), Ok(vec![1, 2, 2, 3, 5, 9]));
    assert_eq!(
        read(bad_periods, "1 1\n9 5\n3 4\n2 6").unwrap_err(),
        [
            "1:3 the period ends as it begins",
            "2:3 found 5, expected no time before the one in front of it",
            "4:1 found 2, expected no time before the one in front of it",
        ]
    );
}

//! Published figures beside ours.

use std::io::{self, Write};

use netjoule_lab::papers::{
    Figure, Judged, Paper, Reproduction, Role, SharedChannel, Summary, Value, Verdict,
};

use super::{WIDTH, results};

/// Writes a table for each item of `paper` that has several figures and one for
/// each run of items that have a single one, the reasons why figures do not
/// hold, and what it comes to.
pub(crate) fn reproduce(
    out: &mut impl Write,
    paper: &Paper,
    reproduction: &Reproduction,
) -> io::Result<()> {
    writeln!(out, "{}: {}\n", paper.key, paper.title)?;
    let items = reproduction.figures.chunk_by(|a, b| a.item == b.item).collect::<Vec<_>>();
    let single = |item: &[Figure]| item.len() == 1;
    for items in items.chunk_by(|a, b| single(a) && single(b) && a[0].unit == b[0].unit) {
        if let [item] = items {
            several(out, item, reproduction.summary.judged)?;
        } else {
            singles(out, &items.concat(), reproduction.summary.judged)?;
        }
    }
    summary(out, reproduction)
}

/// The table of one item: a line for each case.
fn several(out: &mut impl Write, figures: &[Figure], judged: Judged) -> io::Result<()> {
    let Some(first) = figures.first() else { return Ok(()) };
    let common: Vec<_> = first
        .case
        .iter()
        .filter(|(name, value)| figures.iter().all(|figure| figure.case.get(name) == Some(value)))
        .collect();
    let has_units = figures.iter().any(|figure| figure.unit != first.unit);
    let own = |figure: &Figure| {
        let own = words(figure.case.iter().filter(|parameter| !common.contains(parameter)));
        if has_units { format!("{own}, {}", figure.unit) } else { own }
    };
    let heading = format!("{} ({})", first.item, first.source);
    let heading = if has_units { heading } else { format!("{heading}, {}", first.unit) };
    let common = words(common.iter().copied());
    let heading = if common.is_empty() { heading } else { format!("{heading}: {common}") };
    wrapped(out, 0, &heading)?;
    block(out, figures, (judged, "case"), own)
}

/// The table of several items with one figure each: a line for each item.
fn singles(out: &mut impl Write, figures: &[Figure], judged: Judged) -> io::Result<()> {
    let Some(first) = figures.first() else { return Ok(()) };
    writeln!(out, "single figures, {}", first.unit)?;
    block(out, figures, (judged, "item"), |figure| figure.item.clone())
}

/// A table with a line for each of `figures`, and the reasons below.
fn block(
    out: &mut impl Write,
    figures: &[Figure],
    (judged, what): (Judged, &str),
    label: impl Fn(&Figure) -> String,
) -> io::Result<()> {
    let is_judged = |figure: &Figure| figure.published.is_some() || figure.verdict.is_some();
    let published = figures.iter().any(is_judged);
    let by_interval = judged == Judged::ByPredictionInterval;
    let mut header = vec![what, "mean ± 95 %", if by_interval { "single runs" } else { "error" }];
    if published {
        header.insert(1, "published");
        header.push("verdict");
    } else if !by_interval {
        header.pop();
    }
    let rows = figures.iter().map(|figure| {
        let mut cells = vec![label(figure), mean(figure)];
        if by_interval {
            cells.push(interval(figure.pi95_low, figure.pi95_high));
        } else if published {
            cells.push(error(figure));
        }
        if published {
            let order = figure.order.map(String::from);
            cells.insert(1, figure.published.map(number).or(order).unwrap_or("–".into()));
            cells.push(verdict(figure, judged));
        }
        cells
    });
    let header = header.into_iter().map(String::from).collect();
    writeln!(out, "{}", results(header, rows))?;
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for figure in figures.iter().filter(|figure| needs_reason(figure)) {
        match reasons.iter_mut().find(|(reason, _)| *reason == figure.reason) {
            Some((_, labels)) => labels.push(label(figure)),
            None => reasons.push((&figure.reason, vec![label(figure)])),
        }
    }
    for (reason, labels) in reasons {
        let whose = if labels.len() == figures.len() { "all".into() } else { labels.join(", ") };
        wrapped(out, 2, &format!("{whose}: {reason}"))?;
    }
    writeln!(out)
}

fn needs_reason(figure: &Figure) -> bool {
    figure.verdict.is_some_and(|verdict| verdict != Verdict::Holds)
}

/// Parameters and their values; a name speaks for itself.
fn words<'p>(parameters: impl Iterator<Item = &'p (&'static str, Value)>) -> String {
    let words: Vec<String> = parameters
        .map(|(name, value)| match value {
            Value::Text(text) => (*text).to_owned(),
            Value::Number(value) => format!("{name}={value}"),
            Value::Integer(value) => format!("{name}={value}"),
        })
        .collect();
    words.join(" ")
}

/// Writes `text` in lines of the tables' width, indented, those after the first
/// by two columns more.
fn wrapped(out: &mut impl Write, indent: usize, text: &str) -> io::Result<()> {
    let mut line = " ".repeat(indent);
    for word in text.split(' ') {
        let begun = !line.trim().is_empty();
        if begun && line.chars().count() + 1 + word.chars().count() > usize::from(WIDTH) {
            writeln!(out, "{line}")?;
            line = " ".repeat(indent + 2);
        } else if begun {
            line.push(' ');
        }
        line.push_str(word);
    }
    writeln!(out, "{line}")
}

/// How far our mean is off, if a tolerance decides.
fn error(figure: &Figure) -> String {
    figure.relative_error.map_or("–".into(), |error| format!("{:+.1} %", 100.0 * error))
}

fn verdict(figure: &Figure, judged: Judged) -> String {
    let Some(verdict) = figure.verdict else { return "–".into() };
    let verdict = match verdict {
        Verdict::Holds if judged == Judged::ByTolerance => {
            return if figure.role == Some(Role::Fitted) { "fitted" } else { "predicted" }.into();
        }
        Verdict::Holds => "holds",
        Verdict::Differs => "differs",
        Verdict::NotResolvable => "not resolvable",
        Verdict::Contradictory => "contradictory",
    };
    match figure.role {
        Some(Role::Fitted) => format!("{verdict} *"),
        Some(Role::Predicted) | None => verdict.into(),
    }
}

fn mean(figure: &Figure) -> String {
    let Some(mean) = figure.mean else { return "none".into() };
    match figure.ci95_low.zip(figure.ci95_high) {
        // The interval of a parameter is no scatter of runs.
        Some(_) if figure.n == 1 => {
            format!("{} ({})", number(mean), interval(figure.ci95_low, figure.ci95_high))
        }
        Some((low, high)) if mean.abs() >= MANY => {
            let half = (high - low) / 2e6;
            format!("{:.0} ± {half:.1} MB", mean / 1e6)
        }
        Some((low, high)) => format!("{} ± {}", number(mean), number((high - low) / 2.0)),
        None => number(mean),
    }
}

fn interval(low: Option<f64>, high: Option<f64>) -> String {
    low.zip(high).map_or("–".into(), |(low, high)| format!("{} to {}", number(low), number(high)))
}

/// What is at least as large is a number of bytes.
const MANY: f64 = 1e7;

/// A value with about four digits, or two decimals.
fn number(value: f64) -> String {
    let decimals = match value.abs() {
        size if size >= MANY => return format!("{:.0} MB", value / 1e6),
        size if size >= 1000.0 => 0,
        size if size >= 100.0 => 1,
        _ => 2,
    };
    format!("{value:.decimals$}")
}

fn summary(out: &mut impl Write, reproduction: &Reproduction) -> io::Result<()> {
    let summary = &reproduction.summary;
    let explanation = match summary.judged {
        Judged::ByPredictionInterval => {
            "single runs: 95 of 100 single runs of ours lie there, and a published figure was a \
             single run. *: was in view when parameters were chosen, so its holding proves nothing."
        }
        Judged::ByTolerance => {
            "predicted: ours is within the tolerance that the text's own scatter sets; fitted: so \
             it is, but it was in view when parameters were chosen (*), and that proves nothing."
        }
    };
    wrapped(out, 0, explanation)?;
    wrapped(
        out,
        0,
        &format!(
            "{} published figures ({} of them *), {} runs of each case: {} hold, {} differ, {} \
             not resolvable, {} contradictory.",
            summary.figures,
            summary.fitted,
            summary.runs,
            summary.holds,
            summary.differs,
            summary.not_resolvable,
            summary.contradictory
        ),
    )?;
    if summary.cells > 0 {
        let counted = match summary.judged {
            Judged::ByPredictionInterval => format!(
                "Cells of tables: {} of {} inside (by chance one in twenty is not); the sign \
                 agrees for {} of {} where it is a finding.",
                summary.cells_inside,
                summary.cells,
                summary.cells_sign_agrees,
                summary.cells_signed
            ),
            Judged::ByTolerance => format!(
                "Predictions that nothing in the text contradicts: {} of {} figures within their \
                 tolerance, {} of {} orders as published.",
                summary.cells_inside,
                summary.cells_judged,
                summary.cells_sign_agrees,
                summary.cells_signed
            ),
        };
        wrapped(out, 0, &counted)?;
    }
    if let Some(accepted) = summary.accepted {
        wrapped(out, 0, &acceptance(summary, accepted))?;
    }
    for shared in &summary.shared_channel {
        wrapped(out, 0, &shared_line(shared))?;
    }
    if !summary.left_out.is_empty() {
        wrapped(out, 0, &format!("Not reproduced: {}.", summary.left_out.join(", ")))?;
    }
    Ok(())
}

fn acceptance(summary: &Summary, accepted: bool) -> String {
    let (what, orders) = match summary.judged {
        Judged::ByPredictionInterval => ("cells", "signs"),
        Judged::ByTolerance => ("predictions", "orders"),
    };
    format!(
        "{}: {} of {} {what} inside, {} % expected; {} of {} {orders} agree, {} % expected.",
        if accepted { "Accepted" } else { "Not accepted" },
        summary.cells_inside,
        summary.cells_judged,
        100.0 * summary.acceptance.cells_inside_share,
        summary.cells_sign_agrees,
        summary.cells_signed,
        100.0 * summary.acceptance.signs_agree_share,
    )
}

fn shared_line(shared: &SharedChannel) -> String {
    let verdict = match shared.inside {
        Some(true) => ", inside",
        Some(false) => ", outside",
        None => "",
    };
    format!(
        "As one draw of one channel, {} ({}): {} points off on average; single seeds {}{verdict}.",
        shared.cells,
        shared.count,
        number(shared.deviation_points),
        interval(shared.pi95_low, shared.pi95_high),
    )
}

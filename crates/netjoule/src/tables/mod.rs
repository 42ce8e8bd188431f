//! Results as tables for people, at most 100 columns wide.

mod compare;
mod cost;
mod devices;
mod energy;
mod reproduce;
mod run;
mod transfer;

use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table, TableStyle,
};

pub(crate) use compare::compare;
pub(crate) use cost::cost;
pub(crate) use devices::{device, devices};
pub(crate) use reproduce::reproduce;
pub(crate) use run::run;
pub(crate) use transfer::transfer;

/// Columns of text in a line.
const WIDTH: u16 = 100;

/// Columns of results side by side; more go into another table below.
const COLUMNS: usize = 4;

/// A rule under the header, and nothing else.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─'));

/// Decimals with which energies in joules are shown, of which `most` is the
/// greatest.
fn joule_decimals(most: f64) -> usize {
    match most {
        1_000.0.. => 1,
        10.0.. => 2,
        0.1.. => 4,
        _ => 7,
    }
}

/// A table of text, aligned to the left. The first column, of what is listed, is
/// never folded.
pub(crate) fn listing<const N: usize>(
    header: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let mut table = plain();
    table.set_header(header);
    table.add_rows(rows);
    if let Some(names) = table.column_mut(0) {
        names.set_constraint(ColumnConstraint::ContentWidth);
    }
    table.trim_fmt()
}

/// A table of results: the first column names a quantity, the others hold its
/// values, aligned to the right.
fn results(header: Vec<String>, rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = plain();
    table.set_header(header);
    table.add_rows(rows);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt()
}

/// A table of a fixed width at most, so that output does not depend on the
/// terminal; wider cells are folded.
fn plain() -> Table {
    let mut table = Table::new();
    table.load_style(STYLE).set_content_arrangement(ContentArrangement::Dynamic).set_width(WIDTH);
    table
}

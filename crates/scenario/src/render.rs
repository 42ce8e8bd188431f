//! Diagnostics as text: file, line, column, the line itself and a caret.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::diagnostics::{Diagnostic, Position, Site, Text};

/// Longer lines are not shown: no terminal would help with them.
const LONGEST_LINE: usize = 1_000;

pub(crate) fn plain(texts: &[Text], diagnostics: &[Diagnostic], omitted: usize) -> String {
    all(&Renderer::plain(), texts, diagnostics, omitted)
}

pub(crate) fn coloured(texts: &[Text], diagnostics: &[Diagnostic], omitted: usize) -> String {
    all(&Renderer::styled(), texts, diagnostics, omitted)
}

fn all(renderer: &Renderer, texts: &[Text], diagnostics: &[Diagnostic], omitted: usize) -> String {
    let mut parts: Vec<String> =
        diagnostics.iter().map(|diagnostic| renderer.render(&[group(texts, diagnostic)])).collect();
    if omitted > 0 {
        let title = Level::ERROR.primary_title(format!("{omitted} more errors are not shown"));
        parts.push(renderer.render(&[Group::with_title(title)]));
    }
    parts.join("\n\n")
}

fn group<'a>(texts: &'a [Text], diagnostic: &'a Diagnostic) -> Group<'a> {
    let title = if diagnostic.key.is_empty() {
        diagnostic.message.clone()
    } else {
        format!("{}: {}", diagnostic.key, diagnostic.message)
    };
    let mut group = Group::with_title(Level::ERROR.primary_title(title));
    group = place(group, texts, diagnostic.site, AnnotationKind::Primary, None);
    if let Some((site, label)) = diagnostic.related {
        group = place(group, texts, site, AnnotationKind::Context, Some(label));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help));
    }
    group
}

/// Adds the line of `site` with a mark, or only the file's name when there is
/// no line to show.
fn place<'a>(
    group: Group<'a>,
    texts: &'a [Text],
    site: Site,
    kind: AnnotationKind,
    label: Option<&'a str>,
) -> Group<'a> {
    let Some(Text { name, text }) = texts.get(site.text) else { return group };
    let Some(Position { line, column }) = site.position_in(text) else {
        return group.element(Origin::path(name));
    };
    let range = site.range_in(text);
    let start = text[..range.start].rfind('\n').map_or(0, |newline| newline + 1);
    let length = text[start..].find('\n').unwrap_or(text.len() - start);
    let shown = text[start..start + length].trim_end_matches('\r');
    if shown.len() > LONGEST_LINE {
        return group.element(Origin::path(name).line(line).char_column(column));
    }
    // A site of several lines is marked on its first.
    let mark = (range.start - start).min(shown.len())..(range.end - start).min(shown.len());
    let snippet = Snippet::source(shown).path(name).line_start(line);
    group.element(snippet.annotation(kind.span(mark).label(label)))
}

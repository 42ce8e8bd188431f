//! Components with their attributes, from tokens.
//!
//! After an error the parser goes on at the next line or component, so that
//! one file shows all its errors at once.

use std::collections::BTreeMap;

use super::components::{Attribute, COMPONENTS, Component};
use super::lexer::{Kind, Token, tokens};
use crate::diagnostics::{Report, Site};
use crate::document::Value;
use crate::nearest;

/// A component of a file.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) component: &'static Component,
    /// Its name in the file.
    pub(super) site: Site,
    /// The attributes that are right, by name, in the order of the file.
    attributes: BTreeMap<&'static str, Vec<(Site, Value)>>,
}

/// The attributes of a body; those whose value is wrong have none.
type Attributes = BTreeMap<&'static str, Vec<(Site, Option<Value>)>>;

impl Parsed {
    /// The value of an attribute and its place.
    pub(super) fn get(&self, name: &str) -> Option<(Site, &Value)> {
        self.all(name).next()
    }

    /// Each value of an attribute that may be given more than once.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = (Site, &Value)> {
        let values = self.attributes.get(name).into_iter().flatten();
        values.map(|(site, value)| (*site, value))
    }
}

pub(super) fn parse(number: usize, text: &str, report: &mut Report) -> Vec<Parsed> {
    let end = Site::new(number, &(text.trim_end().len()..text.trim_end().len()));
    let tokens = tokens(text);
    let mut parser = Parser { number, tokens: &tokens, next: 0, end, report };
    let mut components = Vec::new();
    while parser.skip_newlines() {
        components.extend(parser.component());
    }
    components
}

struct Parser<'p> {
    number: usize,
    tokens: &'p [Token<'p>],
    next: usize,
    /// The end of the text.
    end: Site,
    report: &'p mut Report,
}

impl<'p> Parser<'p> {
    fn peek(&self) -> Option<Kind<'p>> {
        self.tokens.get(self.next).map(|token| token.kind)
    }

    /// The place of the next token.
    fn site(&self) -> Site {
        self.tokens.get(self.next).map_or(self.end, |token| Site::new(self.number, &token.range))
    }

    /// Steps over the next token if it is `kind`.
    fn eat(&mut self, kind: Kind<'_>) -> bool {
        let found = self.peek() == Some(kind);
        self.next += usize::from(found);
        found
    }

    /// Whether there is anything after the empty lines.
    fn skip_newlines(&mut self) -> bool {
        while self.eat(Kind::Newline) {}
        self.peek().is_some()
    }

    fn skip_line(&mut self) {
        while !matches!(self.peek(), None | Some(Kind::Newline | Kind::Close)) {
            self.next += 1;
        }
    }

    /// Records what is there in place of what was expected.
    fn expected(&mut self, key: &str, expected: &str) {
        let found = match self.peek() {
            Some(Kind::Word(word)) => format!("`{word}`"),
            Some(Kind::Equals) => "`=`".into(),
            Some(Kind::Open) => "`{`".into(),
            Some(Kind::Close) => "`}`".into(),
            Some(Kind::Semicolon) => "`;`".into(),
            Some(Kind::Newline | Kind::Nothing) => "the end of the line".into(),
            None => "the end of the file".into(),
        };
        let site = self.site();
        self.report.error(site, key, format!("found {found}, expected {expected}"));
    }

    /// A component, unless its name is not known.
    fn component(&mut self) -> Option<Parsed> {
        let site = self.site();
        let Some(Kind::Word(name)) = self.peek() else {
            self.expected("", "the name of a component");
            self.next += 1;
            return None;
        };
        self.next += 1;
        let component = COMPONENTS.iter().find(|component| component.name == name);
        if component.is_none() {
            self.report
                .error(site, name, "there is no such component")
                .help(|| nearest::help(name, COMPONENTS.iter().map(|component| component.name)));
        }
        self.skip_newlines();
        if !self.eat(Kind::Open) {
            self.expected(name, "`{`");
            // Without a body the next component may follow at once.
            return None;
        }
        let attributes = self.body(component, name);
        let component = component?;
        let incomplete = component
            .attributes
            .iter()
            .filter(|attribute| attribute.mandatory && !attributes.contains_key(attribute.name));
        for attribute in incomplete {
            let key = format!("{name}.{}", attribute.name);
            self.report.error(site, key, "is missing");
        }
        let attributes = attributes
            .into_iter()
            .map(|(name, values)| {
                let right = values.into_iter().filter_map(|(site, value)| Some((site, value?)));
                (name, right.collect())
            })
            .collect();
        Some(Parsed { component, site, attributes })
    }

    /// The attributes up to the closing brace.
    fn body(&mut self, component: Option<&'static Component>, name: &str) -> Attributes {
        let mut attributes = Attributes::new();
        loop {
            if !self.skip_newlines() {
                self.expected(name, "`}`");
                return attributes;
            }
            if self.eat(Kind::Close) {
                return attributes;
            }
            let start = self.next;
            self.attribute(component, name, &mut attributes);
            self.skip_line();
            // Even a line that starts with something odd must be left.
            self.next += usize::from(self.next == start);
        }
    }

    /// One line of a body, up to where its end should be.
    fn attribute(
        &mut self,
        component: Option<&'static Component>,
        component_name: &str,
        attributes: &mut Attributes,
    ) {
        let name_site = self.site();
        let Some(Kind::Word(name)) = self.peek() else {
            self.expected(component_name, "the name of an attribute or `}`");
            return;
        };
        let key = format!("{component_name}.{name}");
        self.next += 1;
        let known = component.and_then(|component| {
            component.attributes.iter().find(|attribute| attribute.name == name)
        });
        if let (None, Some(component)) = (known, component) {
            let names = component.attributes.iter().map(|attribute| attribute.name);
            self.report
                .error(name_site, &key, "there is no such attribute")
                .help(|| nearest::help(name, names));
        }
        let equals = self.eat(Kind::Equals);
        if !equals {
            self.expected(&key, "`=`");
        }
        let value_site = self.site();
        let text = match self.peek() {
            Some(Kind::Word(text)) if equals => Some(text),
            _ => None,
        };
        if equals && text.is_none() {
            self.expected(&key, "a value");
        }
        if let Some(attribute) = known {
            let value = text.and_then(|text| self.value(attribute, text, value_site, &key));
            let values = attributes.entry(attribute.name).or_default();
            match values.first() {
                Some((first, _)) if !attribute.repeats => {
                    let first = *first;
                    self.report
                        .error(name_site, &key, "is given twice")
                        .related(first, "here first");
                }
                _ => values.push((value_site, value)),
            }
        }
        if text.is_none() {
            return;
        }
        self.next += 1;
        // The examples of goel1997 end some lines with a semicolon.
        self.eat(Kind::Semicolon);
        if !matches!(self.peek(), None | Some(Kind::Newline | Kind::Close)) {
            self.expected(&key, "the end of the line");
        }
    }

    fn value(&mut self, attribute: &Attribute, text: &str, site: Site, key: &str) -> Option<Value> {
        match attribute.unit.read(text) {
            Ok(value) => Some(value),
            Err(expected) => {
                let message = format!("found `{text}`, expected {expected}");
                self.report.error(site, key, message);
                None
            }
        }
    }
}

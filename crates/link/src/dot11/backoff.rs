//! How the contention window follows success and failure.

use serde::{Deserialize, Serialize};

/// The rule by which a station's contention window changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// Doubled after a failure, the least again after a success (section
    /// 9.3.3).
    #[default]
    Exponential,
    /// Half as much again after a failure, one slot less after a success: MILD
    /// of MACAW (Bharghavan et al. 1994), without copying others' windows.
    Mild,
}

/// A station's contention window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    rule: Rule,
    least: u32,
    most: u32,
    cw: u32,
}

impl Window {
    pub(super) const fn new(rule: Rule, [least, most]: [u32; 2]) -> Self {
        Self { rule, least, most, cw: least }
    }

    /// The largest number of slots that may be drawn.
    pub(super) const fn cw(&self) -> u32 {
        self.cw
    }

    /// An attempt has failed, and another follows.
    pub(super) fn on_failure(&mut self) {
        let grown = match self.rule {
            Rule::Exponential => 2 * self.cw + 1,
            Rule::Mild => self.cw + self.cw.div_ceil(2),
        };
        self.cw = grown.min(self.most);
    }

    /// A frame has been acknowledged, or sent to all.
    pub(super) fn on_success(&mut self) {
        self.cw = match self.rule {
            Rule::Exponential => self.least,
            Rule::Mild => (self.cw - 1).max(self.least),
        };
    }

    /// A frame has been given up: what comes next is not to suffer from it.
    pub(super) fn on_giving_up(&mut self) {
        if self.rule == Rule::Exponential {
            self.cw = self.least;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn windows(rule: Rule, failures: usize) -> Vec<u32> {
        let mut window = Window::new(rule, [31, 1_023]);
        let grow = |_| {
            window.on_failure();
            window.cw()
        };
        (0..failures).map(grow).collect()
    }

    #[test]
    fn the_standard_doubles_and_starts_anew() {
        assert_eq!(windows(Rule::Exponential, 6), [63, 127, 255, 511, 1_023, 1_023]);
        let mut window = Window::new(Rule::Exponential, [31, 1_023]);
        window.on_failure();
        window.on_success();
        assert_eq!(window.cw(), 31);
    }

    #[test]
    fn mild_grows_by_half_and_shrinks_by_one() {
        assert_eq!(windows(Rule::Mild, 4), [47, 71, 107, 161]);
        let mut window = Window::new(Rule::Mild, [31, 1_023]);
        window.on_failure();
        window.on_success();
        assert_eq!(window.cw(), 46);
        window.on_giving_up();
        assert_eq!(window.cw(), 46);
    }
}

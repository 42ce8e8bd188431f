//! The recoveries of figures 5.3 and 5.4: one course of events, not a
//! statistic of many.

use netjoule_scenario::{Scenario, Source};
use netjoule_trace::{Event, Observer};
use netjoule_units::{Duration, Instant};
use netjoule_wire::{Body, SeqNumber};

use super::runs::Scheme;
use crate::Error;
use crate::case::{Case, named};

const FILE: &str = "goel1997/two-losses.toml";
const SCENARIO: &str = include_str!("../../../../../papers/goel1997/two-losses.toml");

/// The two segments that the scenario loses, as sequence numbers: 11 and 12 of
/// 1 KB each, counted from 0.
const FIRST_LOST: SeqNumber = SeqNumber::new(11 * 1024);
const AFTER_LOST: SeqNumber = SeqNumber::new(13 * 1024);

/// The source.
const SOURCE: usize = 0;

/// When the first lost segment was sent and when both were acknowledged.
#[derive(Debug, Default)]
struct Stopwatch {
    sent: Option<Instant>,
    acknowledged: Option<Instant>,
}

impl Observer for Stopwatch {
    fn record(&mut self, now: Instant, event: &Event<'_>) {
        match event {
            Event::Sent { node: SOURCE, packet, .. } => {
                if let Body::Tcp(segment) = &packet.body
                    && segment.seq == FIRST_LOST
                {
                    self.sent.get_or_insert(now);
                }
            }
            Event::Received { node: SOURCE, packet } => {
                if let Body::Tcp(segment) = &packet.body
                    && !segment.ack.is_before(AFTER_LOST)
                {
                    self.acknowledged.get_or_insert(now);
                }
            }
            _ => {}
        }
    }
}

/// How long `scheme` takes from sending the first of the two lost segments to
/// the acknowledgment of both; `None` if it never comes to that.
pub(super) fn time(scheme: Scheme) -> Result<Option<Duration>, Error> {
    let scenario = Case::Variant(named(scheme.variant())?).apply(&two_losses()?)?;
    let mut stopwatch = Stopwatch::default();
    netjoule_net::run(&scenario, scenario.run.seed, &mut stopwatch);
    Ok(stopwatch.sent.zip(stopwatch.acknowledged).map(|(sent, acknowledged)| acknowledged - sent))
}

fn two_losses() -> Result<Scenario, Error> {
    netjoule_scenario::parse_toml(&Source::new(FILE, SCENARIO), &[])
        .map_err(|error| Error::PaperFile { file: FILE, reason: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_5_3_and_5_4_to_the_millisecond() {
        let ms = |scheme| time(scheme).unwrap();
        assert_eq!(ms(Scheme::Simple), Some(Duration::from_millis(3_054)));
        assert_eq!(ms(Scheme::Unmodified), Some(Duration::from_millis(1_754)));
        assert_eq!(ms(Scheme::Refined), Some(Duration::from_millis(890)));
    }
}

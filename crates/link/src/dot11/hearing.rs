//! Who hears whom: fixed by where stations stand.
//!
//! Stations out of range do not appear at all, and those in range as bits of a
//! word, so that a transmission can leave out all that have nothing to send.

use netjoule_units::{Distance, PowerLevel};

use super::config::Config;
use super::radio::{self, Radio};

/// What has no bounds ends here.
pub(super) const EVERYWHERE: Distance = Distance::from_millimetres(u64::MAX);

/// Where a station stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// To the right of the corner.
    pub x: Distance,
    /// Above it.
    pub y: Distance,
}

impl Position {
    /// How far it is to `other`, in a straight line.
    #[must_use]
    pub fn distance(&self, other: &Self) -> Distance {
        self.x.abs_diff(other.x).across(self.y.abs_diff(other.y))
    }
}

/// Up to 64 stations with adjacent indices.
#[derive(Clone, Copy, Debug)]
struct Word {
    index: u32,
    /// Those whose medium is busy.
    hear: u64,
    /// Those that can decode what they hear.
    decode: u64,
}

/// What one station's transmissions do to others.
#[derive(Clone, Debug, Default)]
struct Reach {
    /// Sorted by index.
    words: Vec<Word>,
    /// How strongly each of those that hear receives it, in the order of their
    /// indices; only where that matters.
    levels: Vec<(u32, PowerLevel)>,
}

/// Who hears whom.
#[derive(Clone, Debug)]
pub(super) struct Hearing(Vec<Reach>);

/// A set of stations.
#[derive(Clone, Debug)]
pub(super) struct Set {
    words: Vec<u64>,
    /// A bit for each word that is not empty.
    used: Vec<u64>,
}

impl Hearing {
    pub(super) fn new(config: &Config, positions: &[Position]) -> Self {
        let default = config.capture.map(|_| radio::Config::default());
        let radio = config.radio.as_ref().or(default.as_ref()).map(Radio::new);
        let reach = |from: usize| {
            let mut reach = Reach::default();
            for (at, position) in positions.iter().enumerate() {
                let distance = positions[from].distance(position);
                let level = radio.as_ref().map(|radio| radio.received(distance));
                let [decodes, hears] = match (&radio, level) {
                    (Some(radio), Some(level)) if config.radio.is_some() => {
                        [radio.locks(level), radio.senses(level)]
                    }
                    _ => {
                        let range = config.range.unwrap_or(EVERYWHERE);
                        let sense = config.carrier_sense_range.unwrap_or(range);
                        [distance <= range, distance <= sense]
                    }
                };
                if at != from && (hears || decodes) {
                    reach.add(at, decodes, level);
                }
            }
            reach
        };
        Self((0..positions.len()).map(reach).collect())
    }

    /// How many stations there are.
    pub(super) const fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether what `from` sends makes the medium busy at `at`.
    pub(super) fn hears(&self, from: usize, at: usize) -> bool {
        self.0[from].word(at).is_some_and(|word| word.hear & bit(at) != 0)
    }

    /// Whether `at` can decode what `from` sends.
    pub(super) fn decodes(&self, from: usize, at: usize) -> bool {
        self.0[from].word(at).is_some_and(|word| word.decode & bit(at) != 0)
    }

    /// How strongly `at` receives `from`, where levels matter.
    pub(super) fn level(&self, from: usize, at: usize) -> Option<PowerLevel> {
        let levels = &self.0[from].levels;
        let place = levels.binary_search_by_key(&at, |(station, _)| *station as usize).ok()?;
        Some(levels[place].1)
    }

    /// How many words tell who hears `from`; see [`decoded_by`](Self::decoded_by).
    pub(super) fn words(&self, from: usize) -> usize {
        self.0[from].words.len()
    }

    /// Those of `set` who hear `from`, as far as one word tells: the first from
    /// `place` on that has any of `set`. With it comes the next place to ask
    /// for.
    pub(super) fn heard_by(
        &self,
        from: usize,
        place: usize,
        set: &Set,
    ) -> Option<(usize, Stations)> {
        self.reached(from, place, set, |word| word.hear)
    }

    /// Those of `set` who can decode `from`, in the same way.
    pub(super) fn decoded_by_some(
        &self,
        from: usize,
        place: usize,
        set: &Set,
    ) -> Option<(usize, Stations)> {
        self.reached(from, place, set, |word| word.decode)
    }

    fn reached(
        &self,
        from: usize,
        place: usize,
        set: &Set,
        who: impl Fn(&Word) -> u64,
    ) -> Option<(usize, Stations)> {
        let words = &self.0[from].words;
        let mut place = place;
        loop {
            let word = words.get(place)?;
            let index = word.index as usize;
            let next = set.next_word(index)?;
            if next == index {
                let bits = who(word) & set.words[index];
                return Some((place + 1, Stations { first: index * 64, bits }));
            }
            place += words[place..].partition_point(|word| (word.index as usize) < next);
        }
    }

    /// Those who can decode `from`, as far as the word at `place` tells.
    pub(super) fn decoded_by(&self, from: usize, place: usize) -> Stations {
        let word = self.0[from].words[place];
        Stations { first: word.index as usize * 64, bits: word.decode }
    }
}

impl Reach {
    fn add(&mut self, at: usize, decodes: bool, level: Option<PowerLevel>) {
        #[expect(clippy::cast_possible_truncation, reason = "memory ends before")]
        let (index, station) = ((at / 64) as u32, at as u32);
        if self.words.last().is_none_or(|word| word.index != index) {
            self.words.push(Word { index, hear: 0, decode: 0 });
        }
        if let Some(word) = self.words.last_mut() {
            word.hear |= bit(at);
            word.decode |= if decodes { bit(at) } else { 0 };
        }
        self.levels.extend(level.map(|level| (station, level)));
    }

    fn word(&self, at: usize) -> Option<&Word> {
        let place = self.words.binary_search_by_key(&(at / 64), |word| word.index as usize).ok()?;
        Some(&self.words[place])
    }
}

impl Set {
    /// None of `stations`.
    pub(super) fn new(stations: usize) -> Self {
        let words = stations.div_ceil(64);
        Self { words: vec![0; words], used: vec![0; words.div_ceil(64)] }
    }

    pub(super) fn insert(&mut self, station: usize) {
        let word = station / 64;
        self.words[word] |= bit(station);
        self.used[word / 64] |= bit(word);
    }

    pub(super) fn remove(&mut self, station: usize) {
        let word = station / 64;
        self.words[word] &= !bit(station);
        if self.words[word] == 0 {
            self.used[word / 64] &= !bit(word);
        }
    }

    /// The first word from `word` on that is not empty.
    fn next_word(&self, word: usize) -> Option<usize> {
        let first = word / 64;
        let rest = self.used[first] & (u64::MAX << (word % 64));
        let (place, bits) = if rest == 0 {
            let later = self.used.iter().enumerate().skip(first + 1);
            later.map(|(place, bits)| (place, *bits)).find(|(_, bits)| *bits != 0)?
        } else {
            (first, rest)
        };
        Some(place * 64 + bits.trailing_zeros() as usize)
    }
}

const fn bit(station: usize) -> u64 {
    1 << (station % 64)
}

/// Stations of one word, in the order of their indices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stations {
    first: usize,
    bits: u64,
}

impl Iterator for Stations {
    type Item = usize;
    fn next(&mut self) -> Option<usize> {
        let lowest = self.bits.trailing_zeros();
        self.bits &= self.bits.wrapping_sub(1);
        (lowest < 64).then(|| self.first + lowest as usize)
    }
}

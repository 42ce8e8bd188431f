//! What waits at a transmitter: one queue, or a queue per connection served in
//! turn.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

/// The order in which waiting frames are served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Discipline {
    /// A queue per connection, one attempt each in turn: a connection whose
    /// channel is bad does not hold up the others.
    RoundRobin,
    /// One queue: a frame is repeated until it succeeds or is given up.
    Fifo,
}

#[derive(Clone, Debug)]
struct Queue<T> {
    items: VecDeque<T>,
    /// Whether it has no turns: it waits until it is asked for.
    is_held: bool,
}

/// Queues with their turns. A queue stands in the order of turns if it has
/// something to send and is not being served.
#[derive(Clone, Debug)]
pub(crate) struct Queues<T> {
    discipline: Discipline,
    queues: Vec<Queue<T>>,
    /// The key of each queue and its index, sorted by key.
    keys: Vec<(u32, usize)>,
    turns: VecDeque<usize>,
}

impl<T> Queues<T> {
    pub(crate) const fn new(discipline: Discipline) -> Self {
        Self { discipline, queues: Vec::new(), keys: Vec::new(), turns: VecDeque::new() }
    }

    /// Puts `item` of connection `key` at the end of its queue.
    pub(crate) fn push(&mut self, key: u32, item: T) {
        let key = match self.discipline {
            Discipline::RoundRobin => key,
            Discipline::Fifo => 0,
        };
        let index = self.index(key, false);
        self.push_to(index, item);
    }

    /// Puts `item` at the end of the queue of `key`, which has no turns unless
    /// it was [let go](Self::let_go). Returns its index.
    pub(crate) fn keep(&mut self, key: u32, item: T) -> usize {
        let index = self.index(key, true);
        self.push_to(index, item);
        index
    }

    fn push_to(&mut self, index: usize, item: T) {
        let Queue { items, is_held } = &mut self.queues[index];
        items.push_back(item);
        // One that is being served returns to its turn when that ends.
        if items.len() == 1 && !*is_held {
            self.turns.push_back(index);
        }
    }

    /// Whether `queue` has no turns.
    pub(crate) fn is_held(&self, queue: usize) -> bool {
        self.queues[queue].is_held
    }

    /// Takes the turns from the queues of `key` and all above. Returns their
    /// indices.
    pub(crate) fn hold_from(&mut self, key: u32) -> impl Iterator<Item = usize> {
        let place = self.keys.partition_point(|(other, _)| *other < key);
        let held = &self.keys[place..];
        for (_, index) in held {
            self.queues[*index].is_held = true;
        }
        self.turns.retain(|index| !self.queues[*index].is_held);
        held.iter().map(|(_, index)| *index)
    }

    /// Gives turns to `queue`, which had none and is not being served.
    pub(crate) fn let_go(&mut self, queue: usize) {
        let Queue { items, is_held } = &mut self.queues[queue];
        if core::mem::take(is_held) && !items.is_empty() {
            self.turns.push_back(queue);
        }
    }

    /// Whether any queue waits for its turn.
    pub(crate) fn has_turns(&self) -> bool {
        !self.turns.is_empty()
    }

    /// The queue of `key`, if there is one.
    pub(crate) fn find(&self, key: u32) -> Option<usize> {
        let place = self.keys.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        Some(self.keys[place].1)
    }

    /// The queue of `key`, which there is from now on.
    fn index(&mut self, key: u32, is_held: bool) -> usize {
        match self.keys.binary_search_by_key(&key, |(key, _)| *key) {
            Ok(place) => self.keys[place].1,
            Err(place) => {
                self.queues.push(Queue { items: VecDeque::new(), is_held });
                self.keys.insert(place, (key, self.queues.len() - 1));
                self.queues.len() - 1
            }
        }
    }

    /// Takes the queue whose turn it is out of the order of turns. It has
    /// something to send.
    pub(crate) fn take_turn(&mut self) -> Option<usize> {
        self.turns.pop_front()
    }

    /// Ends the turn of `queue`: it comes again after the others, if anything
    /// is left in it.
    pub(crate) fn end_turn(&mut self, queue: usize) {
        let Queue { items, is_held } = &self.queues[queue];
        if !items.is_empty() && !is_held {
            self.turns.push_back(queue);
        }
    }

    /// The items of `queue`, the oldest first. Whoever empties it between turns
    /// must not leave it in their order.
    pub(crate) fn get(&self, queue: usize) -> &VecDeque<T> {
        &self.queues[queue].items
    }

    pub(crate) fn get_mut(&mut self, queue: usize) -> &mut VecDeque<T> {
        &mut self.queues[queue].items
    }

    /// Everything that waits.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.queues.iter().flat_map(|queue| &queue.items)
    }
}

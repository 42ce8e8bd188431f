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
        self.queues[index].items.push_back(item);
        // One that is being served returns to its turn when that ends.
        if self.queues[index].items.len() == 1 {
            self.turns.push_back(index);
        }
    }

    /// Puts `item` at the end of a queue without turns. Returns its index. No
    /// queue with turns has this `key`.
    pub(crate) fn hold(&mut self, key: u32, item: T) -> usize {
        let index = self.index(key, true);
        self.queues[index].items.push_back(item);
        index
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

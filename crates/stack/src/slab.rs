//! Connections by number, with names that are never used twice.

use crate::ConnectionId;

/// Values in numbered places. A place that becomes free is used again, under
/// another generation.
#[derive(Clone, Debug)]
pub(crate) struct Slab<T> {
    places: Vec<Place<T>>,
    free: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Place<T> {
    generation: u32,
    /// Boxed: a connection is large, and stays where it is when places are
    /// added.
    value: Option<Box<T>>,
}

impl<T> Slab<T> {
    pub(crate) const fn new() -> Self {
        Self { places: Vec::new(), free: Vec::new() }
    }

    /// How many values there are.
    pub(crate) const fn len(&self) -> usize {
        self.places.len() - self.free.len()
    }

    /// How many places there are, free ones included.
    pub(crate) const fn places(&self) -> usize {
        self.places.len()
    }

    pub(crate) fn insert(&mut self, value: T) -> ConnectionId {
        let value = Some(Box::new(value));
        if let Some(index) = self.free.pop() {
            let place = &mut self.places[index as usize];
            place.value = value;
            return ConnectionId { index, generation: place.generation };
        }
        let index = u32::try_from(self.places.len()).expect("fewer than 2^32 connections");
        self.places.push(Place { generation: 0, value });
        ConnectionId { index, generation: 0 }
    }

    pub(crate) fn remove(&mut self, id: ConnectionId) -> Option<Box<T>> {
        let place = self.places.get_mut(id.index as usize)?;
        if place.generation != id.generation {
            return None;
        }
        let value = place.value.take()?;
        place.generation = place.generation.wrapping_add(1);
        self.free.push(id.index);
        Some(value)
    }

    pub(crate) fn get(&self, id: ConnectionId) -> Option<&T> {
        let place = self.places.get(id.index as usize)?;
        place.value.as_deref().filter(|_| place.generation == id.generation)
    }

    pub(crate) fn get_mut(&mut self, id: ConnectionId) -> Option<&mut T> {
        let place = self.places.get_mut(id.index as usize)?;
        place.value.as_deref_mut().filter(|_| place.generation == id.generation)
    }

    /// The value in the place `index`, and its name.
    #[inline]
    pub(crate) fn at(&mut self, index: u32) -> Option<(ConnectionId, &mut T)> {
        let place = self.places.get_mut(index as usize)?;
        let id = ConnectionId { index, generation: place.generation };
        place.value.as_deref_mut().map(|value| (id, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_used_again_and_a_name_is_not() {
        let mut slab = Slab::new();
        let (a, b) = (slab.insert('a'), slab.insert('b'));
        assert_eq!(slab.get(a), Some(&'a'));
        assert_eq!(slab.get_mut(b), Some(&mut 'b'));
        assert_eq!(slab.remove(a).as_deref(), Some(&'a'));
        assert_eq!(slab.remove(a), None);
        let c = slab.insert('c');
        assert_eq!(c.index, a.index);
        assert_eq!((slab.get(a), slab.get(c)), (None, Some(&'c')));
        assert_eq!(slab.get_mut(a), None);
        assert_eq!(slab.at(c.index), Some((c, &mut 'c')));
        assert_eq!(slab.at(7), None);
        assert_eq!((slab.len(), slab.places()), (2, 2));
    }
}

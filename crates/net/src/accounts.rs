//! The accounts of every packet: sent = delivered + dropped + in flight.

use netjoule_trace::DropCause;

use crate::outcome::Ledger;
use crate::parcel::{Kind, Parcel};

/// The accounts of one connection.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Account {
    /// By the kind of packet.
    ledgers: [Ledger; Kind::COUNT],
    pub(crate) frames_corrupted: u64,
}

impl Account {
    pub(crate) const fn of(&self, kind: Kind) -> Ledger {
        self.ledgers[kind as usize]
    }
}

/// The accounts of all connections.
#[derive(Clone, Debug)]
pub(crate) struct Accounts(Vec<Account>);

impl Accounts {
    pub(crate) fn new(connections: usize) -> Self {
        Self(vec![Account::default(); connections])
    }

    pub(crate) fn of(&self, connection: usize) -> &Account {
        &self.0[connection]
    }

    pub(crate) fn sent(&mut self, parcel: &Parcel) {
        self.ledger(parcel).sent += 1;
    }

    pub(crate) fn delivered(&mut self, parcel: &Parcel) {
        self.ledger(parcel).delivered += 1;
    }

    pub(crate) fn dropped(&mut self, parcel: &Parcel, cause: DropCause) {
        self.ledger(parcel).dropped[cause as usize] += 1;
    }

    pub(crate) fn in_flight(&mut self, parcel: &Parcel) {
        self.ledger(parcel).in_flight += 1;
    }

    pub(crate) fn corrupted(&mut self, parcel: &Parcel) {
        if parcel.kind == Kind::Data {
            self.0[parcel.connection as usize].frames_corrupted += 1;
        }
    }

    fn ledger(&mut self, parcel: &Parcel) -> &mut Ledger {
        &mut self.0[parcel.connection as usize].ledgers[parcel.kind as usize]
    }
}

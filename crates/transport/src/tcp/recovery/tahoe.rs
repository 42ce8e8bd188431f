//! Tahoe: fast retransmit followed by slow start (Jacobson 1988).

use netjoule_wire::SeqNumber;

use super::{DuplicateAck, LossRecovery, NewAck, View};

/// Has no fast recovery, so no state.
#[derive(Clone, Copy, Debug)]
pub(in crate::tcp) struct Tahoe;

impl LossRecovery for Tahoe {
    fn on_duplicate_ack(&mut self, count: u32, view: &View) -> DuplicateAck {
        if count == view.dupthresh { DuplicateAck::EnterSlowStart } else { DuplicateAck::Wait }
    }
    fn on_new_ack(&mut self, _: SeqNumber, _: &View) -> NewAck {
        NewAck::Grow
    }
    fn on_timeout(&mut self, _: &View) {}
    fn enter(&mut self, _: &View) {}
    fn is_active(&self) -> bool {
        false
    }
}

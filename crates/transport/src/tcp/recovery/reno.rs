//! Reno: fast recovery that the first ACK of new data ends (4.3BSD Reno; RFC
//! 5681 section 3.2; goel1997 2.3.2).

use netjoule_wire::SeqNumber;

use super::{DuplicateAck, LossRecovery, NewAck, View};

/// Whether fast recovery is under way.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::tcp) struct Reno {
    active: bool,
}

impl LossRecovery for Reno {
    fn on_duplicate_ack(&mut self, count: u32, view: &View) -> DuplicateAck {
        if self.active {
            DuplicateAck::Inflate
        } else if count == view.dupthresh {
            DuplicateAck::EnterRecovery
        } else {
            DuplicateAck::Wait
        }
    }
    fn on_new_ack(&mut self, _: SeqNumber, view: &View) -> NewAck {
        if core::mem::take(&mut self.active) {
            NewAck::Leave { cwnd: view.ssthresh }
        } else {
            NewAck::Grow
        }
    }
    fn on_timeout(&mut self, _: &View) {
        self.active = false;
    }
    fn enter(&mut self, _: &View) {
        self.active = true;
    }
    fn is_active(&self) -> bool {
        self.active
    }
}

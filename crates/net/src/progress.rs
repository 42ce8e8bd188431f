//! How far a connection has come, and when it is over.

use netjoule_scenario::{Connection, Run};
use netjoule_transport::tcp::{Cause, State};
use netjoule_units::Duration;

/// The course of one connection.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Progress {
    /// From the start to the ACK of the last byte, once that has come.
    pub(crate) completion_time: Option<Duration>,
    /// Why there is no connection any more, at the source and at the sink.
    pub(crate) closed: [Option<Cause>; 2],
    /// Whether nothing is waited for any more.
    pub(crate) is_over: bool,
}

impl Progress {
    /// Whether a connection with the source and the sink in `states` ends here:
    /// the source has failed; or, without a handshake, the transfer is complete;
    /// or both ends have closed, and each has heard of it.
    pub(crate) fn ends(&self, states: [State; 2], connection: &Connection, run: &Run) -> bool {
        let is_done = |state| match state {
            State::Closed => true,
            State::TimeWait => !run.time_wait,
            _ => false,
        };
        if self.closed[0].is_some_and(is_failure) {
            true
        } else if connection.handshake {
            states.into_iter().all(is_done)
        } else {
            self.completion_time.is_some()
        }
    }

    /// Why it was closed: what has gone wrong at the source, or else at the
    /// sink, or that nothing has. `None` for one that is not closed.
    pub(crate) fn cause(&self, handshake: bool) -> Option<Cause> {
        let failure = self.closed.into_iter().flatten().find(|cause| is_failure(*cause));
        failure.or((handshake && self.is_over).then_some(Cause::Finished))
    }
}

fn is_failure(cause: Cause) -> bool {
    cause != Cause::Finished
}

//! Which packets make up a frame: one, or several of one queue to the same
//! station in an A-MPDU (section 9.12).

use std::collections::VecDeque;

use netjoule_units::{Bytes, Duration};

use super::config::Config;
use super::frame::{Kind, To, mpdu_size, subframe_size};
use super::station::{Entry, Fate};

/// The longest A-MPDU (section 8.4.2.58.3).
const LONGEST: Bytes = Bytes::new(65_535);

/// The longest time that a frame may take (`aPPDUMaxTime` of 802.11n).
const LONGEST_TIME: Duration = Duration::from_nanos(5_484_000);

/// The packets of `queue` that go next, a bit for each place, and the length of
/// the frame.
pub(super) fn choose<F>(
    queue: &VecDeque<Entry<F>>,
    airtime: impl Fn(Bytes) -> Duration,
    config: &Config,
) -> (u64, Bytes) {
    let waiting = |place: &usize| queue[*place].fate == Fate::Waiting;
    let mpdu = |place: usize| mpdu_size(queue[place].frame.size, config.phy, config.wep);
    let places = queue.len().min(64);
    let Some(first) = (0..places).find(waiting) else { return (0, Bytes::ZERO) };
    let (mut mpdus, mut psdu) = (1 << first, mpdu(first));
    let to = queue[first].frame.to;
    if config.aggregation > 1 && to != To::All {
        let mut length = subframe_size(psdu);
        for place in (first + 1..places).filter(waiting) {
            let longer = length + subframe_size(mpdu(place));
            if queue[place].frame.to != to
                || u64::count_ones(mpdus) >= config.aggregation
                || longer > LONGEST
                || airtime(longer) > LONGEST_TIME
            {
                break;
            }
            (mpdus, psdu, length) = (mpdus | 1 << place, longer, longer);
        }
    }
    (mpdus, psdu)
}

/// What acknowledges a frame of `mpdus`.
pub(super) const fn answer(mpdus: u64) -> Kind {
    if mpdus.count_ones() > 1 { Kind::BlockAck } else { Kind::Ack }
}

/// The places that `mpdus` names, in order.
pub(super) fn positions(mut mpdus: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let place = mpdus.trailing_zeros();
        mpdus &= mpdus.wrapping_sub(1);
        (place < 64).then_some(place as usize)
    })
}

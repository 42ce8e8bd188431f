//! What is counted.

/// Is told of every operation.
pub trait Meter: Clone + Default {}

/// Counts nothing, and costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Off;

impl Meter for Off {}

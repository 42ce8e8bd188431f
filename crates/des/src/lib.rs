//! The event core.

//! Whole connections, as scripts: what is put in at which millisecond, and
//! what comes out. Segments are counted from 0 in units of one SMSS.

mod receiving;
mod script;
mod sending;
mod signals;

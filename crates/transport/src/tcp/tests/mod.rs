//! Tests of whole connections.

package io.sluice.policy;

/** Which processes share the state of a policy. */
public enum Scope {
    /** All processes that use the same store. */
    SHARED,
    /** Each process has its own state. */
    PROCESS
}

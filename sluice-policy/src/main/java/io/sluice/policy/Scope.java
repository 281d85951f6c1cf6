package io.sluice.policy;

/** Who shares what a policy counts. */
public enum Scope {
    /** All processes on one store. */
    SHARED,
    /** Each process has its own. */
    PROCESS
}

package io.sluice.policy.engine;

/** What a request does to policies that limit concurrency. */
enum Holding {
    /** It holds a permit of each. Its caller gives back. */
    ENTERS,
    /** They apply only if it asks for 0 permits. Otherwise they are skipped, because its caller cannot give back. */
    LOOKS,
    /** They never apply: its caller cannot even show them. */
    NEVER
}

package io.sluice.policy;

/** When a policy charges a request. */
public enum Charging {
    /** If the request is admitted. */
    ADMITTED,
    /**
     * Whatever is decided, even into debt: for costs that are known only afterwards. A request looks with 0 permits before, and
     * reports its cost after.
     */
    ALWAYS
}

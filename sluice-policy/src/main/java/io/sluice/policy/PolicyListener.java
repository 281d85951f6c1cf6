package io.sluice.policy;

/**
 * Receives changes of the policies, on the thread that changes them, after they are in force. Exceptions of a listener are
 * logged.
 */
public interface PolicyListener {
    /** These policies are in force now. */
    default void replaced(Policies policies, long version) {}

    /** A version was refused; the policies before it stay in force. */
    default void refused(PolicyException problems) {}

    /** The engine was closed. */
    default void closed() {}
}

package io.sluice.policy;

/** Hears when policies change. Called on the thread that changes them; what it throws is ignored. */
public interface PolicyListener {
    /** These are in force from now on. */
    default void replaced(Policies policies, long version) {}

    /** A version was refused; the policies before it stay in force. */
    default void refused(PolicyException problems) {}
}

package io.sluice.policy;

/** Whether a policy denies requests. */
public enum Mode {
    /** The policy denies requests. */
    ENFORCE,
    /**
     * The policy only reports its verdict. It is charged if the request is allowed and the policy would have allowed
     * it.
     */
    SHADOW,
    /** The policy is not evaluated. */
    OFF
}

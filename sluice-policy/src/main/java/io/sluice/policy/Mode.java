package io.sluice.policy;

/** What a policy does with its verdict. */
public enum Mode {
    /** It counts: the request is denied if the policy denies it. */
    ENFORCE,
    /** It is only told: the policy never denies, and is charged when the request is admitted and it would have allowed it. */
    SHADOW,
    /** There is none: the policy costs nothing. */
    OFF
}

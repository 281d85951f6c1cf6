package io.sluice.redis.call;

/** What became of a request to give a hold back or to renew it. */
public enum HoldAnswer {
    DONE,
    /** It was not held any more, and nothing was done. */
    ENDED,
    /** Redis did not answer. */
    UNKNOWN
}

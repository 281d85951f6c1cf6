package io.sluice.spi;

/** Says how many permits a policy keeps from a request now. A reload may have changed that since its estimate was charged. */
@FunctionalInterface
public interface KeptNow {
    /** Nothing has changed. */
    KeptNow AS_THEN = (limiter, then) -> then;

    /**
     * The permits that are kept now.
     *
     * @param limiter the name of the limiter of a charge
     * @param then the permits that were kept from that charge when the estimate was charged
     */
    long kept(String limiter, long then);
}

package io.sluice.spring.web;

import io.sluice.spring.SluiceProperties.Position;

/** The order of the filters. */
public final class FilterOrder {
    /** What Spring Boot gives the filter of Spring Security, on both web stacks. */
    public static final int SECURITY = -100;

    private FilterOrder() {}

    /**
     * The order of a filter at this position.
     *
     * @param security the order of the filter of Spring Security
     */
    public static int of(Position position, int security) {
        return position == Position.BEFORE_SECURITY ? security - 5 : security + 5;
    }
}

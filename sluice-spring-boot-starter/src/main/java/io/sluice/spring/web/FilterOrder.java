package io.sluice.spring.web;

import io.sluice.spring.SluiceProperties.Position;

/** The order of the filters. Spring Boot gives the filter of Spring Security the order -100, on both web stacks. */
public final class FilterOrder {
    private static final int SECURITY = -100;

    private FilterOrder() {}

    /** The order of a filter at this position. */
    public static int of(Position position) {
        return position == Position.BEFORE_SECURITY ? SECURITY - 5 : SECURITY + 5;
    }
}

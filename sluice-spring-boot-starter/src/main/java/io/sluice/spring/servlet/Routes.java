package io.sluice.spring.servlet;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/** Finds the pattern of the handler for a request, such as {@code /orders/{id}}. */
interface Routes {
    /** Finds nothing: the application has no Spring MVC. */
    Routes NONE = request -> null;

    @Nullable
    String of(HttpServletRequest request);
}

package io.sluice.spring.servlet;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/*
 * A filter runs before Spring MVC searches the handler. So the search is made here too, and only if a policy names "route". The
 * mappings write what they find into attributes of the request; those of this search are thrown away.
 */
/** Finds the patterns of handlers of Spring MVC. */
final class MvcRoutes implements Routes {
    private final Supplier<List<HandlerMapping>> mappings;

    /** @param mappings the mappings in the order of the dispatcher servlet */
    MvcRoutes(Supplier<List<HandlerMapping>> mappings) {
        this.mappings = mappings;
    }

    @Override
    public @Nullable String of(HttpServletRequest request) {
        Copy copy = new Copy(request);
        try {
            ServletRequestPathUtils.parseAndCache(copy);
            for (HandlerMapping mapping : mappings.get()) {
                if (mapping.getHandler(copy) != null) {
                    Object pattern = copy.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
                    return pattern == null ? null : pattern.toString();
                }
            }
        } catch (Exception e) {
            // Spring MVC will refuse the request: there is a handler for the path, but not for this method or these
            // headers, or
            // it does not understand how the context path is spelled. Such a request is decided like any other.
            return null;
        }
        return null;
    }

    /** The request with attributes of its own. */
    private static final class Copy extends HttpServletRequestWrapper {
        private final Map<String, Object> attributes = new HashMap<>();

        Copy(HttpServletRequest request) {
            super(request);
        }

        @Override
        public @Nullable Object getAttribute(String name) {
            Object own = attributes.get(name);
            return own == null ? super.getAttribute(name) : own;
        }

        @Override
        public void setAttribute(String name, @Nullable Object value) {
            if (value == null) {
                attributes.remove(name);
            } else {
                attributes.put(name, value);
            }
        }

        @Override
        public void removeAttribute(String name) {
            attributes.remove(name);
        }

        @Override
        public Enumeration<String> getAttributeNames() {
            return Collections.enumeration(attributes.keySet());
        }
    }
}

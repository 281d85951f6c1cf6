package io.sluice.spring.gateway;

import io.sluice.spring.web.RequestScope;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the filters of a route have decided for an exchange, until its response is done. Thread-safe. */
final class ExchangeScopes {
    /** The attribute of the exchange. */
    static final String ATTRIBUTE = "io.sluice.spring.gateway.ExchangeScopes";

    private final List<RequestScope> scopes = new ArrayList<>();
    private RequestScope.@Nullable End end;

    /** Ends the scope together with the exchange; at once if that has ended. */
    void add(RequestScope scope) {
        RequestScope.End ended;
        synchronized (scopes) {
            scopes.add(scope);
            ended = end;
        }
        if (ended != null) {
            scope.end(ended);
        }
    }

    /** The response is done. */
    void end(RequestScope.End how) {
        List<RequestScope> all;
        synchronized (scopes) {
            end = how;
            all = List.copyOf(scopes);
        }
        all.forEach(scope -> scope.end(how));
    }
}

package io.sluice.testkit;

import io.sluice.Decision;
import java.util.List;

/**
 * A recorded trace of requests to one limit, with the decision for each.
 *
 * @param limit the text of the limit
 * @param rows the requests in the order of time
 */
public record Vector(String name, String limit, List<Row> rows) {
    public Vector {
        rows = List.copyOf(rows);
    }

    /** One request and its decision. */
    public record Row(long micros, String key, long permits, Decision decision) {}
}

package io.sluice.spring.autoconfigure;

import java.util.ArrayList;
import java.util.List;

/*
 * Spring Boot makes a list of a text by its commas. But the URI of Sentinels has commas itself, and a password may have.
 */
/** Puts addresses of Redis together again that are cut at their commas. */
final class RedisAddresses {
    private RedisAddresses() {}

    /** The whole URIs. A part without a scheme belongs to the one before. */
    static List<String> whole(List<String> parts) {
        List<String> whole = new ArrayList<>();
        for (String part : parts) {
            int last = whole.size() - 1;
            if (last >= 0 && !part.contains("://")) {
                whole.set(last, whole.get(last) + "," + part);
            } else {
                whole.add(part);
            }
        }
        return whole;
    }
}

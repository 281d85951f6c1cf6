package io.sluice.redis;

import io.sluice.Decision;
import io.sluice.Limit;

/** A new process that makes one request with the default settings and prints the answer. */
final class ColdProcess {
    private ColdProcess() {}

    /**
     * Asks for the only permit of an hour.
     *
     * @param args the URI of Redis, and of further servers of a cluster
     */
    public static void main(String[] args) {
        String[] more = new String[args.length - 1];
        System.arraycopy(args, 1, more, 0, more.length);
        try (RedisStore store = RedisStore.connect(args[0], more)) {
            Decision decision = store.limiter("cold", Limit.parse("1 per 1h")).check("key");
            System.out.println((decision.allowed() ? "allowed" : "denied") + (decision.degraded() ? " degraded" : ""));
        }
    }
}

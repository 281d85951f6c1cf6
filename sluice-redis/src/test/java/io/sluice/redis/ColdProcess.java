package io.sluice.redis;

import io.sluice.Decision;
import io.sluice.Limit;
import java.time.Duration;

/** A new process that makes one request and prints the answer. */
final class ColdProcess {
    /** The property with the connect wait in seconds. Without it, the default is used. */
    static final String WAIT = "sluice.cold.wait";

    private ColdProcess() {}

    /**
     * Asks for the only permit of an hour.
     *
     * @param args the URI of Redis, and of further servers of a cluster
     */
    public static void main(String[] args) {
        String[] more = new String[args.length - 1];
        System.arraycopy(args, 1, more, 0, more.length);
        RedisStore.Builder builder = RedisStore.builder().uri(args[0], more);
        Integer seconds = Integer.getInteger(WAIT);
        if (seconds != null) {
            builder.connectWait(Duration.ofSeconds(seconds));
        }
        try (RedisStore store = builder.build()) {
            Decision decision = store.limiter("cold", Limit.parse("1 per 1h")).check("key");
            System.out.println((decision.allowed() ? "allowed" : "denied") + (decision.degraded() ? " degraded" : ""));
        }
    }
}

package io.sluice.cli.simulate;

import java.util.Random;

/** Random requests of few tenants and addresses, some with unusual characters, with short and long steps in time. */
final class RandomRequests {
    private static final String[] TENANTS = {
        "a",
        "b",
        "",
        "{x}",
        "a:b",
        "é\uD83D\uDD11",
        "\\\"q\\\"",
        "\\ud800",
        "\\ud801",
        "?",
        "k".repeat(300),
        "acme",
        "ops"
    };
    private static final String[] ADDRESSES = {"192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8:0:0:1::", "no address"
    };
    private static final String[] PATHS = {"/api/orders", "/api//x?y", "/login", "/"};

    private RandomRequests() {}

    /** Policies of every kind that apply to these requests. */
    static final String POLICIES = """
              - { name: witness, limit: 50/s }
              - name: per-tenant
                match: { path: "/api/**" }
                key: [tenant]
                limit: token-bucket 3/s burst 6
                overrides:
                  - { match: { tenant: acme }, limit: leaky-bucket 3/s capacity 7 }
                  - { match: { tenant: ops }, limit: unlimited }
                  - { match: { tenant: "?" }, limit: blocked }
                reserve: { share: 20%, for: { priority: critical } }
              - name: login
                match: { path: /login }
                key: [ip/64, tenant]
                limit: sliding-log 5 per 1m lockout 2s
              - { name: watched, key: [ip], limit: sliding-counter 7 per 1s slots 4, mode: shadow }
              - { name: nothing, limit: blocked, mode: off }
              - { name: window, key: [tenant], limit: fixed-window 20 per 1h from-first }
            """;

    static String of(long seed, int count) {
        Random random = new Random(seed);
        StringBuilder lines = new StringBuilder();
        long time = random.nextBoolean() ? 0 : 1_700_000_000_000_000L;
        for (int i = 0; i < count; i++) {
            lines.append("{\"time_us\":").append(time).append(",\"attributes\":{\"ip\":\"");
            lines.append(any(random, ADDRESSES)).append("\",\"path\":\"").append(any(random, PATHS));
            if (random.nextInt(5) > 0) {
                lines.append("\",\"tenant\":\"").append(any(random, TENANTS));
            }
            if (random.nextInt(5) == 0) {
                lines.append("\",\"priority\":\"critical");
            }
            long permits = random.nextInt(50) == 0 ? random.nextLong(1L << 53) : random.nextInt(4);
            lines.append("\"},\"permits\":").append(permits).append("}\n");
            time += random.nextLong() >>> (64 - random.nextInt(1, random.nextInt(100) == 0 ? 36 : 20));
        }
        return lines.toString();
    }

    private static String any(Random random, String[] texts) {
        return texts[random.nextInt(texts.length)];
    }
}

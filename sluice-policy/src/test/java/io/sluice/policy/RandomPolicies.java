package io.sluice.policy;

import io.sluice.Limit;
import io.sluice.OnFailure;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Random policies and requests: few attributes with few values, so that policies overlap, and small limits. */
final class RandomPolicies {
    private static final Map<String, List<String>> VALUES = Map.of(
            "tenant", List.of("acme", "ops", "a,b", ""),
            "path", List.of("/api", "/api/x", "/api/x/y", "/login"),
            "priority", List.of("critical", "low"),
            "ip", List.of("10.0.0.1", "10.0.0.2", "2001:db8::1", "2001:db8::2", "nonsense"));
    private static final List<String> NAMES = List.of("tenant", "path", "priority", "ip");
    private static final String[] GLOBS = {"*", "**", "/api/*", "/api/**", "a*"};
    private static final String[] CIDRS = {"10.0.0.0/8", "10.0.0.1", "2001:db8::/32", "::/0"};
    private static final String[] PERIODS = {"7ms", "1s", "10s", "1m", "1h"};
    private static final KeyPart NETWORK = new KeyPart("ip", 64);

    private static final int MOST = 6;

    private final Random random;

    /** These stay the same, because state depends on them. */
    private final List<List<KeyPart>> keys;

    private final List<Scope> scopes;

    RandomPolicies(Random random) {
        this.random = random;
        keys = Stream.generate(this::key).limit(MOST).toList();
        scopes = Stream.generate(() -> random.nextInt(4) == 0 ? Scope.PROCESS : Scope.SHARED)
                .limit(MOST)
                .toList();
    }

    /** The networks of the values above for {@code ip/64}. */
    static String network(String ip) {
        return switch (ip) {
            case "10.0.0.1", "10.0.0.2" -> ip + "/32";
            case "2001:db8::1", "2001:db8::2" -> "2001:db8::/64";
            default -> ip;
        };
    }

    Map<String, String> request() {
        Map<String, String> request = new HashMap<>(Map.of("trace", "of no meaning to any policy"));
        for (String name : NAMES) {
            if (random.nextInt(5) > 0) {
                request.put(name, value(name));
            }
        }
        return request;
    }

    /** Policies with some of a fixed set of names, so that two results have names in common. */
    Policies policies() {
        List<Policy> policies = new ArrayList<>();
        for (int i = 0; i < MOST; i++) {
            if (random.nextInt(4) > 0) {
                policies.add(policy(i));
            }
        }
        return new Policies(policies, List.of(), List.of());
    }

    private Policy policy(int number) {
        Reserve reserve = random.nextInt(3) > 0 ? null : new Reserve(share(), match(2));
        return new Policy(
                "policy " + number,
                match(3),
                keys.get(number),
                limit(reserve),
                IntStream.range(0, random.nextInt(4))
                        .mapToObj(i -> new LimitOverride(overrideName(i), match(2), limit(reserve)))
                        .toList(),
                reserve,
                mode(),
                OnFailure.ALLOW,
                scopes.get(number),
                random.nextInt(4) == 0 ? Charging.ALWAYS : Charging.ADMITTED);
    }

    private @Nullable String overrideName(int i) {
        return random.nextBoolean() ? "override " + i : null;
    }

    private Mode mode() {
        return switch (random.nextInt(8)) {
            case 6 -> Mode.SHADOW;
            case 7 -> Mode.OFF;
            default -> Mode.ENFORCE;
        };
    }

    private BigDecimal share() {
        return new BigDecimal(new String[] {"1", "20", "33.3", "50", "100"}[random.nextInt(5)]);
    }

    private List<KeyPart> key() {
        return switch (random.nextInt(5)) {
            case 0 -> List.of();
            case 1 -> List.of(new KeyPart("tenant", KeyPart.WHOLE));
            case 2 -> List.of(NETWORK);
            case 3 -> List.of(new KeyPart("tenant", KeyPart.WHOLE), new KeyPart("path", KeyPart.WHOLE));
            default -> List.of(new KeyPart("ip", KeyPart.WHOLE), NETWORK);
        };
    }

    private Match match(int oneIn) {
        Map<String, Condition> conditions = new HashMap<>();
        for (String name : NAMES) {
            if (random.nextInt(oneIn + 1) == 0) {
                conditions.put(name, condition(name, 1));
            }
        }
        return new Match(conditions);
    }

    private Condition condition(String name, int depth) {
        return switch (random.nextInt(depth == 0 ? 5 : 8)) {
            case 0, 1, 2 -> new Condition.Exact(value(name));
            case 3 -> new Condition.Glob(GLOBS[random.nextInt(GLOBS.length)]);
            case 4 -> new Condition.InCidr(Cidr.parse(CIDRS[random.nextInt(CIDRS.length)]));
            case 5 -> new Condition.AnyOf(List.of(condition(name, 0), condition(name, 0)));
            default -> new Condition.Not(condition(name, 0));
        };
    }

    private String value(String name) {
        List<String> values = VALUES.getOrDefault(name, List.of());
        return values.get(random.nextInt(values.size()));
    }

    private Limit limit(@Nullable Reserve reserve) {
        String rate = 1 + random.nextInt(8) + " per " + period();
        String most = String.valueOf(1 + random.nextInt(12));
        String limit = switch (random.nextInt(11)) {
            case 0 -> "token-bucket " + rate + " burst " + most;
            case 1 -> "token-bucket " + rate + " burst " + most + " refill interval";
            case 2 -> "leaky-bucket " + rate + " capacity " + most;
            case 3 -> "fixed-window " + rate;
            case 4 -> "fixed-window " + rate + " from-first";
            case 5 -> "sliding-log " + rate;
            case 6 -> "sliding-counter " + rate + " slots " + (random.nextBoolean() ? 1 : 10);
            case 7 -> random.nextBoolean() ? "unlimited" : "1000000 per 1s";
            case 8 -> "fixed-window " + most + " per " + calendar() + " zone Asia/Kolkata";
            case 9 -> reserve == null ? "warm-up " + rate + " over " + period() : rate;
            default -> random.nextInt(4) == 0 ? "blocked" : rate;
        };
        boolean locks = random.nextInt(4) == 0 && limit.indexOf(' ') > 0;
        String escalation = random.nextBoolean() ? " escalate " + (1 + random.nextInt(3)) : "";
        return Limit.parse(locks ? limit + " lockout " + period() + escalation : limit);
    }

    private String calendar() {
        return random.nextBoolean() ? "day" : "month";
    }

    private String period() {
        return PERIODS[random.nextInt(PERIODS.length)];
    }
}

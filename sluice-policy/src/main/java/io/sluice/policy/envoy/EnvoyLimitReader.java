package io.sluice.policy.envoy;

import io.sluice.Algorithm;
import io.sluice.Limit;
import io.sluice.policy.Charging;
import io.sluice.policy.yaml.MappingReader;
import io.sluice.policy.yaml.Problems;
import io.sluice.policy.yaml.SourcePosition;
import io.sluice.policy.yaml.ValueReader;
import io.sluice.policy.yaml.YamlNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the field {@code rate_limit}. */
final class EnvoyLimitReader {
    /** Our extension: when the rule charges. It stands in a rate limit, or beside it in the descriptor. */
    static final String CHARGE = "charge";

    private static final List<String> FIELDS =
            List.of("unit", "requests_per_unit", "unlimited", "name", "replaces", "algorithm", CHARGE);
    private static final List<String> REPLACES_FIELDS = List.of("name");
    private static final String REPLACES = "a list of { name: ... }";
    private static final String UNITS = "second, minute, hour, day, week, month or year";
    private static final String REQUESTS = "a whole number of 0 to 4294967295";
    private static final long MAX_REQUESTS = (1L << 32) - 1;
    private static final List<Algorithm> ALGORITHMS = List.of(
            Algorithm.FIXED_WINDOW,
            Algorithm.SLIDING_COUNTER,
            Algorithm.SLIDING_LOG,
            Algorithm.TOKEN_BUCKET,
            Algorithm.LEAKY_BUCKET);
    private static final String ALGORITHM = "one of "
            + String.join(", ", ALGORITHMS.stream().map(Algorithm::toString).toList());

    private final Problems problems;
    private final Problems warnings;
    private final ValueReader values;

    EnvoyLimitReader(Problems problems, Problems warnings) {
        this.problems = problems;
        this.warnings = warnings;
        this.values = new ValueReader(problems);
    }

    /**
     * A rate limit.
     *
     * @param requests 0 if it is unlimited
     * @param unit null if it is unlimited
     * @param charge when the rule charges; null if it does not say
     */
    record Rate(
            @Nullable String name,
            List<Replaced> replaces,
            long requests,
            @Nullable EnvoyUnit unit,
            Limit limit,
            @Nullable Charging charge) {
        EnvoyRule rule(String policy) {
            return new EnvoyRule(
                    policy, name, replaces.stream().map(Replaced::name).toList(), requests, unit);
        }
    }

    /** The name of a replaced rule, with its position. */
    record Replaced(String name, SourcePosition at) {}

    /** Reads a rate limit; null and problems if it is invalid. */
    @Nullable
    Rate read(YamlNode node) {
        MappingReader fields = MappingReader.of("rate_limit", node, FIELDS, problems);
        if (fields == null) {
            return null;
        }
        YamlNode nameNode = fields.nonNull("name");
        String name = nameNode == null ? null : values.text("name", nameNode, "a name");
        if (name != null && name.isEmpty()) {
            name = null;
        }
        List<Replaced> replaces = replaces(fields.nonNull("replaces"), name);
        YamlNode unlimited = fields.nonNull("unlimited");
        if (unlimited != null && values.flag("unlimited", unlimited)) {
            return unlimited(fields, name, replaces);
        }
        EnvoyUnit unit = unit(fields.required("unit", UNITS));
        Long requests = requests(fields.required("requests_per_unit", REQUESTS));
        Algorithm algorithm = algorithm(fields.nonNull("algorithm"));
        if (unit == null || requests == null || algorithm == null) {
            return null;
        }
        Limit limit = limit(algorithm, requests, unit.duration(), fields);
        Charging charge = charge(fields.nonNull(CHARGE));
        return limit == null ? null : new Rate(name, replaces, requests, unit, limit, charge);
    }

    /** When a rule charges; null if it does not say, or if the field is invalid. */
    @Nullable
    Charging charge(@Nullable YamlNode node) {
        return node == null ? null : values.oneOf(CHARGE, node, List.of(Charging.values()));
    }

    private Rate unlimited(MappingReader fields, @Nullable String name, List<Replaced> replaces) {
        for (String field : List.of("unit", "algorithm", CHARGE)) {
            YamlNode node = fields.nonNull(field);
            if (node != null) {
                values.refuse(field, node, "none, because it is unlimited");
            }
        }
        YamlNode requests = fields.nonNull("requests_per_unit");
        if (requests != null) {
            warnings.warning(requests.at(), "requests_per_unit: has no effect, because it is unlimited");
        }
        return new Rate(name, replaces, 0, null, Limit.unlimited(), null);
    }

    private @Nullable EnvoyUnit unit(@Nullable YamlNode node) {
        String text = node == null ? null : values.text("unit", node, UNITS);
        if (node == null || text == null) {
            return null;
        }
        for (EnvoyUnit unit : EnvoyUnit.values()) {
            if (unit.name().equals(text.toUpperCase(Locale.ROOT))) {
                return unit;
            }
        }
        values.refuse("unit", node, UNITS);
        return null;
    }

    private @Nullable Long requests(@Nullable YamlNode node) {
        String text = node == null ? null : values.text("requests_per_unit", node, REQUESTS);
        if (node == null || text == null) {
            return null;
        }
        if (text.matches("[0-9]{1,18}") && Long.parseLong(text) <= MAX_REQUESTS) {
            return Long.parseLong(text);
        }
        values.refuse("requests_per_unit", node, REQUESTS);
        return null;
    }

    private @Nullable Algorithm algorithm(@Nullable YamlNode node) {
        if (node == null) {
            return Algorithm.FIXED_WINDOW;
        }
        String text = values.text("algorithm", node, ALGORITHM);
        for (Algorithm algorithm : ALGORITHMS) {
            if (algorithm.toString().equals(text)) {
                return algorithm;
            }
        }
        if (text != null) {
            values.refuse("algorithm", node, ALGORITHM);
        }
        return null;
    }

    private @Nullable Limit limit(Algorithm algorithm, long requests, Duration unit, MappingReader fields) {
        if (requests == 0) {
            return Limit.blocked();
        }
        try {
            return switch (algorithm) {
                case TOKEN_BUCKET -> Limit.tokenBucket(requests, unit);
                case LEAKY_BUCKET -> Limit.leakyBucket(requests, unit);
                case SLIDING_LOG -> Limit.slidingLog(requests, unit);
                case SLIDING_COUNTER -> Limit.slidingCounter(requests, unit);
                default -> Limit.fixedWindow(requests, unit);
            };
        } catch (IllegalArgumentException e) {
            problems.error(fields.node().at(), "rate_limit: " + e.getMessage());
            return null;
        }
    }

    private List<Replaced> replaces(@Nullable YamlNode node, @Nullable String own) {
        List<Replaced> replaces = new ArrayList<>();
        if (node != null) {
            for (YamlNode item : values.items("replaces", node, REPLACES)) {
                MappingReader fields = MappingReader.of("replaces", item, REPLACES_FIELDS, problems);
                YamlNode nameNode = fields == null ? null : fields.required("name", "the name of another rate_limit");
                String name = nameNode == null ? null : values.text("name", nameNode, "the name of another rate_limit");
                if (nameNode != null && name != null) {
                    if (name.isEmpty() || name.equals(own)) {
                        values.refuse("name", nameNode, "the name of another rate_limit");
                    }
                    replaces.add(new Replaced(name, nameNode.at()));
                }
            }
        }
        return replaces;
    }
}

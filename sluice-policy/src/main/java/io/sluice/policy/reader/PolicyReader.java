package io.sluice.policy.reader;

import io.sluice.Limit;
import io.sluice.OnFailure;
import io.sluice.policy.Adapt;
import io.sluice.policy.Charging;
import io.sluice.policy.KeyPart;
import io.sluice.policy.LimitOverride;
import io.sluice.policy.Match;
import io.sluice.policy.Mode;
import io.sluice.policy.Policy;
import io.sluice.policy.Reserve;
import io.sluice.policy.Scope;
import io.sluice.policy.yaml.MappingReader;
import io.sluice.policy.yaml.Problems;
import io.sluice.policy.yaml.UniqueNames;
import io.sluice.policy.yaml.ValueReader;
import io.sluice.policy.yaml.YamlNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads policies. The result is null if a policy has errors; all its fields are checked nevertheless. */
final class PolicyReader {
    private static final List<String> FIELDS = List.of(
            "name",
            "match",
            "key",
            "limit",
            "overrides",
            "reserve",
            "mode",
            "on-store-failure",
            "scope",
            "charge",
            "adapt");
    private static final List<String> OVERRIDE_FIELDS = List.of("name", "match", "limit");
    private static final List<String> RESERVE_FIELDS = List.of("share", "for");
    private static final String KEY = "an attribute such as tenant, or a network such as ip/64";
    private static final Pattern KEY_PART = Pattern.compile("([^/]+)(?:/(0|[1-9][0-9]{0,2}))?");
    private static final int MAX_PREFIX = 128;

    private final Problems problems;
    private final ValueReader values;
    private final MatchReader matches;
    private final UniqueNames names;

    PolicyReader(Problems problems, UniqueNames names) {
        this.problems = problems;
        this.values = new ValueReader(problems);
        this.matches = new MatchReader(problems);
        this.names = names;
    }

    @Nullable
    Policy policy(YamlNode node) {
        MappingReader fields = MappingReader.of("policy", node, FIELDS, problems);
        if (fields == null) {
            return null;
        }
        String name = fields.required("name", "a name", names::read);
        Match match = fields.optional("match", Match.ALL, matches::match);
        List<KeyPart> key = key(fields.optional("key"));
        Scope scope = oneOf(fields, "scope", List.of(Scope.values()), Scope.SHARED);
        Charging charge = oneOf(fields, "charge", List.of(Charging.values()), Charging.ADMITTED);
        LimitTerms terms = new LimitTerms(fields.optional("reserve") != null, scope, charge);
        Limit limit = fields.required("limit", ValueReader.LIMIT, (field, value) -> limit(field, value, terms));
        List<LimitOverride> overrides = overrides(fields.optional("overrides"), terms);
        Reserve reserve = reserve(fields.optional("reserve"));
        Mode mode = oneOf(fields, "mode", List.of(Mode.values()), Mode.ENFORCE);
        OnFailure onFailure = oneOf(fields, "on-store-failure", List.of(OnFailure.values()), OnFailure.ALLOW);
        Adapt adapt = new AdaptReader(problems, values).adapt(fields.optional("adapt"), scope);
        if (name == null || match == null || limit == null) {
            return null;
        }
        return new Policy(name, match, key, limit, overrides, reserve, mode, onFailure, scope, charge, adapt);
    }

    private <E extends Enum<E>> E oneOf(MappingReader fields, String field, List<E> constants, E otherwise) {
        E found = fields.optional(field, otherwise, (name, node) -> values.oneOf(name, node, constants));
        return found == null ? otherwise : found;
    }

    private List<KeyPart> key(@Nullable YamlNode node) {
        if (node == null) {
            return List.of();
        }
        Set<KeyPart> parts = new LinkedHashSet<>();
        for (YamlNode.Scalar text : values.texts("key", node, KEY)) {
            KeyPart part = keyPart(text);
            if (part != null && !parts.add(part)) {
                problems.error(text.at(), "key: " + text.display() + " a second time (expected: every part once)");
            }
        }
        return List.copyOf(parts);
    }

    private @Nullable KeyPart keyPart(YamlNode.Scalar text) {
        if (!text.text().isEmpty() && text.text().indexOf('/') < 0) {
            return new KeyPart(text.text(), KeyPart.WHOLE);
        }
        Matcher matcher = KEY_PART.matcher(text.text());
        if (!matcher.matches()) {
            values.refuse("key", text, KEY);
            return null;
        }
        String prefix = matcher.group(2);
        int bits = prefix == null ? KeyPart.WHOLE : Integer.parseInt(prefix);
        if (bits > MAX_PREFIX) {
            values.refuse("key", text, "a prefix of 0 to " + MAX_PREFIX);
            return null;
        }
        return new KeyPart(matcher.group(1), bits);
    }

    /**
     * What the limits of a policy have to fit.
     *
     * @param reserve whether the policy keeps a share of them
     */
    private record LimitTerms(boolean reserve, Scope scope, Charging charge) {
        /** What is expected instead of a limit; null if it fits. */
        @Nullable
        String expectedInsteadOf(Limit limit) {
            return reserve && !Reserve.isPossibleFor(limit)
                    ? Reserve.POSSIBLE
                    : Policy.expectedInsteadOf(limit, scope, charge);
        }
    }

    private @Nullable Limit limit(String field, YamlNode node, LimitTerms terms) {
        Limit limit = values.limit(field, node);
        String expected = limit == null ? null : terms.expectedInsteadOf(limit);
        if (expected != null) {
            values.refuse(field, node, expected);
            return null;
        }
        return limit;
    }

    private List<LimitOverride> overrides(@Nullable YamlNode node, LimitTerms terms) {
        List<LimitOverride> overrides = new ArrayList<>();
        if (node != null) {
            UniqueNames overrideNames = new UniqueNames(problems);
            for (YamlNode item : values.items("overrides", node, "a list of { match: ..., limit: ... }")) {
                LimitOverride override = override(item, overrideNames, terms);
                if (override != null) {
                    overrides.add(override);
                }
            }
        }
        return overrides;
    }

    private @Nullable LimitOverride override(YamlNode node, UniqueNames overrideNames, LimitTerms terms) {
        MappingReader fields = MappingReader.of("override", node, OVERRIDE_FIELDS, problems);
        if (fields == null) {
            return null;
        }
        String name = fields.optional("name", null, overrideNames::read);
        Match match = fields.required("match", MatchReader.MATCH, matches::match);
        Limit limit = fields.required("limit", ValueReader.LIMIT, (field, value) -> limit(field, value, terms));
        return match == null || limit == null ? null : new LimitOverride(name, match, limit);
    }

    private @Nullable Reserve reserve(@Nullable YamlNode node) {
        MappingReader fields = node == null ? null : MappingReader.of("reserve", node, RESERVE_FIELDS, problems);
        if (fields == null) {
            return null;
        }
        BigDecimal share = fields.required("share", "a percentage such as 20%", values::percentage);
        Match match = fields.required("for", MatchReader.MATCH, matches::match);
        return share == null || match == null ? null : new Reserve(share, match);
    }
}

package io.sluice.spring.web;

import io.sluice.policy.match.CompiledCondition;
import io.sluice.policy.match.CompiledGlob;
import io.sluice.policy.match.PathNormaliser;
import io.sluice.spring.SluiceSettingsException;
import java.util.List;

/*
 * The path is normalised before it is compared, as for policies: otherwise /actuator/../orders would be excluded. Most paths do not
 * even begin like a pattern, and are not normalised.
 */
/** Paths that are not limited. */
final class ExcludedPaths {
    private record Pattern(String prefix, CompiledCondition glob) {}

    private final List<Pattern> patterns;

    ExcludedPaths(List<String> patterns) {
        for (String pattern : patterns) {
            if (!pattern.startsWith("/") && !pattern.startsWith("*")) {
                throw new SluiceSettingsException(
                        "sluice.web.exclude: \"" + pattern + "\" (expected: a path that begins with /)",
                        "Write a path such as /health, or a pattern such as /health/**.");
            }
        }
        this.patterns = patterns.stream()
                .map(pattern -> new Pattern(literalPrefix(pattern), CompiledGlob.of(pattern)))
                .toList();
    }

    private static String literalPrefix(String pattern) {
        int star = pattern.indexOf('*');
        return star < 0 ? pattern : pattern.substring(0, star);
    }

    boolean contain(String path) {
        for (Pattern pattern : patterns) {
            if (path.startsWith(pattern.prefix) && pattern.glob.holds(PathNormaliser.normalise(path))) {
                return true;
            }
        }
        return false;
    }
}

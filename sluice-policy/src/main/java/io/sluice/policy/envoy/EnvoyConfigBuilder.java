package io.sluice.policy.envoy;

import io.sluice.policy.Policies;
import io.sluice.policy.Policy;
import io.sluice.policy.PolicyException;
import io.sluice.policy.Problem;
import io.sluice.policy.yaml.Problems;
import io.sluice.policy.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Builds a configuration from its files, one after the other. */
final class EnvoyConfigBuilder {
    private final Map<String, EnvoyTree> domains = new LinkedHashMap<>();

    /** The file and line of each domain. */
    private final Map<String, String> positions = new HashMap<>();

    private final List<Policy> policies = new ArrayList<>();
    private final List<Problem> errors = new ArrayList<>();
    private final List<Problem> warnings = new ArrayList<>();

    /** @param text supplies the text of the file; may throw if it is refused */
    void add(String source, Function<Problems, String> text) {
        Problems problems = new Problems(source);
        Problems fileWarnings = new Problems(source);
        EnvoyFileReader reader = new EnvoyFileReader(problems, fileWarnings);
        try {
            YamlNode.Scalar domain = reader.read(text.apply(problems));
            if (domain != null) {
                put(domain, reader.tree(), source, problems);
            }
        } catch (PolicyException e) {
            errors.addAll(e.problems());
            return;
        }
        errors.addAll(problems.list());
        warnings.addAll(fileWarnings.list());
        policies.addAll(reader.policies());
    }

    private void put(YamlNode.Scalar domain, EnvoyTree tree, String source, Problems problems) {
        String first =
                positions.putIfAbsent(domain.text(), source + ":" + domain.at().line());
        if (first == null) {
            domains.put(domain.text(), tree);
        } else {
            problems.error(
                    domain.at(),
                    "domain: " + domain.display()
                            + " a second time (expected: every domain in one file; the first is in " + first + ")");
        }
    }

    /** @throws PolicyException if there were problems */
    EnvoyConfig build() {
        if (!errors.isEmpty()) {
            throw new PolicyException(errors);
        }
        return new EnvoyConfig(new Policies(policies, List.of(), warnings), domains);
    }
}

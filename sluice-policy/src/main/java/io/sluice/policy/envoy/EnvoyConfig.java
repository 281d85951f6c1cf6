package io.sluice.policy.envoy;

import io.sluice.policy.Policies;
import io.sluice.policy.PolicyException;
import io.sluice.policy.watch.FileContent;
import io.sluice.policy.yaml.Problems;
import io.sluice.policy.yaml.SourcePosition;
import io.sluice.policy.yaml.YamlText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The configuration files of envoyproxy/ratelimit: domains of nested descriptors. Each rule becomes a policy, which an
 * engine enforces. This class finds the rule that a descriptor matches.
 *
 * <pre>{@code
 * EnvoyConfig config = EnvoyConfig.load(Path.of("config"));
 * PolicyEngine engine = PolicyEngine.builder().policies(config.policies()).store(store).build();
 *
 * List<EnvoyEntry> descriptor = List.of(new EnvoyEntry("remote_address", "203.0.113.9"));
 * config.match("edge", descriptor).ifPresent(match -> engine.check(match.attributes()));
 * }</pre>
 *
 * <p>Immutable.
 */
public final class EnvoyConfig {
    /** The attribute with the name of the rule. The policy of a rule matches this attribute. */
    public static final String RULE = "envoy.rule";

    private final Policies policies;
    private final Map<String, EnvoyTree> domains;

    EnvoyConfig(Policies policies, Map<String, EnvoyTree> domains) {
        this.policies = policies;
        this.domains = domains;
    }

    /**
     * Reads every {@code *.yaml} and {@code *.yml} file of a directory, without its subdirectories.
     *
     * @throws PolicyException if the files are refused; it has all problems of all files
     * @throws IOException if the directory, or a file of it, cannot be read
     */
    public static EnvoyConfig load(Path directory) throws IOException {
        return read(directory, EnvoyDirectory.read(directory));
    }

    /**
     * Reads the texts of files.
     *
     * @param files the texts, by the names of the files in problems
     * @throws PolicyException if the files are refused; it has all problems of all files
     */
    public static EnvoyConfig parse(Map<String, String> files) {
        EnvoyConfigBuilder builder = new EnvoyConfigBuilder();
        new TreeMap<>(files).forEach((source, yaml) -> builder.add(source, problems -> yaml));
        return builder.build();
    }

    /** Reads the files of a directory. */
    static EnvoyConfig read(Path directory, SortedMap<String, FileContent> files) {
        if (files.isEmpty()) {
            throw new Problems(directory.toString())
                    .fatal(SourcePosition.START, "no files (expected: *.yaml or *.yml)");
        }
        EnvoyConfigBuilder builder = new EnvoyConfigBuilder();
        files.forEach((source, file) -> builder.add(source, problems -> YamlText.decode(file.bytes(), problems)));
        return builder.build();
    }

    /** The rules as policies, in the order of the files. */
    public Policies policies() {
        return policies;
    }

    /** The names of the domains. */
    public Set<String> domains() {
        return Collections.unmodifiableSet(domains.keySet());
    }

    /** The rule that a descriptor matches; empty if no rule limits it. */
    public Optional<EnvoyMatch> match(String domain, List<EnvoyEntry> descriptor) {
        EnvoyTree tree = domains.get(domain);
        EnvoyTarget target = tree == null ? null : tree.find(descriptor);
        return target == null ? Optional.empty() : Optional.of(target.match(descriptor));
    }

    /**
     * The rules for the descriptors of one call. A rule that another rule of the call {@linkplain EnvoyRule#replaces()
     * replaces} is dropped, as if nothing had matched. An unlimited rule is never dropped.
     *
     * @return one result for each descriptor, in the same order
     */
    public List<Optional<EnvoyMatch>> matchAll(String domain, List<? extends List<EnvoyEntry>> descriptors) {
        List<Optional<EnvoyMatch>> matches = new ArrayList<>(descriptors.size());
        Set<String> replaced = null;
        for (int i = 0; i < descriptors.size(); i++) {
            Optional<EnvoyMatch> match = match(domain, descriptors.get(i));
            matches.add(match);
            if (match.isPresent() && !match.get().rule().replaces().isEmpty()) {
                replaced = replaced == null ? new HashSet<>() : replaced;
                replaced.addAll(match.get().rule().replaces());
            }
        }
        if (replaced != null) {
            drop(matches, replaced);
        }
        return matches;
    }

    private static void drop(List<Optional<EnvoyMatch>> matches, Set<String> replaced) {
        matches.replaceAll(match -> match.filter(each -> {
            @Nullable String name = each.rule().name();
            return name == null || each.rule().unlimited() || !replaced.contains(name);
        }));
    }
}

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
 * Rate limits as envoyproxy/ratelimit has them: domains of nested descriptors. Each rule is a policy, so an engine decides
 * them; which rule a descriptor matches is found here.
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
    /** The attribute that names the rule, which is what its policy matches. */
    public static final String RULE = "envoy.rule";

    private final Policies policies;
    private final Map<String, EnvoyTree> domains;

    EnvoyConfig(Policies policies, Map<String, EnvoyTree> domains) {
        this.policies = policies;
        this.domains = domains;
    }

    /**
     * Reads every {@code *.yaml} and {@code *.yml} of a directory, but not of directories inside it.
     *
     * @throws PolicyException if it is refused; the exception holds all problems of all files
     * @throws IOException if the directory, or a file of it, cannot be read
     */
    public static EnvoyConfig load(Path directory) throws IOException {
        return read(directory, EnvoyDirectory.read(directory));
    }

    /**
     * Reads texts.
     *
     * @param files what they say, by what problems call them
     * @throws PolicyException if they are refused; the exception holds all problems of all files
     */
    public static EnvoyConfig parse(Map<String, String> files) {
        EnvoyConfigBuilder read = new EnvoyConfigBuilder();
        new TreeMap<>(files).forEach((source, yaml) -> read.add(source, problems -> yaml));
        return read.config();
    }

    /** Reads what was found in a directory. */
    static EnvoyConfig read(Path directory, SortedMap<String, FileContent> files) {
        if (files.isEmpty()) {
            throw new Problems(directory.toString())
                    .fatal(SourcePosition.START, "no files (expected: *.yaml or *.yml)");
        }
        EnvoyConfigBuilder read = new EnvoyConfigBuilder();
        files.forEach((source, file) -> read.add(source, problems -> YamlText.decode(file.bytes(), problems)));
        return read.config();
    }

    /** The rules as policies, in the order of the files; each matches its {@link #RULE}. */
    public Policies policies() {
        return policies;
    }

    /** The names of the domains. */
    public Set<String> domains() {
        return Collections.unmodifiableSet(domains.keySet());
    }

    /** The rule that a descriptor matches. If there is none, nothing limits it. */
    public Optional<EnvoyMatch> match(String domain, List<EnvoyEntry> descriptor) {
        EnvoyTree tree = domains.get(domain);
        EnvoyTarget target = tree == null ? null : tree.find(descriptor);
        return target == null ? Optional.empty() : Optional.of(target.match(descriptor));
    }

    /**
     * The rules for the descriptors of one call. One that another rule of the call {@linkplain EnvoyRule#replaces()
     * replaces} does not count: it is as if nothing had matched. Only an unlimited rule stays.
     *
     * @return one for each descriptor, in their order
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

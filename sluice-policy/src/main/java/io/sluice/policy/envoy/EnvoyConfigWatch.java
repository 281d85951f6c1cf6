package io.sluice.policy.envoy;

import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicyException;
import io.sluice.policy.watch.DaemonThreads;
import io.sluice.policy.watch.FileContent;
import io.sluice.policy.watch.PollingWatch;
import io.sluice.policy.yaml.Problems;
import io.sluice.policy.yaml.SourcePosition;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Watches a directory of envoyproxy/ratelimit files.
 *
 * <pre>{@code
 * EnvoyConfigWatch watch = EnvoyConfigWatch.open(directory);
 * PolicyEngine engine = PolicyEngine.builder().envoy(watch.config()).store(store).build();
 * watch.follow(engine::replace, problems -> {});
 * ...
 * PolicyView view = engine.view();
 * view.envoy().get().match(domain, descriptor)
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class EnvoyConfigWatch implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.sluice.policy");

    private final Path directory;
    private final SortedMap<String, FileContent> first;
    private final ExecutorService worker = DaemonThreads.single("sluice-envoy-config");
    private @Nullable PollingWatch<Optional<SortedMap<String, FileContent>>> watch;
    private boolean closed;
    private volatile EnvoyConfig config;

    private EnvoyConfigWatch(Path directory, SortedMap<String, FileContent> first) {
        this.directory = directory;
        this.first = first;
        this.config = EnvoyConfig.read(directory, first);
    }

    /**
     * Reads a directory.
     *
     * @throws PolicyException if it is refused
     * @throws IOException if it cannot be read
     */
    public static EnvoyConfigWatch open(Path directory) throws IOException {
        return new EnvoyConfigWatch(directory, EnvoyDirectory.read(directory));
    }

    /** What is in force. */
    public EnvoyConfig config() {
        return config;
    }

    /**
     * Follows the directory from what {@link #open} found.
     *
     * <p>A request that is matched while a change comes into force is decided by what it was matched by: see {@link
     * PolicyEngine#view()}.
     *
     * @param changed puts another configuration in force; it is {@link #config()} as soon as this returns, and not if it
     *     throws
     * @param refused hears why a change was refused; what was in force stays
     */
    public synchronized void follow(Consumer<EnvoyConfig> changed, Consumer<PolicyException> refused) {
        Objects.requireNonNull(changed, "changed");
        Objects.requireNonNull(refused, "refused");
        if (watch != null || closed) {
            throw new IllegalStateException(closed ? "closed" : "followed already (expected: once)");
        }
        watch = new PollingWatch<>(this::found, Optional.of(first), worker, files -> read(files, changed, refused));
    }

    private Optional<SortedMap<String, FileContent>> found() {
        try {
            return Optional.of(EnvoyDirectory.read(directory));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private void read(
            Optional<SortedMap<String, FileContent>> files,
            Consumer<EnvoyConfig> changed,
            Consumer<PolicyException> refused) {
        try {
            if (files.isEmpty()) {
                String message = "cannot be read (expected: a directory of *.yaml or *.yml files)";
                throw new Problems(directory.toString()).fatal(SourcePosition.START, message);
            }
            EnvoyConfig next = EnvoyConfig.read(directory, files.get());
            changed.accept(next);
            config = next;
        } catch (PolicyException e) {
            LOG.log(Level.WARNING, "{0} refused, what was in force stays:\n{1}", directory, e.getMessage());
            tell(refused, e);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "while " + directory + " was put in force", e);
        }
    }

    private static void tell(Consumer<PolicyException> refused, PolicyException problems) {
        try {
            refused.accept(problems);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "a listener of policies failed", e);
        }
    }

    /** Stops following. */
    @Override
    public synchronized void close() {
        closed = true;
        if (watch != null) {
            watch.close();
        }
        worker.shutdownNow();
    }
}

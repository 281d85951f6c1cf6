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
    private final ExecutorService worker = DaemonThreads.background("sluice-envoy-config");
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
     * @throws PolicyException if the files are refused
     * @throws IOException if the directory cannot be read
     */
    public static EnvoyConfigWatch open(Path directory) throws IOException {
        return new EnvoyConfigWatch(directory, EnvoyDirectory.read(directory));
    }

    /** The configuration in force. */
    public EnvoyConfig config() {
        return config;
    }

    /**
     * Starts to watch the directory for changes since {@link #open}.
     *
     * <p>A request that is matched while the configuration changes is decided by the configuration that it was matched
     * by, see {@link PolicyEngine#view()}.
     *
     * @param changed puts another configuration in force; that is {@link #config()} after this returns, but not if it
     *     throws
     * @param refused is called with the problems of a change that was refused; the old configuration stays in force
     */
    public synchronized void follow(Consumer<EnvoyConfig> changed, Consumer<PolicyException> refused) {
        Objects.requireNonNull(changed, "changed");
        Objects.requireNonNull(refused, "refused");
        if (watch != null || closed) {
            throw new IllegalStateException(closed ? "closed" : "followed already (expected: one call of follow)");
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
            LOG.log(
                    Level.WARNING,
                    "{0} refused, the configuration before it stays in force:\n{1}",
                    directory,
                    e.getMessage());
            notify(refused, e);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "putting " + directory + " in force failed", e);
        }
    }

    private static void notify(Consumer<PolicyException> refused, PolicyException problems) {
        try {
            refused.accept(problems);
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "a policy listener failed", e);
        }
    }

    /** Stops the watch. */
    @Override
    public synchronized void close() {
        closed = true;
        if (watch != null) {
            watch.close();
        }
        worker.shutdownNow();
    }
}

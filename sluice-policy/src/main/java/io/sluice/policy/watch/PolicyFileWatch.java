package io.sluice.policy.watch;

import io.sluice.policy.Policies;
import io.sluice.policy.PolicyException;
import io.sluice.policy.Problem;
import io.sluice.policy.WebhookHosts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/** Watches a policy file, and reports each change. */
public final class PolicyFileWatch implements AutoCloseable {
    /** Receives the changes of the file. */
    public interface Listener {
        /** Whether the active policies have exactly this text. */
        boolean isActive(byte[] bytes);

        /**
         * The file has other policies than before.
         *
         * @param isUnchanged whether the file still has this content: it may have been replaced after it was read
         */
        void changed(Policies policies, BooleanSupplier isUnchanged);

        /** The file is not valid; the active policies stay in force. */
        void refused(PolicyException problems);
    }

    private final Path file;
    private final WebhookHosts hosts;
    private final Listener listener;
    private final PollingWatch<Optional<FileContent>> watch;

    /** The content that was read last. */
    private volatile FileContent latest;

    /**
     * Starts to watch.
     *
     * @param read the content of the file when its policies were put in force
     * @param hosts the hosts that alerts of the file may be posted to
     * @param worker the thread that reads the file
     */
    public PolicyFileWatch(Path file, byte[] read, WebhookHosts hosts, Executor worker, Listener listener) {
        this.file = file;
        this.hosts = hosts;
        this.listener = listener;
        latest = new FileContent(read);
        watch = new PollingWatch<>(this::found, Optional.of(latest), worker, this::read);
    }

    /** The content of the file; empty if it cannot be read. */
    private Optional<FileContent> found() {
        try {
            latest = FileContent.read(file, latest);
            return Optional.of(latest);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private void read(Optional<FileContent> content) {
        try {
            if (content.isEmpty()) {
                String message = "cannot be read (expected: a policy file)";
                throw new PolicyException(List.of(new Problem(Problem.Severity.ERROR, file.toString(), 1, 1, message)));
            }
            if (listener.isActive(content.get().bytes())) {
                return;
            }
            Policies policies = Policies.parse(content.get().bytes(), file.toString(), hosts);
            listener.changed(policies, () -> found().equals(content));
        } catch (PolicyException e) {
            listener.refused(e);
        }
    }

    @Override
    public void close() {
        watch.close();
    }
}

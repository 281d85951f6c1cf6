package io.sluice.policy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/** Watches a file of policies, and has it put in force when it changes. */
final class PolicyFileWatch implements AutoCloseable {
    /** What is done with what the file says. */
    interface Reader {
        /** Whether the policies in force say just that. */
        boolean isKnown(byte[] bytes);

        /**
         * The file says something else.
         *
         * @param stillSo whether the file still says so: somebody may have replaced it since it was read
         */
        void replaced(Policies policies, BooleanSupplier stillSo);

        void refused(PolicyException problems);
    }

    private final Path file;
    private final WebhookHosts hosts;
    private final Reader reader;
    private final SettledWatch<Optional<FileBytes>> watch;

    /**
     * @param read what the file said when its policies were put in force
     * @param hosts where its alerts may be posted to
     * @param worker where files are read
     */
    PolicyFileWatch(Path file, byte[] read, WebhookHosts hosts, Executor worker, Reader reader) {
        this.file = file;
        this.hosts = hosts;
        this.reader = reader;
        watch = new SettledWatch<>(() -> found(file), Optional.of(new FileBytes(read)), worker, this::read);
    }

    /** What the file says, if it can be read. */
    private static Optional<FileBytes> found(Path file) {
        try {
            return Optional.of(FileBytes.read(file));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private void read(Optional<FileBytes> bytes) {
        try {
            if (bytes.isEmpty()) {
                String message = "cannot be read (expected: a file of policies)";
                throw new PolicyException(List.of(new Problem(Problem.Severity.ERROR, file.toString(), 1, 1, message)));
            }
            if (reader.isKnown(bytes.get().bytes)) {
                return;
            }
            Policies policies = Policies.parse(bytes.get().bytes, file.toString(), hosts);
            reader.replaced(policies, () -> found(file).equals(bytes));
        } catch (PolicyException e) {
            reader.refused(e);
        }
    }

    @Override
    public void close() {
        watch.close();
    }
}

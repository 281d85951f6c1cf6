package io.sluice.server.admin;

import io.sluice.policy.PolicyEngine;
import io.sluice.policy.TemporaryOverride;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The temporary overrides of a single server, in a file of the data directory. Without it they last until the server stops. */
public final class FileOverrideRepository implements OverrideRepository {
    private final PolicyEngine engine;
    private final @Nullable Path file;

    /** @param dataDir null if there is none */
    public FileOverrideRepository(PolicyEngine engine, @Nullable Path dataDir) {
        this.engine = engine;
        this.file = dataDir == null ? null : dataDir.resolve("overrides.json");
        if (file != null) {
            try {
                engine.temporaryOverrides(
                        OverrideText.holding(OverrideText.parse(Files.readString(file)), Instant.now()));
            } catch (NoSuchFileException e) {
                // There were none yet.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public synchronized void change(UnaryOperator<List<TemporaryOverride>> change) throws IOException {
        List<TemporaryOverride> next = change.apply(engine.temporaryOverrides());
        if (file != null) {
            AtomicFile.replaceOwn(
                    file, OverrideText.of(next).getBytes(StandardCharsets.UTF_8), FileTime.from(Instant.now()));
        }
        engine.temporaryOverrides(next);
    }

    @Override
    public boolean durable() {
        return file != null;
    }

    @Override
    public void close() {}
}

package io.sluice.server;

import io.sluice.policy.Policies;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The policies of a server that was given none. */
final class Sample {
    private Sample() {}

    static Policies policies() {
        try (InputStream in = Objects.requireNonNull(Sample.class.getResourceAsStream("sample.yaml"))) {
            return Policies.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8), "sample.yaml");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

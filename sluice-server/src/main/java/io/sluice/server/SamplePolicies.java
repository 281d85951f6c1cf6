package io.sluice.server;

import io.sluice.policy.Policies;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The built-in policies of a server that has no policy file. */
final class SamplePolicies {
    private SamplePolicies() {}

    static Policies load() {
        try (InputStream in = Objects.requireNonNull(SamplePolicies.class.getResourceAsStream("sample.yaml"))) {
            return Policies.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8), "sample.yaml");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

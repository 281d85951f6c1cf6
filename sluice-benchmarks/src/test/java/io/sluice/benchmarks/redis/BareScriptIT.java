package io.sluice.benchmarks.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BareScriptIT {
    /** {@code load} itself refuses a script that does not decide. */
    @Test
    void load_onRedis_givesAScriptThatDecides() {
        try (Redis redis = Redis.embedded()) {
            assertThat(BareScript.load(redis, new Keys())).matches("[0-9a-f]{40}");
        }
    }
}

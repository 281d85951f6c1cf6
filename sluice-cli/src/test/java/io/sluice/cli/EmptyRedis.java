package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.redis.RedisProcess;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A JUnit extension that starts a Redis for a test class, and checks after each test that the Redis is empty. */
public final class EmptyRedis implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    private @Nullable RedisProcess redis;

    public String uri() {
        return redis().uri();
    }

    private RedisProcess redis() {
        return Objects.requireNonNull(redis, "before all tests");
    }

    public static void assertEmpty(RedisProcess redis) {
        assertThat(redis.command("DBSIZE")).isEqualTo("0");
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        redis = RedisProcess.start();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        assertEmpty(redis());
    }

    @Override
    public void afterAll(ExtensionContext context) {
        redis().close();
    }
}

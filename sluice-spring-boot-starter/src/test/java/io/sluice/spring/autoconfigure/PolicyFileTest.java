package io.sluice.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicyException;
import io.sluice.policy.PolicyListener;
import io.sluice.spring.SluiceSettingsException;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** {@code sluice.config}. */
class PolicyFileTest {
    /** Records what becomes of the changes of a file. */
    private static final class Changes implements PolicyListener {
        private final BlockingQueue<String> changes = new LinkedBlockingQueue<>();

        @Override
        public void replaced(Policies policies, long version) {
            changes.add(policies.policies().get(0).limit().toString());
        }

        @Override
        public void refused(PolicyException problems) {
            changes.add(String.valueOf(problems.getMessage()));
        }

        @Nullable
        String next() throws InterruptedException {
            return changes.poll(1, TimeUnit.MINUTES);
        }
    }

    private Path directory = Path.of("");
    private Path file = Path.of("");

    @BeforeEach
    void write(@TempDir Path temporary) throws IOException {
        directory = temporary;
        file = directory.resolve("policies.yaml");
        write("limit: 2/h");
    }

    private void write(String limit) throws IOException {
        Files.writeString(file, "version: 1\npolicies:\n- { name: a, " + limit + " }\n");
    }

    private static ApplicationContextRunner runner(String config) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(SluiceAutoConfiguration.class))
                .withPropertyValues("sluice.store=memory", "sluice.config=" + config);
    }

    private static long left(PolicyEngine engine) {
        return engine.check(Map.of(), 0).results().get(0).decision().remaining();
    }

    @Test
    void file_isReadAgain_andAnErrorChangesNothing() {
        Changes changes = new Changes();
        runner("file:" + file).withBean(PolicyListener.class, () -> changes).run(context -> {
            PolicyEngine engine = context.getBean(PolicyEngine.class);
            engine.check(Map.of());
            assertThat(left(engine)).isEqualTo(1);

            write("limit: 10/h");
            assertThat(changes.next()).isEqualTo("token-bucket 10/h");
            assertThat(left(engine)).isEqualTo(9);

            write("limt: 20/h");
            assertThat(changes.next()).contains(file + ":3").contains("limt");
            assertThat(left(engine)).isEqualTo(9);

            write("limit: 30/h");
            assertThat(changes.next()).isEqualTo("token-bucket 30/h");
        });
    }

    @Test
    void classpathResource_isRead() throws Exception {
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {directory.toUri().toURL()}, getClass().getClassLoader())) {
            runner("classpath:policies.yaml")
                    .withClassLoader(loader)
                    .run(context -> assertThat(left(context.getBean(PolicyEngine.class)))
                            .isEqualTo(2));
        }
    }

    @Test
    void fileWithAnError_failsTheStart_withFileAndLine() throws IOException {
        write("limit: often");
        runner("file:" + file)
                .run(context -> assertThat(analysis(context.getStartupFailure()).getDescription())
                        .contains(file + ":3")
                        .contains("often"));
    }

    @Test
    void fileThatIsMissing_failsTheStart() {
        runner("file:" + directory.resolve("other.yaml"))
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(SluiceSettingsException.class)
                        .hasMessageContaining("other.yaml")
                        .hasMessageContaining("cannot be read"));
    }

    private static FailureAnalysis analysis(@Nullable Throwable failure) {
        return Objects.requireNonNull(new SettingsFailureAnalyzer().analyze(Objects.requireNonNull(failure)));
    }
}

package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.ManualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The files in docs/examples behave as docs/reference/policies.md describes. */
class ExamplesTest {
    private static final Path EXAMPLES = Path.of("..", "docs", "examples");

    private final ManualTime time = new ManualTime();
    private PolicyEngine engine = PolicyEngine.builder().time(time).build();

    static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            return files.sorted().toList();
        }
    }

    private void use(String file) throws IOException {
        engine.close();
        engine = PolicyEngine.builder()
                .policies(Policies.load(EXAMPLES.resolve(file)))
                .time(time)
                .build();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @ParameterizedTest
    @MethodSource("files")
    void example_isReadWithoutProblems(Path file) throws IOException {
        Policies policies = Policies.load(file);
        assertThat(policies.policies()).isNotEmpty();
        assertThat(policies.warnings()).isEmpty();
    }

    @Test
    void apiPlans_eachPlanHasItsOwnBurst() throws IOException {
        use("api-plans.yaml");
        Map<String, String> free = Map.of("path", "/api/orders", "tenant", "small");
        assertThat(admitted(free, 100)).isEqualTo(16);
        assertThat(engine.check(free).violated()).containsExactly("plan-rate");
        assertThat(admitted(with(free, "priority", "critical"), 100)).isEqualTo(4);
        assertThat(admitted(Map.of("path", "/api/orders", "tenant", "acme", "plan", "pro"), 200))
                .isEqualTo(80);
        assertThat(admitted(Map.of("path", "/api/orders", "tenant", "big", "plan", "enterprise"), 2000))
                .isEqualTo(800);
        assertThat(admitted(Map.of("path", "/health"), 2000)).isEqualTo(2000);
    }

    @Test
    void apiPlans_theDayEndsFree() throws IOException {
        use("api-plans.yaml");
        Map<String, String> free = Map.of("path", "/api/orders", "tenant", "small");
        long admitted = 0;
        for (int i = 0; i < 1200; i++) {
            admitted += admitted(free, 1);
            time.advance(Duration.ofSeconds(1));
        }
        assertThat(admitted).isEqualTo(1000);
        assertThat(engine.check(free).violated()).containsExactly("plan-day");
    }

    @Test
    void login_fiveGuessesThenFiveMinutes() throws IOException {
        use("login.yaml");
        Map<String, String> guess =
                Map.of("path", "/x/../login", "method", "POST", "ip", "2001:db8::1", "user", "alice");
        assertThat(admitted(guess, 10)).isEqualTo(5);
        assertThat(engine.check(guess).retryAfterMicros()).isEqualTo(300_000_000);
        time.advance(Duration.ofMinutes(5));
        assertThat(engine.check(guess).allowed()).isTrue();
    }

    @Test
    void login_aNetworkIsOneAddress() throws IOException {
        use("login.yaml");
        Map<String, String> guess = Map.of("path", "/login", "method", "POST");
        long admitted = 0;
        for (int i = 0; i < 30; i++) {
            admitted += admitted(with(with(guess, "ip", "2001:db8::" + i), "user", "user" + i), 1);
        }
        assertThat(admitted).isEqualTo(20);
        Map<String, String> inside = with(guess, "ip", "10.1.2.3");
        assertThat(engine.check(with(inside, "user", "bob")).results())
                .extracting(PolicyResult::policy)
                .containsExactly("login-account", "login-overall");
    }

    @Test
    void partner_callsAreSpacedAndTheQueueIsBounded() throws IOException {
        use("partner.yaml");
        Map<String, String> call = Map.of("partner", "maps");
        assertThat(engine.check(call).delayMicros()).isZero();
        assertThat(engine.check(call).delayMicros()).isEqualTo(100_000);
        assertThat(engine.check(call).delayMicros()).isEqualTo(200_000);
        assertThat(admitted(call, 200)).isEqualTo(97);
        assertThat(engine.check(call).retryAfterMicros()).isEqualTo(100_000);
    }

    @Test
    void pull_sixHundredAMinute() throws IOException {
        use("pull.yaml");
        Map<String, String> pull =
                Map.of("path", "/v1/queues/jobs/pull", "method", "GET", "tenant", "acme", "ip", "192.0.2.1");
        assertThat(admitted(pull, 100)).isEqualTo(60);
        long admitted = 0;
        for (int i = 0; i < 1200; i++) {
            time.advance(Duration.ofMillis(50));
            admitted += admitted(pull, 1);
        }
        assertThat(admitted).isEqualTo(600);
        assertThat(admitted(with(pull, "tenant", "billing"), 200)).isEqualTo(200);
    }

    private static Map<String, String> with(Map<String, String> request, String attribute, String value) {
        Map<String, String> more = new HashMap<>(request);
        more.put(attribute, value);
        return more;
    }

    private long admitted(Map<String, String> request, int times) {
        long admitted = 0;
        for (int i = 0; i < times; i++) {
            admitted += engine.check(request).allowed() ? 1 : 0;
        }
        return admitted;
    }
}

package io.sluice.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import io.sluice.memory.MemoryStore;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.TemporaryOverride;
import io.sluice.spi.Edition;
import io.sluice.spi.Publication;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Overrides that other processes publish at the same time. */
class RedisOverrideRepositoryTest {
    private MemoryStore store;
    private PolicyEngine engine;

    @BeforeEach
    void open() {
        store = MemoryStore.builder().build();
        engine = PolicyEngine.builder()
                .store(store)
                .policies(Policies.parse(
                        "version: 1\npolicies:\n  - { name: per-tenant, key: [tenant], limit: 5/h }\n",
                        "policies.yaml"))
                .build();
    }

    @AfterEach
    void close() {
        engine.close();
        store.close();
    }

    private static TemporaryOverride override(String tenant) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        return new TemporaryOverride(
                "per-tenant", Map.of("tenant", tenant), Limit.parse("9/h"), now, now.plusSeconds(600), null);
    }

    private static List<TemporaryOverride> with(List<TemporaryOverride> stored, TemporaryOverride more) {
        List<TemporaryOverride> all = new ArrayList<>(stored);
        all.add(more);
        return all;
    }

    @Test
    void change_whenAnotherProcessPublishesBeforeTheAnswer_keepsWhatIsNewer() {
        TemporaryOverride ours = override("ours");
        TemporaryOverride theirs = override("theirs");
        Publication shared = store.publication("overrides");
        Publication slow = new SlowAnswers(shared, () -> shared.publish(OverrideText.of(List.of(ours, theirs)), 1));
        try (RedisOverrideRepository repository = new RedisOverrideRepository(engine, slow)) {
            repository.change(stored -> with(stored, ours));

            assertThat(engine.temporaryOverrides()).containsExactly(ours, theirs);
        }
    }

    @Test
    void change_isAppliedAgain_whenAnotherProcessWasFaster() {
        TemporaryOverride ours = override("ours");
        TemporaryOverride theirs = override("theirs");
        Publication shared = store.publication("overrides");
        List<Integer> stored = new ArrayList<>();
        try (RedisOverrideRepository repository = new RedisOverrideRepository(engine, shared)) {
            repository.change(before -> {
                stored.add(before.size());
                if (stored.size() == 1) {
                    shared.publish(OverrideText.of(List.of(theirs)), 0);
                }
                return with(before, ours);
            });
        }

        assertThat(stored).containsExactly(0, 1);
        assertThat(engine.temporaryOverrides()).containsExactly(theirs, ours);
    }

    /** A publication whose answer to a change comes after something else has happened. */
    private record SlowAnswers(Publication shared, Runnable before) implements Publication {
        @Override
        public String name() {
            return shared.name();
        }

        @Override
        public CompletionStage<Optional<Edition>> latest() {
            return shared.latest();
        }

        @Override
        public CompletionStage<List<Edition>> history() {
            return shared.history();
        }

        @Override
        public CompletionStage<Edition> publish(String text, long after) {
            CompletionStage<Edition> published = shared.publish(text, after);
            before.run();
            return published;
        }

        @Override
        public Runnable follow(Consumer<Edition> listener) {
            return shared.follow(listener);
        }
    }
}

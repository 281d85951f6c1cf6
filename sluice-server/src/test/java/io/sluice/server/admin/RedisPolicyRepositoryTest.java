package io.sluice.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.memory.MemoryStore;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyEngine;
import io.sluice.spi.Edition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Editions that other processes publish between the comparison and the change. */
class RedisPolicyRepositoryTest {
    private static final String FILE = yaml(1);

    private MemoryStore store;
    private PolicyEngine engine;
    private RedisPolicyRepository repository;

    private static String yaml(int permits) {
        return "version: 1\npolicies:\n  - { name: all, limit: " + permits + "/s }\n";
    }

    @BeforeEach
    void open() {
        store = MemoryStore.builder().build();
        engine = PolicyEngine.builder()
                .store(store)
                .policies(Policies.parse(FILE, "policies.yaml"))
                .published()
                .build();
        repository = new RedisPolicyRepository(engine, store.publication("policies"));
    }

    @AfterEach
    void close() {
        engine.close();
        store.close();
    }

    /** Accepts one text. After the first comparison, another process publishes. */
    private Predicate<String> whileAnotherPublishes(String expected, String other, List<String> compared) {
        return text -> {
            compared.add(text);
            if (compared.size() == 1) {
                store.publication("policies")
                        .publish(other, 0)
                        .toCompletableFuture()
                        .join();
            }
            return text.equals(expected);
        };
    }

    @Test
    void replace_whenAnotherTextWasPublishedMeanwhile_fails() {
        List<String> compared = new ArrayList<>();
        assertThatThrownBy(() -> repository.replace(
                        Policies.parse(yaml(3), "test"), whileAnotherPublishes(FILE, yaml(2), compared)))
                .isInstanceOfSatisfying(
                        PreconditionFailedException.class,
                        other -> assertThat(other.tag()).isEqualTo(PolicyETag.of(yaml(2))));
        assertThat(compared).containsExactly(FILE, yaml(2));
        assertThat(repository.latest())
                .extracting(Edition::number, Edition::text)
                .containsExactly(1L, yaml(2));
    }

    @Test
    void replace_whenTheSameTextWasPublishedMeanwhile_succeeds() {
        List<String> compared = new ArrayList<>();
        assertThat(repository.replace(Policies.parse(yaml(3), "test"), whileAnotherPublishes(FILE, FILE, compared)))
                .isEqualTo(new PolicyRepository.Change(1, 2));
        assertThat(compared).containsExactly(FILE, FILE);
        assertThat(repository.latest().text()).isEqualTo(yaml(3));
    }
}

package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ReservationEndedException;
import io.sluice.StoreUnavailableException;
import io.sluice.redis.RedisStore;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.redis.RedisCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/*
 * Each reservation has a key of its own in one policy. So at the end Redis says what was charged for each of them, and it must be what
 * its client knows: the estimate if it was never settled, or else the cost of the one settle that won. A call that was in flight when
 * its replica closed may have been executed or not. Then there are two permitted values, and the policies must still agree.
 *
 * On a cluster, the charges of a request are on several slots. A reserve that ends between two slots because its process dies leaves the
 * estimate on some of them. So there, only the replica that lives reserves, and all settle.
 */
/** Clients of two replicas reserve, work for a while, and settle or not, while one replica is replaced. */
class SettleChaosIT {
    private static final int CLIENTS = 64;
    private static final int CALLS_OF_EACH = 30;
    private static final int TENANTS = 3;
    private static final long LIMIT = 1_000_000_000;
    private static final String POLICIES = """
            - { name: total, limit: fixed-window 1000000000 per 30d from-first, on-store-failure: deny }
            - { name: per-tenant, key: [tenant], limit: fixed-window 1000000000 per 30d from-first, charge: always, on-store-failure: deny }
            - { name: per-call, key: [call], limit: fixed-window 1000000000 per 30d from-first, on-store-failure: deny }
            """;

    private final String prefix = PolicyRedis.newPrefix();
    private List<String> uris = List.of(PolicyRedis.PROCESS.uri());
    private int reservers = 2;
    private final AtomicReferenceArray<Replica> replicas = new AtomicReferenceArray<>(2);
    private final Semaphore done = new Semaphore(0);

    /** An engine on a store of its own, as another process has it. */
    private record Replica(RedisStore store, PolicyEngine engine) {
        static Replica start(String prefix, List<String> uris) {
            RedisStore store = PolicyRedis.patient()
                    .uri(uris.get(0), uris.stream().skip(1).toArray(String[]::new))
                    .prefix(prefix)
                    .build();
            return new Replica(
                    store,
                    PolicyEngine.builder()
                            .store(store)
                            .policies(EngineTests.policies(POLICIES))
                            .build());
        }

        void close() {
            engine.close();
            store.close();
        }
    }

    /**
     * What a client knows about a reservation at the end.
     *
     * @param charged what may be charged; one value, unless a replica closed under a call
     */
    private record Known(String tenant, String call, TreeSet<Long> charged) {}

    /** How a settle ended: by this caller, by another one, or by one of both. */
    private enum Outcome {
        WON,
        LOST,
        DONE_BY_SOMEBODY
    }

    @Test
    void charged_isWhatWasSettled_andTheEstimatesOfTheOthers() throws Exception {
        run();
    }

    @Test
    void onACluster_charged_isWhatWasSettled_andTheEstimatesOfTheOthers() throws Exception {
        try (RedisCluster cluster = RedisCluster.start(3, 0)) {
            uris = cluster.uris();
            reservers = 1;
            run();
        }
    }

    private void run() throws Exception {
        replicas.set(0, Replica.start(prefix, uris));
        replicas.set(1, Replica.start(prefix, uris));
        List<Known> known = new ArrayList<>();
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<List<Known>>> results = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int client = i;
                results.add(clients.submit(() -> client(client)));
            }
            for (int i = 0; i < 2; i++) {
                assertThat(done.tryAcquire(CLIENTS * CALLS_OF_EACH / 3, 2, TimeUnit.MINUTES))
                        .as("clients go on")
                        .isTrue();
                replicas.getAndSet(1, Replica.start(prefix, uris)).close();
            }
            for (Future<List<Known>> result : results) {
                known.addAll(result.get(2, TimeUnit.MINUTES));
            }
            assertCharged(known);
        } finally {
            clients.shutdownNow();
            replicas.get(0).close();
            replicas.get(1).close();
        }
    }

    private List<Known> client(int client) throws Exception {
        Random random = new Random(client);
        List<Known> known = new ArrayList<>();
        for (int i = 0; i < CALLS_OF_EACH; i++) {
            known.add(call("tenant-" + random.nextInt(TENANTS), client + "-" + i, random));
            done.release();
        }
        return known;
    }

    private Known call(String tenant, String call, Random random) throws Exception {
        long estimate = 1L + random.nextInt(1000);
        Known known = new Known(tenant, call, new TreeSet<>());
        boolean cancels = random.nextInt(12) == 0;
        CompletableFuture<PolicyReservation> reserving = replicas.get(cancels ? 0 : random.nextInt(reservers))
                .engine
                .reserveAsync(Map.of("tenant", tenant, "call", call), estimate, Duration.ofHours(1))
                .toCompletableFuture();
        if (cancels) {
            LockSupport.parkNanos(random.nextInt(1_000_000));
            if (reserving.cancel(false)) {
                known.charged.add(0L);
                return known;
            }
        }
        PolicyReservation reservation;
        try {
            reservation = await(reserving);
        } catch (IllegalStateException e) {
            known.charged.addAll(List.of(0L, estimate));
            return known;
        }
        if (!reservation.allowed()) {
            assertThat(reservation.decision().degraded())
                    .as("only a closed replica denies")
                    .isTrue();
            known.charged.addAll(List.of(0L, estimate));
            return known;
        }
        LockSupport.parkNanos(random.nextInt(3_000_000));
        String text = reservation.text().orElseThrow();
        int plan = random.nextInt(10);
        if (plan == 0) {
            known.charged.add(estimate);
        } else if (plan <= 3) {
            settleTwice(known, text, random);
        } else {
            long actual = random.nextInt(2000);
            Outcome outcome = settle(text, actual, random.nextInt(2));
            assertThat(outcome).as("nobody else settles it").isNotEqualTo(Outcome.LOST);
            known.charged.add(actual);
        }
        return known;
    }

    /** Two threads settle with different costs: one of them wins. */
    private void settleTwice(Known known, String text, Random random) throws Exception {
        long one = random.nextInt(2000);
        long other = 2000L + random.nextInt(2000);
        int first = random.nextInt(2);
        int second = random.nextInt(2);
        CompletableFuture<Outcome> thread = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        thread.complete(settle(text, one, first));
                    } catch (Throwable e) {
                        thread.completeExceptionally(e);
                    }
                })
                .start();
        Outcome ofOther = settle(text, other, second);
        Outcome ofOne = thread.get(2, TimeUnit.MINUTES);
        assertThat(List.of(ofOne, ofOther)).isNotEqualTo(List.of(Outcome.WON, Outcome.WON));
        assertThat(List.of(ofOne, ofOther)).isNotEqualTo(List.of(Outcome.LOST, Outcome.LOST));
        if (ofOne != Outcome.LOST && ofOther != Outcome.WON) {
            known.charged.add(one);
        }
        if (ofOther != Outcome.LOST && ofOne != Outcome.WON) {
            known.charged.add(other);
        }
    }

    /** Settles, and tries again at the next replica as long as the store does not answer. */
    private Outcome settle(String text, long actual, int firstReplica) throws Exception {
        boolean uncertain = false;
        for (int i = firstReplica; ; i++) {
            try {
                await(replicas.get(i % 2).engine.settleAsync(text, actual).toCompletableFuture());
                return Outcome.WON;
            } catch (ReservationEndedException e) {
                return uncertain ? Outcome.DONE_BY_SOMEBODY : Outcome.LOST;
            } catch (StoreUnavailableException | IllegalStateException e) {
                uncertain = true;
            }
        }
    }

    /** The result, or the exception itself. */
    private static <T> T await(CompletableFuture<T> future) throws Exception {
        try {
            return future.get(2, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    private void assertCharged(List<Known> known) {
        long total = 0;
        long certain = 0;
        Map<String, Long> byTenant = new HashMap<>();
        for (Known each : known) {
            // A reserve that was cancelled gives back when its answer arrives.
            Eventually.await(
                    each.toString(), () -> each.charged.contains(charged("per-call", Map.of("call", each.call))));
            long charged = charged("per-call", Map.of("call", each.call));
            total += charged;
            byTenant.merge(each.tenant, charged, Long::sum);
            certain += each.charged.size() == 1 ? 1 : 0;
        }
        assertThat(known).hasSize(CLIENTS * CALLS_OF_EACH);
        assertThat(certain).as("most of them are certain").isGreaterThan(CLIENTS * CALLS_OF_EACH * 3L / 4);
        long sum = total;
        Eventually.await("total is " + sum, () -> charged("total", Map.of()) == sum);
        byTenant.forEach((tenant, sumOfTenant) -> Eventually.await(
                tenant + " has " + sumOfTenant, () -> charged("per-tenant", Map.of("tenant", tenant)) == sumOfTenant));
    }

    private long charged(String policy, Map<String, String> attributes) {
        PolicyDecision decision = replicas.get(0).engine.check(PolicySelection.only(policy), attributes, 0);
        assertThat(decision.degraded()).isFalse();
        return LIMIT - decision.results().get(0).decision().remaining();
    }
}

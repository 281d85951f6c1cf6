package io.sluice.policy.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.Alert;
import io.sluice.policy.AlertCondition;
import io.sluice.policy.AlertEvent;
import io.sluice.policy.AlertListener;
import io.sluice.policy.Counts;
import io.sluice.policy.RecordingAlertListener;
import io.sluice.policy.metrics.PolicyCounters;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AlertWatchTest {
    private final ManualTime time = new ManualTime();
    private final PolicyCounters requests = PolicyCounters.ofRequests(() -> 0);
    private final Map<String, PolicyCounters> policies = new ConcurrentHashMap<>();
    private final AlertWatch watch = new AlertWatch(time, requests, () -> policies);
    private final RecordingAlertListener events = new RecordingAlertListener();

    private final Logger logger = Logger.getLogger("io.sluice.policy");
    private @Nullable Level level;
    private final LinkedBlockingQueue<LogRecord> logged = new LinkedBlockingQueue<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            logged.add(line);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        // Other tests in this JVM may have raised the level.
        level = logger.getLevel();
        logger.setLevel(Level.INFO);
        logger.setUseParentHandlers(false);
        logger.addHandler(handler);
        watch.add(events);
    }

    @AfterEach
    void close() {
        watch.close();
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
        logger.setLevel(level);
    }

    private static Alert alert(@Nullable String policy, String when, int seconds, long atLeast, String... tell) {
        return new Alert(
                "busy", policy, AlertCondition.parse(when), Duration.ofSeconds(seconds), atLeast, List.of(tell));
    }

    private void seconds(int seconds) {
        time.advance(Duration.ofSeconds(seconds));
    }

    private LogRecord nextLogged() throws InterruptedException {
        LogRecord line = logged.poll(10, TimeUnit.SECONDS);
        assertThat(line).as("the next line of the log").isNotNull();
        return line;
    }

    @Test
    void alert_conditionHoldsThenNot_firesOnceAndResolvesOnce() throws Exception {
        Alert alert = alert(null, "denied > 5", 10, 0);
        watch.watch(List.of(alert));
        deny(requests, 6);
        seconds(1);
        assertThat(watch.firing()).hasSize(1);
        seconds(8);
        assertThat(watch.firing()).hasSize(1);
        seconds(10);
        assertThat(watch.firing()).isEmpty();
        deny(requests, 7);
        seconds(1);

        Instant start = Instant.ofEpochSecond(ManualTime.START_MICROS / 1_000_000);
        assertThat(events.next()).isEqualTo(new AlertEvent(alert, true, new Counts(0, 6, 0, 0), start.plusSeconds(1)));
        assertThat(events.next()).isEqualTo(new AlertEvent(alert, false, Counts.NONE, start.plusSeconds(11)));
        assertThat(events.next()).isEqualTo(new AlertEvent(alert, true, new Counts(0, 7, 0, 0), start.plusSeconds(20)));
        assertThat(events.waiting()).isZero();
    }

    @Test
    void alert_windowSlides_countsExactlyTheLastSeconds() {
        watch.watch(List.of(alert(null, "denied >= 10", 5, 0)));
        // One a second is 5 in any 5 seconds; with 6 more in one second it is 11 while that second is among the last 5.
        for (int second = 1; second <= 30; second++) {
            deny(requests, second == 12 ? 7 : 1);
            seconds(1);
            assertThat(watch.firing()).as("second %d", second).hasSize(second >= 12 && second <= 16 ? 1 : 0);
        }
    }

    @Test
    void alert_tooFewDecisions_doesNotFire() {
        watch.watch(List.of(alert(null, "denied / total > 30%", 10, 20)));
        deny(requests, 19);
        seconds(1);
        assertThat(watch.firing()).isEmpty();
        allow(requests, 1);
        seconds(1);
        assertThat(watch.firing()).hasSize(1);
        seconds(9);
        assertThat(watch.firing()).as("19 slid out").isEmpty();
    }

    @Test
    void alert_quotient_countsThePeriodOnly() {
        watch.watch(List.of(alert(null, "denied / total > 30%", 10, 1)));
        allow(requests, 1_000_000);
        seconds(11);
        allow(requests, 7);
        deny(requests, 3);
        seconds(1);
        assertThat(watch.firing()).as("30%").isEmpty();
        deny(requests, 1);
        seconds(1);
        assertThat(watch.firing()).as("4 of 11").hasSize(1);
    }

    @Test
    void alert_decisionsBeforeTheWatch_areIgnored() {
        deny(requests, 100);
        watch.watch(List.of(alert(null, "denied > 5", 10, 0)));
        seconds(5);
        assertThat(watch.firing()).isEmpty();
    }

    @Test
    void alert_ofAPolicy_seesOnlyThatPolicy() {
        policies.put("login", PolicyCounters.ofPolicy(() -> 0));
        policies.put("other", PolicyCounters.ofPolicy(() -> 0));
        watch.watch(List.of(alert("login", "denied > 5", 10, 0)));
        deny(policies.get("other"), 10);
        deny(requests, 10);
        seconds(1);
        assertThat(watch.firing()).isEmpty();
        deny(policies.get("login"), 10);
        seconds(1);
        assertThat(watch.firing()).hasSize(1);
    }

    @Test
    void alert_policyWithoutDecisions_startsAtTheFirstDecision() {
        watch.watch(List.of(alert("login", "denied > 5", 10, 0)));
        seconds(1);
        policies.put("login", PolicyCounters.ofPolicy(() -> 0));
        deny(policies.get("login"), 6);
        seconds(1);
        assertThat(watch.firing()).hasSize(1);
    }

    @Test
    void alert_degradedDecisions_countAsAllowedOrDeniedToo() throws Exception {
        watch.watch(List.of(alert(null, "degraded / total >= 60%", 10, 0)));
        allowDegraded(requests, 1);
        denyDegraded(requests, 2);
        allow(requests, 1);
        shadowDeny(requests, 1);
        seconds(1);
        Counts counts = events.next().counts();
        assertThat(counts).isEqualTo(new Counts(2, 2, 1, 3));
        assertThat(counts.total()).isEqualTo(5);
    }

    @Test
    void alert_countTooSmall_waitsForAWholePeriod() {
        watch.watch(List.of(alert(null, "total < 3", 5, 0)));
        seconds(4);
        assertThat(watch.firing()).isEmpty();
        seconds(1);
        assertThat(watch.firing()).hasSize(1);
    }

    @Test
    void watch_equalAlert_keepsStateAndHistory() throws Exception {
        watch.watch(List.of(alert(null, "denied > 5", 10, 0)));
        deny(requests, 6);
        seconds(1);
        watch.watch(List.of(alert(null, "denied>5.0", 10, 0), alert(null, "total > 1000", 10, 0)));
        assertThat(watch.firing()).hasSize(1);
        seconds(9);
        assertThat(watch.firing()).as("still among the last 10 s").hasSize(1);
        seconds(1);
        assertThat(events.next().firing()).isTrue();
        assertThat(events.next().firing()).isFalse();
        assertThat(events.waiting()).isZero();
    }

    @Test
    void watch_firingAlertRemoved_isResolvedOnce() throws Exception {
        Alert alert = alert(null, "denied > 5", 10, 0);
        watch.watch(List.of(alert));
        deny(requests, 6);
        seconds(1);
        watch.watch(List.of());
        assertThat(watch.firing()).isEmpty();
        watch.watch(List.of());
        seconds(20);
        assertThat(time.scheduled()).as("nothing to watch").isZero();
        watch.watch(List.of(alert));
        deny(requests, 8);
        seconds(1);
        assertThat(events.next().firing()).isTrue();
        AlertEvent gone = events.next();
        assertThat(gone.firing()).isFalse();
        assertThat(gone.counts().denied()).isEqualTo(6);
        assertThat(events.next().counts().denied()).isEqualTo(8);
    }

    @Test
    void watch_quietAlertRemoved_sendsNoEvent() throws Exception {
        watch.watch(List.of(alert(null, "denied > 5", 10, 0)));
        seconds(1);
        Alert other = alert(null, "denied > 6", 10, 0);
        watch.watch(List.of(other));
        deny(requests, 7);
        seconds(1);
        assertThat(events.next().alert()).isEqualTo(other);
    }

    @Test
    void listener_throws_isLoggedAndOthersGetTheEvent() throws Exception {
        AlertListener broken = event -> {
            throw new AssertionError("broken");
        };
        watch.add(broken);
        RecordingAlertListener last = new RecordingAlertListener();
        watch.add(last);
        watch.watch(List.of(alert(null, "denied > 5", 1, 0)));
        deny(requests, 6);
        seconds(2);
        for (RecordingAlertListener each : List.of(events, last)) {
            assertThat(each.next().firing()).isTrue();
            assertThat(each.next().firing()).isFalse();
        }
        for (String state : List.of("firing", "resolved")) {
            LogRecord line = nextLogged();
            assertThat(line.getLevel()).isEqualTo(Level.WARNING);
            assertThat(line.getThrown()).hasMessage("broken");
            assertThat(line.getMessage()).contains("alert \"busy\" " + state);
        }
    }

    @Test
    void listener_blocks_delaysNoOtherListenerAndGetsTheNewestEvents() throws Exception {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        RecordingAlertListener slow = new RecordingAlertListener();
        watch.add(event -> {
            entered.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            slow.changed(event);
        });
        watch.watch(List.of(alert(null, "denied > 0", 1, 0)));
        deny(requests, 1);
        seconds(1);
        entered.await();
        int changes = 1 + 2 * AlertNotifier.MAX_WAITING;
        List<AlertEvent> all = new ArrayList<>(List.of(events.next()));
        for (int i = 1; i < changes; i++) {
            if (i % 2 == 0) {
                deny(requests, 1);
            }
            seconds(1);
            all.add(events.next());
        }
        assertThat(slow.waiting()).isZero();

        release.countDown();
        assertThat(slow.next()).isEqualTo(all.get(0));
        for (AlertEvent newest : all.subList(changes - AlertNotifier.MAX_WAITING, changes)) {
            assertThat(slow.next()).isEqualTo(newest);
        }
        assertThat(nextLogged().getMessage()).contains(AlertNotifier.MAX_WAITING + " events dropped");
    }

    @Test
    void listener_isCalledOnItsOwnThread() throws Exception {
        LinkedBlockingQueue<Thread> threads = new LinkedBlockingQueue<>();
        watch.add(event -> threads.add(Thread.currentThread()));
        watch.watch(List.of(alert(null, "denied > 0", 1, 0)));
        deny(requests, 1);
        seconds(1);
        Thread thread = threads.poll(10, TimeUnit.SECONDS);
        assertThat(thread).isNotNull().isNotSameAs(Thread.currentThread());
        assertThat(thread.isDaemon()).isTrue();
    }

    @Test
    void listener_removed_getsNoMoreEvents() throws Exception {
        RecordingAlertListener gone = new RecordingAlertListener();
        watch.add(gone);
        watch.remove(gone);
        watch.watch(List.of(alert(null, "denied > 0", 1, 0)));
        deny(requests, 1);
        seconds(1);
        events.next();
        assertThat(gone.waiting()).isZero();
    }

    @Test
    void log_targetLog_writesFiringAndResolved() throws Exception {
        policies.put("login", PolicyCounters.ofPolicy(() -> 0));
        watch.watch(List.of(alert("login", "denied / total > 30%", 60, 0, "log"), alert(null, "denied > 5", 60, 0)));
        deny(policies.get("login"), 6);
        deny(requests, 6);
        seconds(1);
        LogRecord firing = nextLogged();
        assertThat(firing.getLevel()).isEqualTo(Level.WARNING);
        assertThat(firing.getMessage())
                .isEqualTo("alert \"busy\" firing: policy \"login\", denied / total > 30% over 1m:"
                        + " total 6, allowed 0, denied 6, shadow-denied 0, degraded 0");
        seconds(60);
        LogRecord resolved = nextLogged();
        assertThat(resolved.getLevel()).isEqualTo(Level.INFO);
        assertThat(resolved.getMessage()).startsWith("alert \"busy\" resolved: policy \"login\"");
        assertThat(logged).isEmpty();
    }

    @Test
    void evaluate_countersFail_continues() throws Exception {
        Map<String, PolicyCounters> none = Map.of();
        boolean[] broken = {false};
        try (AlertWatch fragile = new AlertWatch(time, requests, () -> {
            if (broken[0]) {
                throw new IllegalStateException("broken");
            }
            return none;
        })) {
            fragile.watch(List.of(alert("login", "denied > 5", 10, 0), alert(null, "denied > 5", 10, 0)));
            broken[0] = true;
            deny(requests, 6);
            seconds(2);
            assertThat(fragile.firing()).hasSize(1);
        }
        assertThat(nextLogged().getThrown()).hasMessage("broken");
    }

    @Test
    void close_whileFiring_sendsNoEvent() {
        watch.watch(List.of(alert(null, "denied > 0", 10, 0)));
        deny(requests, 1);
        seconds(1);
        watch.close();
        assertThat(time.scheduled()).isZero();
        assertThat(watch.firing()).isEmpty();
        watch.watch(List.of(alert(null, "denied > 0", 10, 0)));
        assertThat(time.scheduled()).isZero();
    }

    private static void deny(PolicyCounters counters, int times) {
        for (int i = 0; i < times; i++) {
            counters.count(false, false, false);
        }
    }

    private static void allow(PolicyCounters counters, int times) {
        for (int i = 0; i < times; i++) {
            counters.count(true, false, false);
        }
    }

    private static void shadowDeny(PolicyCounters counters, int times) {
        for (int i = 0; i < times; i++) {
            counters.count(true, true, false);
        }
    }

    private static void allowDegraded(PolicyCounters counters, int times) {
        for (int i = 0; i < times; i++) {
            counters.count(true, false, true);
        }
    }

    private static void denyDegraded(PolicyCounters counters, int times) {
        for (int i = 0; i < times; i++) {
            counters.count(false, false, true);
        }
    }
}

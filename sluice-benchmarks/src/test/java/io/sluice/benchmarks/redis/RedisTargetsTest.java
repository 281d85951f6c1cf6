package io.sluice.benchmarks.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.benchmarks.load.CaseResult;
import io.sluice.benchmarks.load.Measurement;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class RedisTargetsTest {
    private static List<String> verdicts(Double deniedShare, CaseResult... rows) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RedisTargets.print(List.of(rows), deniedShare, new PrintStream(out, true, UTF_8));
        return out.toString(UTF_8).lines().filter(line -> !line.isEmpty()).toList();
    }

    private static CaseResult row(String name, double rate, double p99, Measurement... peers) {
        return new CaseResult(name, new Measurement("Sluice", rate, p99), List.of(peers));
    }

    private static Measurement peer(String who, double rate, double p99) {
        return new Measurement(who, rate, p99);
    }

    @Test
    void manyKeys_areJudgedByTheBetterPeerInEach() {
        CaseResult row = row(
                "keys-1000-blocking",
                50_000,
                1500,
                peer("Redisson", 20_000, 9000),
                peer("Bucket4j", 25_000, 2000),
                peer("PING", 75_000, 100));

        assertThat(verdicts(0.0, row))
                .containsExactly(
                        "target: keys-1000-blocking >= 2.2 x the faster of Redisson and Bucket4j: 2.00 (MISSED)",
                        "target: keys-1000-blocking p99 us <= the better of theirs, 2000: 1500 (ok)");
    }

    @Test
    void hotKey_isJudgedByEachPeer() {
        CaseResult blocking = row(
                "hot-key-blocking",
                120_000,
                1,
                peer("Redisson", 20_000, 1),
                peer("Bucket4j", 3000, 1),
                peer("PING", 60_000, 1));
        CaseResult async = row("hot-key-async", 480_000, 1, peer("PING", 60_000, 1));

        assertThat(verdicts(0.0, blocking, async))
                .containsExactly(
                        "target: hot-key-blocking >= 6.0 x Redisson: 6.00 (ok)",
                        "target: hot-key-blocking >= 50.0 x Bucket4j: 40 (MISSED)",
                        "target: hot-key-blocking >= 1.3 x PING: 2.00 (ok)",
                        "target: hot-key-async >= 8.0 x PING: 8.00 (ok)");
    }

    @Test
    void denials_haveTargetsForRateAndForCallsThatReachRedis() {
        assertThat(verdicts(0.02, row("denied", 9e6, 1)))
                .containsExactly(
                        "target: denied >= 10000000/s: 9000000 (MISSED)",
                        "target: denied: under 1 % reach Redis: 2.00 (MISSED)");
    }

    @Test
    void whatFailed_isNotJudged() {
        Measurement nothing = new Measurement("Sluice", null, null);

        assertThat(verdicts(
                        0.0,
                        new CaseResult("hot-key-blocking", nothing, List.of(peer("PING", 1, 1))),
                        new CaseResult("key-bytes", nothing, List.of())))
                .isEmpty();
    }
}

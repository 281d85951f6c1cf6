package io.sluice.benchmarks.spring;

import io.sluice.benchmarks.common.ProgressLog;
import io.sluice.benchmarks.load.CaseResult;
import io.sluice.benchmarks.load.LoadPlan;
import io.sluice.benchmarks.load.Measurement;
import io.sluice.testkit.redis.RedisProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/*
 * The CPU time per request, and not the rate, is compared: on a machine where the load, the gateway, the downstream and Redis share
 * the cores, the rate is mostly the cost of the others. The gateways take turns, and a median is taken over the rounds, because the
 * speed of the machine changes.
 */
/** Three gateways before one downstream and one Redis: without a limiter, with their own RedisRateLimiter, and with Sluice. */
final class GatewayCase implements AutoCloseable {
    static final String NAME = "gateway-hot-key";
    static final String ADDED = NAME + "-added-cpu-ns";
    static final String NONE = "no limiter";
    static final String OWN = "RedisRateLimiter";

    private static final String PATH = "/constant";
    private static final String MAIN = "gateway.GatewayApp";
    private static final String FILTER = "spring.cloud.gateway.server.webflux.routes[0].filters[0]";

    private final Parts parts = new Parts();
    private final AppDirectory apps;
    private final RedisProcess redis;
    private final Downstream downstream;
    private final GatewayRuns none;
    private final GatewayRuns own;
    private final GatewayRuns sluice;

    GatewayCase(AppDirectory apps) throws IOException, InterruptedException {
        this.apps = apps;
        try {
            redis = parts.open(RedisProcess.start("--save", ""));
            downstream = parts.open(new Downstream());
            GetCalls calls = parts.open(new GetCalls(PATH, 1));
            none = runs(NONE, calls, gateway("gateway", List.of()).expectHeader(PATH, Downstream.HEADER));
            own = runs(
                    OWN,
                    calls,
                    gateway(
                                    "gateway",
                                    List.of(
                                            FILTER + ".name=RequestRateLimiter",
                                            FILTER + ".args.redis-rate-limiter.replenishRate=1000000",
                                            FILTER + ".args.redis-rate-limiter.burstCapacity=10000000"))
                            .expectHeader(PATH, "X-RateLimit-Remaining"));
            sluice = runs(
                    "Sluice",
                    calls,
                    gateway("gateway-sluice", List.of(FILTER + "=Sluice")).expectHeader(PATH, "RateLimit"));
        } catch (IOException | InterruptedException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private AppProcess gateway(String app, List<String> filter) throws IOException {
        List<String> settings = new ArrayList<>(List.of(
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=" + redis.port(),
                "spring.cloud.gateway.server.webflux.routes[0].id=constant",
                "spring.cloud.gateway.server.webflux.routes[0].uri=http://127.0.0.1:" + downstream.port(),
                "spring.cloud.gateway.server.webflux.routes[0].predicates[0]=Path=" + PATH));
        settings.addAll(filter);
        return parts.open(AppProcess.start(apps, app, MAIN, settings));
    }

    private GatewayRuns runs(String who, GetCalls calls, AppProcess gateway) {
        return new GatewayRuns(who, gateway, redis, calls.load(gateway.port()));
    }

    List<CaseResult> rows(LoadPlan plan, ProgressLog progress) throws InterruptedException {
        List<GatewayRuns> all = List.of(none, own, sluice);
        for (int i = 1; i <= plan.warmUps(); i++) {
            for (GatewayRuns each : all) {
                log(progress, "warming up", each, each.run(plan.time()));
            }
        }
        for (int round = 1; round <= plan.rounds(); round++) {
            Duration start = progress.elapsed();
            for (GatewayRuns each : all) {
                GatewayRun run = each.run(plan.time());
                each.keep(run);
                log(progress, "round " + round, each, run);
            }
            Duration now = progress.elapsed();
            if (now.plus(now).minus(start).compareTo(plan.budget()) > 0) {
                break;
            }
        }
        return List.of(
                new CaseResult(NAME, rate(sluice), List.of(rate(none), rate(own))),
                row("-cpu-ns", GatewayRun::cpuNanos, none, own),
                added(progress),
                row("-redis-cpu-ns", GatewayRun::redisNanos, own));
    }

    private static void log(ProgressLog progress, String when, GatewayRuns who, GatewayRun run) {
        progress.log(String.format(
                Locale.ROOT,
                "%s, gateway: %s %,.0f/s, %.1f us of CPU each, %.1f us in Redis",
                when,
                who.who(),
                run.perSecond(),
                run.cpuNanos() / 1000,
                run.redisNanos() / 1000));
    }

    private static Measurement rate(GatewayRuns of) {
        return new Measurement(of.who(), of.median(GatewayRun::perSecond), of.median(GatewayRun::p99Micros));
    }

    private CaseResult row(String suffix, ToDoubleFunction<GatewayRun> number, GatewayRuns... peers) {
        List<Measurement> theirs = new ArrayList<>();
        for (GatewayRuns peer : peers) {
            theirs.add(new Measurement(peer.who(), peer.median(number), null));
        }
        return new CaseResult(NAME + suffix, new Measurement(sluice.who(), sluice.median(number), null), theirs);
    }

    /**
     * The CPU time that each limiter adds, in the same round, to that of a gateway without a limiter. Without a result for the
     * gateway's own limiter if nothing was added: then other programs have used the machine, and a ratio would say nothing.
     */
    private CaseResult added(ProgressLog progress) {
        double theirs = own.medianMinus(none);
        if (theirs <= 0) {
            progress.log(OWN + " added no CPU time (expected: some; is the machine busy?)");
        }
        return new CaseResult(
                ADDED,
                new Measurement(sluice.who(), sluice.medianMinus(none), null),
                List.of(new Measurement(own.who(), theirs > 0 ? theirs : null, null)));
    }

    @Override
    public void close() {
        parts.close();
    }
}

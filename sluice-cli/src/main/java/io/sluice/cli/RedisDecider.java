package io.sluice.cli;

import io.sluice.Decision;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/*
 * A round trip for each row would take for ever. So rows are asked about without waiting for the answers, and there are
 * two lists of those that are on their way: when the newer one is full, the older one is waited for and handed on, while
 * Redis goes on with the newer.
 *
 * The state must be deleted however the run ends, and nothing may be asked after that. So who asks has the turn; when
 * the process is told to end, the shutdown hook takes the turn, does the deleting, and never gives it back.
 */
/** Decides in Redis, many rows at a time. */
final class RedisDecider implements Decider {
    private static final int MOST_CALLS = 4096;
    private static final long HOOK_SECONDS = 5;

    private final TraceTime time = new TraceTime();
    private final RedisRun run;
    private final RateLimiter[] limiters;
    private final Results results;
    private final int full;
    private final Thread hook = new Thread(this::abandon, "sluice-simulate-abandon");

    private final Semaphore turn = new Semaphore(1);
    private List<Asked> older = new ArrayList<>();
    private List<Asked> newer = new ArrayList<>();

    private record Asked(TraceRow row, List<CompletableFuture<Decision>> answers) {}

    /**
     * Connects to Redis.
     *
     * @throws Refusal if the address is of no use
     * @throws StoreFailure if Redis cannot be reached or does not work
     */
    RedisDecider(RedisAddress address, List<Limit> limits, Results results, PrintStream err) {
        this.results = results;
        this.full = Math.max(1, MOST_CALLS / 2 / limits.size());
        this.run = new RedisRun(address, time, err);
        Runtime.getRuntime().addShutdownHook(hook);
        this.limiters = Decider.limiters(run.store(), limits);
    }

    @Override
    public void decide(TraceRow row) {
        inTurn(() -> newer.add(ask(row)));
        if (newer.size() == full) {
            handOn(older);
            inTurn(() -> {
                List<Asked> empty = older;
                older = newer;
                newer = empty;
            });
        }
    }

    /** Whatever changes what is on its way. */
    private void inTurn(Runnable change) {
        turn.acquireUninterruptibly();
        try {
            change.run();
        } finally {
            turn.release();
        }
    }

    private Asked ask(TraceRow row) {
        time.set(row.timeMicros());
        List<CompletableFuture<Decision>> answers = new ArrayList<>(limiters.length);
        for (RateLimiter limiter : limiters) {
            answers.add(limiter.checkAsync(row.key().text(), row.permits()).toCompletableFuture());
        }
        return new Asked(row, answers);
    }

    @Override
    public void settle() {
        if (older.isEmpty() && newer.isEmpty()) {
            return;
        }
        inTurn(run.witness()::look);
        Decision seen = run.witness().seen();
        if (!seen.degraded()) {
            requireState(seen);
        }
        handOn(older);
        handOn(newer);
        requireState(seen);
    }

    private void requireState(Decision seen) {
        if (seen.degraded()) {
            throw run.failure();
        } else if (seen.allowed()) {
            throw run.stateLost();
        }
    }

    private void handOn(List<Asked> rows) {
        if (!rows.isEmpty()) {
            // One long wait is cheaper than many short ones.
            Asked last = rows.get(rows.size() - 1);
            last.answers().get(limiters.length - 1).join();
        }
        for (Asked asked : rows) {
            results.row(asked.row(), decisions(asked));
        }
        inTurn(rows::clear);
    }

    private Decision[] decisions(Asked asked) {
        Decision[] decisions = new Decision[limiters.length];
        for (int i = 0; i < decisions.length; i++) {
            decisions[i] = asked.answers().get(i).join();
            if (decisions[i].degraded()) {
                throw run.failure();
            }
        }
        return decisions;
    }

    @Override
    public void close() {
        inTurn(this::end);
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending already; the hook finds nothing left to do.
        }
    }

    /** What is on its way would write again what is deleted, so it is waited for. */
    private void end() {
        for (List<Asked> rows : List.of(older, newer)) {
            rows.forEach(asked -> asked.answers().forEach(CompletableFuture::join));
        }
        run.witness().seen();
        run.close();
    }

    private void abandon() {
        CompletableFuture<Void> ended = CompletableFuture.runAsync(() -> {
            turn.acquireUninterruptibly();
            end();
        });
        try {
            ended.get(HOOK_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            // What is left expires.
        }
    }
}

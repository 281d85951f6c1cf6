package io.sluice.cli.simulate.redis;

import io.sluice.Decision;
import io.sluice.cli.console.InvalidInputException;
import io.sluice.cli.console.RunFailedException;
import io.sluice.cli.simulate.decide.DeciderFactory;
import io.sluice.cli.simulate.decide.DecisionSink;
import io.sluice.cli.simulate.decide.RequestDecider;
import io.sluice.cli.simulate.decide.TraceRunner;
import io.sluice.cli.simulate.decide.TraceTime;
import io.sluice.cli.simulate.trace.TimedRequest;
import io.sluice.redis.RedisStore;
import io.sluice.server.RedisAddress;
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
/** Decides in Redis, many rows at a time where that keeps them in order. */
public final class RedisRunner<R extends TimedRequest, D> implements TraceRunner<R> {
    private static final int MOST_CALLS = 4096;
    private static final long HOOK_SECONDS = 5;

    private final TraceTime time = new TraceTime();
    private final List<TemporaryRedisStore> runs = new ArrayList<>();
    private final List<RequestDecider<R, D>> judges = new ArrayList<>();
    private final DecisionSink<R, D> results;
    private final boolean oneAtATime;
    private final int full;
    private final Thread hook = new Thread(this::abandon, "sluice-simulate-abandon");

    private final Semaphore turn = new Semaphore(1);
    private List<Asked<R, D>> older = new ArrayList<>();
    private List<Asked<R, D>> newer = new ArrayList<>();
    private long lookedMicros;
    private boolean settled = true;

    private record Asked<R, D>(R row, List<CompletableFuture<D>> answers) {
        D answer(int judge) {
            return answers.get(judge).join();
        }
    }

    /**
     * Connects to Redis.
     *
     * @throws InvalidInputException if the address is of no use
     * @throws RunFailedException if Redis cannot be reached or does not work
     */
    public RedisRunner(
            RedisAddress address, DeciderFactory<R, D> candidates, DecisionSink<R, D> results, PrintStream err) {
        this.results = results;
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            while (runs.size() < candidates.stores()) {
                TemporaryRedisStore run = new TemporaryRedisStore(address, time, err);
                inTurn(() -> runs.add(run));
            }
            List<RedisStore> stores =
                    runs.stream().map(TemporaryRedisStore::store).toList();
            judges.addAll(candidates.on(stores, time));
            this.oneAtATime = candidates.mayOvertake(() -> RedisProbe.isCluster(address));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        this.full = Math.max(1, MOST_CALLS / 2 / judges.size());
    }

    @Override
    public void decide(R row) {
        inTurn(() -> newer.add(ask(row)));
        settled = false;
        if (oneAtATime) {
            handOn(newer);
        } else if (newer.size() == full) {
            handOn(older);
            inTurn(() -> {
                List<Asked<R, D>> empty = older;
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

    private Asked<R, D> ask(R row) {
        while (row.timeMicros() - lookedMicros > StateLossDetector.LASTS_MICROS) {
            time.set(lookedMicros + StateLossDetector.LASTS_MICROS);
            look();
        }
        time.set(row.timeMicros());
        List<CompletableFuture<D>> answers = new ArrayList<>(judges.size());
        for (RequestDecider<R, D> judge : judges) {
            answers.add(judge.decideLater(row));
        }
        return new Asked<>(row, answers);
    }

    @Override
    public void settle() {
        if (settled) {
            return;
        }
        inTurn(this::look);
        for (TemporaryRedisStore run : runs) {
            if (!run.witness().seen().degraded()) {
                requireState(run);
            }
        }
        handOn(older);
        handOn(newer);
        runs.forEach(this::requireState);
        settled = true;
    }

    private void look() {
        runs.forEach(run -> run.witness().look());
        lookedMicros = time.micros();
    }

    private void requireState(TemporaryRedisStore run) {
        Decision seen = run.witness().seen();
        if (seen.degraded()) {
            throw failure();
        } else if (seen.allowed()) {
            throw run.stateLost();
        }
    }

    /** Of several connections, one may have failed and the others not. */
    private RunFailedException failure() {
        return runs.stream()
                .filter(TemporaryRedisStore::hasFailed)
                .findFirst()
                .orElse(runs.get(0))
                .failure();
    }

    private void handOn(List<Asked<R, D>> rows) {
        if (!rows.isEmpty()) {
            // One long wait is cheaper than many short ones.
            rows.get(rows.size() - 1).answer(judges.size() - 1);
        }
        for (Asked<R, D> asked : rows) {
            results.row(asked.row(), decisions(asked));
        }
        inTurn(rows::clear);
    }

    private List<D> decisions(Asked<R, D> asked) {
        List<D> decisions = new ArrayList<>(judges.size());
        for (int i = 0; i < judges.size(); i++) {
            D decision = asked.answer(i);
            if (judges.get(i).isDegraded(decision)) {
                throw failure();
            }
            decisions.add(decision);
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
        for (List<Asked<R, D>> rows : List.of(older, newer)) {
            rows.forEach(asked -> asked.answers().forEach(CompletableFuture::join));
        }
        judges.forEach(RequestDecider::close);
        for (TemporaryRedisStore run : runs) {
            run.witness().seen();
            run.close();
        }
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

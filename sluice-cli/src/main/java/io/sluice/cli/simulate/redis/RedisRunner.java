package io.sluice.cli.simulate.redis;

import io.sluice.Decision;
import io.sluice.cli.console.InvalidInputException;
import io.sluice.cli.console.RunFailedException;
import io.sluice.redis.RedisStore;
import io.sluice.server.RedisAddress;
import io.sluice.server.simulate.decide.DeciderFactory;
import io.sluice.server.simulate.decide.DecisionSink;
import io.sluice.server.simulate.decide.RequestDecider;
import io.sluice.server.simulate.decide.TraceRunner;
import io.sluice.server.simulate.decide.TraceTime;
import io.sluice.server.simulate.trace.TimedRequest;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/*
 * One round trip for each request would be very slow. So requests are sent without waiting for the decisions. Two lists hold
 * the requests in flight. When the newer list is full, the runner waits for the older one and passes it on, while Redis
 * works on the newer.
 *
 * The state must be deleted however the run ends, and no request may be sent after that. So every sender holds a lock. When
 * the process is stopped, the shutdown hook takes the lock, deletes the state, and never releases the lock.
 */
/** Decides requests on Redis, many at a time where their order is kept. */
public final class RedisRunner<R extends TimedRequest, D> implements TraceRunner<R> {
    private static final int MAX_CALLS = 4096;
    private static final long HOOK_SECONDS = 5;

    private final TraceTime time = new TraceTime();
    private final List<TemporaryRedisStore> stores = new ArrayList<>();
    private final List<RequestDecider<R, D>> deciders = new ArrayList<>();
    private final DecisionSink<R, D> sink;
    private final boolean oneAtATime;
    private final int listSize;
    private final Thread hook = new Thread(this::abandon, "sluice-simulate-abandon");

    private final Semaphore lock = new Semaphore(1);
    private List<InFlight<R, D>> older = new ArrayList<>();
    private List<InFlight<R, D>> newer = new ArrayList<>();
    private long checkedMicros;
    private boolean drained = true;

    private record InFlight<R, D>(R request, List<CompletableFuture<D>> decisions) {
        D decision(int decider) {
            return decisions.get(decider).join();
        }
    }

    /**
     * Connects to Redis.
     *
     * @throws InvalidInputException if the address cannot be used
     * @throws RunFailedException if Redis cannot be reached or does not work
     */
    public RedisRunner(RedisAddress address, DeciderFactory<R, D> factory, DecisionSink<R, D> sink, PrintStream err) {
        this.sink = sink;
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            while (stores.size() < factory.stores()) {
                TemporaryRedisStore store = new TemporaryRedisStore(address, time, err);
                locked(() -> stores.add(store));
            }
            List<RedisStore> redisStores =
                    stores.stream().map(TemporaryRedisStore::store).toList();
            deciders.addAll(factory.create(redisStores, time));
            this.oneAtATime = factory.mayReorder(() -> RedisProbe.isCluster(address));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        this.listSize = Math.max(1, MAX_CALLS / 2 / deciders.size());
    }

    @Override
    public void decide(R request) {
        locked(() -> newer.add(send(request)));
        drained = false;
        if (oneAtATime) {
            passOn(newer);
        } else if (newer.size() == listSize) {
            passOn(older);
            locked(() -> {
                List<InFlight<R, D>> empty = older;
                older = newer;
                newer = empty;
            });
        }
    }

    /** Runs a change of the requests in flight, under the lock. */
    private void locked(Runnable change) {
        lock.acquireUninterruptibly();
        try {
            change.run();
        } finally {
            lock.release();
        }
    }

    private InFlight<R, D> send(R request) {
        while (request.timeMicros() - checkedMicros > StateLossDetector.VALID_MICROS) {
            time.set(checkedMicros + StateLossDetector.VALID_MICROS);
            check();
        }
        time.set(request.timeMicros());
        List<CompletableFuture<D>> decisions = new ArrayList<>(deciders.size());
        for (RequestDecider<R, D> decider : deciders) {
            decisions.add(decider.decideAsync(request));
        }
        return new InFlight<>(request, decisions);
    }

    @Override
    public void drain() {
        if (drained) {
            return;
        }
        locked(this::check);
        for (TemporaryRedisStore store : stores) {
            if (!store.lossDetector().result().degraded()) {
                requireState(store);
            }
        }
        passOn(older);
        passOn(newer);
        stores.forEach(this::requireState);
        drained = true;
    }

    private void check() {
        stores.forEach(store -> store.lossDetector().check());
        checkedMicros = time.micros();
    }

    private void requireState(TemporaryRedisStore store) {
        Decision result = store.lossDetector().result();
        if (result.degraded()) {
            throw failure();
        } else if (result.allowed()) {
            throw store.stateLost();
        }
    }

    /** The failure of the first store that failed. */
    private RunFailedException failure() {
        return stores.stream()
                .filter(TemporaryRedisStore::hasFailed)
                .findFirst()
                .orElse(stores.get(0))
                .failure();
    }

    private void passOn(List<InFlight<R, D>> rows) {
        if (!rows.isEmpty()) {
            // One long wait is cheaper than many short ones.
            rows.get(rows.size() - 1).decision(deciders.size() - 1);
        }
        for (InFlight<R, D> inFlight : rows) {
            sink.accept(inFlight.request(), decisions(inFlight));
        }
        locked(rows::clear);
    }

    private List<D> decisions(InFlight<R, D> inFlight) {
        List<D> decisions = new ArrayList<>(deciders.size());
        for (int i = 0; i < deciders.size(); i++) {
            D decision = inFlight.decision(i);
            if (deciders.get(i).isDegraded(decision)) {
                throw failure();
            }
            decisions.add(decision);
        }
        return decisions;
    }

    @Override
    public void close() {
        locked(this::end);
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is already ending. The hook has nothing left to do.
        }
    }

    /** Waits for all requests in flight, because they would write the deleted keys again. */
    private void end() {
        for (List<InFlight<R, D>> rows : List.of(older, newer)) {
            rows.forEach(inFlight -> inFlight.decisions().forEach(CompletableFuture::join));
        }
        deciders.forEach(RequestDecider::close);
        for (TemporaryRedisStore store : stores) {
            store.lossDetector().result();
            store.close();
        }
    }

    private void abandon() {
        CompletableFuture<Void> ended = CompletableFuture.runAsync(() -> {
            lock.acquireUninterruptibly();
            end();
        });
        try {
            ended.get(HOOK_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            // The remaining keys expire.
        }
    }
}

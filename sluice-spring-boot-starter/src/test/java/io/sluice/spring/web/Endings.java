package io.sluice.spring.web;

import io.sluice.spring.web.RequestScope.End;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Collects the ends of requests. */
public final class Endings {
    private final BlockingQueue<End> ends = new LinkedBlockingQueue<>();

    public void watch(RequestScope scope) {
        scope.onEnd(ends::add);
    }

    /** The next end. Waits for it, at most a minute. */
    public End next() throws InterruptedException {
        End next = ends.poll(1, TimeUnit.MINUTES);
        if (next == null) {
            throw new AssertionError("no request has ended");
        }
        return next;
    }
}

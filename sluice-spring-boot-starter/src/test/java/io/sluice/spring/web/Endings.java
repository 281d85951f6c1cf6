package io.sluice.spring.web;

import io.sluice.spring.web.RequestScope.End;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Collects the ends of requests. */
public final class Endings {
    private final BlockingQueue<End> ends = new LinkedBlockingQueue<>();

    public void watch(RequestScope scope) {
        scope.onEnd(ends::add);
    }

    /** The next end. Waits for it. */
    public End next() throws InterruptedException {
        return ends.take();
    }
}

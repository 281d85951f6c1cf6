package io.sluice.spring.webflux;

import io.sluice.TimeSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A delay on a clock. */
final class Delay {
    private Delay() {}

    /** Completes after the delay, on a thread of Reactor. Cancelling it cancels the timer. */
    static Mono<Void> of(TimeSource time, long micros) {
        return Mono.<Void>create(sink -> sink.onDispose(time.schedule(micros, sink::success)::run))
                .publishOn(Schedulers.parallel());
    }
}

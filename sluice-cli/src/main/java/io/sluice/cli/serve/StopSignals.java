package io.sluice.cli.serve;

import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/*
 * A shutdown hook would stop a server as well, but the JVM would then exit with 143, ignore a second signal, and take the log
 * away meanwhile. What can do better is in a module that every JDK has and no compiler likes: hence by reflection.
 */
/** SIGTERM and SIGINT. */
final class StopSignals {
    private static final int SIGNALLED = 128;

    private final CountDownLatch first = new CountDownLatch(1);
    private final AtomicInteger heard = new AtomicInteger();

    private StopSignals() {}

    /** From now on they end the process only the second time. */
    static StopSignals listen() {
        StopSignals signals = new StopSignals();
        signals.handle("TERM", 15);
        signals.handle("INT", 2);
        return signals;
    }

    private void handle(String name, int number) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object handling = Proxy.newProxyInstance(
                    StopSignals.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            heard(number);
                        }
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), handling);
        } catch (ReflectiveOperationException e) {
            // Then the JVM does what it does: it runs the shutdown hooks.
        }
    }

    private void heard(int number) {
        if (heard.incrementAndGet() > 1) {
            Runtime.getRuntime().halt(SIGNALLED + number);
        }
        first.countDown();
    }

    /** Until the first. */
    void await() throws InterruptedException {
        first.await();
    }
}

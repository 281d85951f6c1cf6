package io.sluice.cli.serve;

import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/*
 * A shutdown hook could stop a server too. But then the JVM exits with 143, ignores a second signal, and resets the log
 * handlers meanwhile. sun.misc.Signal does better. Every JDK has it, but the compiler warns about it: hence reflection.
 */
/** Handles SIGTERM and SIGINT: the first signal stops the server, the second one ends the process at once. */
final class StopSignals {
    private static final int SIGNALLED = 128;

    private final CountDownLatch first = new CountDownLatch(1);
    private final AtomicInteger count = new AtomicInteger();

    private StopSignals() {}

    /** Installs the handlers. From now on only the second signal ends the process. */
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
                            received(number);
                        }
                        return null;
                    });
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), handling);
        } catch (ReflectiveOperationException e) {
            // The JVM then runs its shutdown hooks as usual.
        }
    }

    private void received(int number) {
        if (count.incrementAndGet() > 1) {
            Runtime.getRuntime().halt(SIGNALLED + number);
        }
        first.countDown();
    }

    /** Waits for the first signal. */
    void await() throws InterruptedException {
        first.await();
    }
}

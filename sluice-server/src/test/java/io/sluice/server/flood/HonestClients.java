package io.sluice.server.flood;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.server.RawConnection;
import io.sluice.server.wire.Http2Client;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** Clients that send requests and read every response: one for each protocol, each on its own connection. */
final class HonestClients implements AutoCloseable {
    private static final String CHECK = RawConnection.check("{\"attributes\":{\"tenant\":\"honest\"},\"permits\":0}");
    private static final String THROTTLE = "CL.THROTTLE honest 1000000 1000000 60 0\r\n";
    private static final byte[] BODY = "{\"attributes\":{\"tenant\":\"honest\"},\"permits\":0}".getBytes(UTF_8);

    private final Map<Protocol, AtomicLong> served = new EnumMap<>(Protocol.class);
    private final Queue<String> refused = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads;
    private volatile boolean stopped;

    enum Protocol {
        HTTP_1,
        HTTP_2,
        RESP
    }

    private HonestClients(int http, int resp) {
        for (Protocol protocol : Protocol.values()) {
            served.put(protocol, new AtomicLong());
        }
        threads = List.of(
                new Thread(() -> http1(http), "honest-http-1"),
                new Thread(() -> http2(http), "honest-http-2"),
                new Thread(() -> resp(resp), "honest-resp"));
    }

    static HonestClients start(int http, int resp) {
        HonestClients clients = new HonestClients(http, resp);
        clients.threads.forEach(Thread::start);
        return clients;
    }

    private void http1(int port) {
        try (RawConnection wire = new RawConnection(port)) {
            serve(Protocol.HTTP_1, () -> wire.send(CHECK).answer().startsWith("HTTP/1.1 200"));
        } catch (RuntimeException e) {
            refused.add(Protocol.HTTP_1 + ": " + e);
        }
    }

    private void http2(int port) {
        try (Http2Client wire = new Http2Client(port)) {
            int[] stream = {-1};
            serve(Protocol.HTTP_2, () -> {
                stream[0] += 2;
                return wire.post(stream[0], "/v1/check", "application/json", BODY)
                        .send()
                        .readsResponse(stream[0]);
            });
        } catch (RuntimeException e) {
            refused.add(Protocol.HTTP_2 + ": " + e);
        }
    }

    private void resp(int port) {
        try (RawConnection wire = new RawConnection(port)) {
            serve(Protocol.RESP, () -> {
                StringBuilder reply = new StringBuilder(wire.send(THROTTLE).read(4));
                while (reply.chars().filter(c -> c == '\n').count() < 6 && reply.charAt(0) == '*') {
                    reply.append(wire.read(1));
                }
                return reply.toString().startsWith("*5\r\n:0\r\n");
            });
        } catch (RuntimeException e) {
            refused.add(Protocol.RESP + ": " + e);
        }
    }

    private void serve(Protocol protocol, BooleanSupplier ask) {
        while (!stopped) {
            if (!ask.getAsBoolean()) {
                refused.add(protocol + ": a wrong answer");
                return;
            }
            served.get(protocol).incrementAndGet();
        }
    }

    /** The number of responses of each client. */
    Map<Protocol, Long> served() {
        Map<Protocol, Long> now = new EnumMap<>(Protocol.class);
        served.forEach((protocol, count) -> now.put(protocol, count.get()));
        return now;
    }

    /** The failures that honest clients saw. */
    List<String> refused() {
        return List.copyOf(refused);
    }

    @Override
    public void close() {
        stopped = true;
        threads.forEach(HonestClients::await);
    }

    private static void await(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

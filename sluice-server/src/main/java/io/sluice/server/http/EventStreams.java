package io.sluice.server.http;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Endless responses of server-sent events. Each event is encoded once and sent to all listeners. Thread-safe. */
public final class EventStreams implements AutoCloseable {
    public static final int MAX_LISTENERS = 100;

    private final Vertx vertx;
    private final Buffer firstLines;

    /** Called, under the lock, when the first listener comes, and when the last one leaves. */
    private final Runnable begin;

    private final Runnable end;
    private final Set<Listener> listeners = new LinkedHashSet<>();
    private boolean closed;

    private record Listener(HttpServerRequest request, Context context) {}

    /**
     * Creates streams without listeners.
     *
     * @param firstLines the lines that each stream begins with
     * @param begin is called when the first listener comes
     * @param end is called when the last listener leaves
     */
    public EventStreams(Vertx vertx, String firstLines, Runnable begin, Runnable end) {
        this.vertx = vertx;
        this.firstLines = Buffer.buffer(firstLines);
        this.begin = begin;
        this.end = end;
    }

    /** Answers a request with a stream. */
    public void open(HttpServerRequest request) {
        if (request.method().equals(HttpMethod.HEAD)) {
            request.response().putHeader("Content-Type", "text/event-stream").end();
            return;
        }
        Listener listener = new Listener(request, vertx.getOrCreateContext());
        if (isClosed()) {
            Problems.answer(request, 503, "the server is stopping");
            return;
        }
        if (!add(listener)) {
            Problems.answer(request, 503, "too many listeners (expected: at most " + MAX_LISTENERS + ")");
            return;
        }
        request.response()
                .setChunked(true)
                .putHeader("Content-Type", "text/event-stream")
                .putHeader("Cache-Control", "no-store")
                .exceptionHandler(gone -> remove(listener))
                .closeHandler(gone -> remove(listener))
                .write(firstLines);
    }

    public synchronized int listening() {
        return listeners.size();
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    private synchronized boolean add(Listener listener) {
        if (closed || listeners.size() >= MAX_LISTENERS) {
            return false;
        }
        if (listeners.isEmpty()) {
            begin.run();
        }
        return listeners.add(listener);
    }

    private synchronized void remove(Listener listener) {
        if (listeners.remove(listener) && listeners.isEmpty()) {
            end.run();
        }
    }

    private synchronized List<Listener> all() {
        return List.copyOf(listeners);
    }

    /**
     * Sends an event to all listeners.
     *
     * @param data one line
     */
    public void send(String name, String data) {
        Buffer event = Buffer.buffer("event: " + name + "\ndata: " + data + "\n\n");
        for (Listener listener : all()) {
            listener.context.runOnContext(unused -> send(listener, event));
        }
    }

    /** Drops a listener that does not read. */
    private void send(Listener listener, Buffer event) {
        HttpServerRequest request = listener.request;
        if (request.response().ended() || request.response().closed()) {
            return;
        }
        if (request.response().writeQueueFull()) {
            remove(listener);
            if (request.version() == HttpVersion.HTTP_2) {
                request.response().reset();
            } else {
                request.connection().close();
            }
        } else {
            request.response().write(event);
        }
    }

    /** Ends all streams and accepts no more. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        for (Listener listener : all()) {
            remove(listener);
            listener.context.runOnContext(unused -> {
                if (!listener.request.response().ended()
                        && !listener.request.response().closed()) {
                    listener.request.response().end();
                }
            });
        }
    }
}

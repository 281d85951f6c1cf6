package io.sluice.server.http;

import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2Error;
import io.sluice.server.vertx.ByteBudget;
import io.sluice.server.vertx.ConnectionMemory;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An HTTP connection and its open requests: knows when the client is late. Times are in ticks. */
final class TrackedConnection implements ConnectionMemory.Requests {
    private static final class OpenRequest {
        final HttpServerRequest request;
        private final long headerBytes;
        private boolean queued;
        private long since;

        /** @param headerBytes the approximate size of the header section */
        OpenRequest(HttpServerRequest request, long headerBytes, long now) {
            this.request = request;
            this.headerBytes = headerBytes;
            this.since = now;
        }

        /** Whether the client has sent all of the request. */
        boolean isComplete() {
            return request.isEnded();
        }

        /** A cancelled call is closed, but its response never ends. */
        boolean isOver() {
            return request.response().closed()
                    || (request.isEnded() && request.response().ended());
        }

        boolean isLate(long now, long timeout) {
            return !queued && !isComplete() && now - since > timeout;
        }

        long bytes() {
            return headerBytes + request.bytesRead();
        }
    }

    private static final int MIN_CLEANUP_SIZE = 16;

    /** Requests are queued while more bytes of responses than this are unsent. */
    private static final long MAX_UNSENT_BYTES = 4 * 1024 * 1024;

    private final HttpConnection connection;
    private final Channel channel;
    private final ByteBudget budget;
    private final ConnectionMemory memory;
    private final RequestQueue queue;
    private final ArrayDeque<OpenRequest> requests = new ArrayDeque<>(2);
    private long lastActive;
    private long headerSince = -1;
    private boolean hadRequest;
    private boolean http2;
    private int cleanupSize = MIN_CLEANUP_SIZE;

    /** @param executor runs a task on the event loop, after the current task */
    TrackedConnection(
            HttpConnection connection, Channel channel, ByteBudget budget, Consumer<Runnable> executor, long now) {
        this.connection = connection;
        this.channel = channel;
        this.budget = budget;
        this.lastActive = now;
        queue = new RequestQueue(this::isFull, executor);
        memory = new ConnectionMemory(channel, budget, this, queue::runNext).install();
    }

    /** Handles a request that has begun: now, or when earlier responses have been sent. */
    void onRequest(HttpServerRequest request, long now, Handler<HttpServerRequest> handler) {
        lastActive = now;
        if (!hadRequest) {
            hadRequest = true;
            http2 = request.version() == HttpVersion.HTTP_2;
        }
        while (!requests.isEmpty() && requests.getFirst().isOver()) {
            requests.removeFirst();
        }
        if (requests.size() >= cleanupSize) {
            // The first request takes long: remove those that are over behind it.
            requests.removeIf(OpenRequest::isOver);
            cleanupSize = Math.max(MIN_CLEANUP_SIZE, 2 * requests.size());
        }
        OpenRequest open = new OpenRequest(request, memory.takeHeaderBytes(), now);
        requests.addLast(open);
        if (queue.mustWait()) {
            open.queued = true;
            request.pause();
            queue.add(() -> {
                open.queued = false;
                open.since = lastActive;
                if (!request.response().closed()) {
                    handler.handle(request);
                    request.resume();
                }
            });
        } else {
            handler.handle(request);
        }
    }

    private boolean isFull() {
        if (!channel.isWritable()) {
            return true;
        }
        long unsent = memory.unsentBytes();
        return unsent > 0 && unsent > Math.min(MAX_UNSENT_BYTES, budget.share() / 2);
    }

    /** Counts an HTTP/2 response that is about to be sent, or resets its stream if there is no room for it. */
    void onHttp2Response(HttpServerResponse response, long now) {
        @Nullable String length = response.headers().get(HttpHeaders.CONTENT_LENGTH);
        if (length != null && !memory.admitResponse(response.streamId(), Integer.parseInt(length), now)) {
            response.reset(Http2Error.ENHANCE_YOUR_CALM.code());
        }
    }

    @Override
    public long bytes() {
        long bytes = 0;
        for (OpenRequest request : requests) {
            if (!request.isOver()) {
                bytes += request.bytes();
            }
        }
        return bytes;
    }

    @Override
    public boolean isReading() {
        @Nullable OpenRequest last = requests.peekLast();
        return last != null && !last.isComplete();
    }

    /*
     * An HTTP/2 client may keep a connection without requests open with pings. An HTTP/1 connection without a request is idle;
     * but once the client has sent the first bytes of the next request, the rest must come in time.
     */
    /** Whether the client took too long to send a request, or the connection was idle for too long. */
    boolean isLate(long now, long timeout, long idleTimeout) {
        for (Iterator<OpenRequest> each = requests.iterator(); each.hasNext(); ) {
            OpenRequest request = each.next();
            if (request.isOver()) {
                each.remove();
            } else if (request.isLate(now, timeout)) {
                return true;
            }
        }
        if (!requests.isEmpty()) {
            lastActive = now;
            headerSince = -1;
            return false;
        }
        if (!memory.isReadingHeader()) {
            headerSince = -1;
        } else if (headerSince < 0) {
            headerSince = now;
        }
        return (headerSince >= 0 && now - headerSince > timeout) || (!http2 && now - lastActive > idleTimeout);
    }

    /** Closes a late HTTP/1 connection. Of an HTTP/2 connection, resets only the late requests. */
    void closeLate(long now, long timeout) {
        if (!http2) {
            connection.close();
            return;
        }
        for (OpenRequest open : List.copyOf(requests)) {
            if (!open.isOver() && open.isLate(now, timeout)) {
                open.request.response().reset(Http2Error.CANCEL.code());
            }
        }
    }

    /** Counts the buffered bytes, and closes the connection or its streams if the client does not read responses in time. */
    void closeUnread(long now, long timeout) {
        memory.count();
        memory.closeUnread(now, timeout);
        queue.runNext();
    }

    int trackedRequests() {
        return requests.size();
    }
}

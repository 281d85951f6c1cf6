package io.sluice.server.http;

import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2Error;
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

/** A connection, and the requests of it that are under way. Times are counted in looks. */
final class Watched implements Held.Requests {
    /** A request that has begun. */
    private static final class Begun {
        final HttpServerRequest request;
        private final long head;
        private boolean waits;
        private long since;

        /** @param head about how many bytes came before it was known */
        Begun(HttpServerRequest request, long head, long now) {
            this.request = request;
            this.head = head;
            this.since = now;
        }

        boolean isWhole() {
            return request.isEnded();
        }

        /** A call that was cancelled is closed, but its response never ends. */
        boolean isOver() {
            return request.response().closed()
                    || (request.isEnded() && request.response().ended());
        }

        boolean isLate(long now, long patience) {
            return !waits && !isWhole() && now - since > patience;
        }

        long bytes() {
            return head + request.bytesRead();
        }
    }

    private static final int FEW = 16;

    /** So many bytes of answers may wait before the next request does. */
    private static final long PLENTY = 4 * 1024 * 1024;

    private final HttpConnection connection;
    private final Channel channel;
    private final ByteBudget budget;
    private final Held held;
    private final Turns turns;
    private final ArrayDeque<Begun> begun = new ArrayDeque<>(2);
    private long active;
    private long beginning = -1;
    private boolean asked;
    private boolean http2;
    private int many = FEW;

    /** @param later runs a task on the event loop, after what runs there now */
    Watched(HttpConnection connection, Channel channel, ByteBudget budget, Consumer<Runnable> later, long now) {
        this.connection = connection;
        this.channel = channel;
        this.budget = budget;
        this.active = now;
        turns = new Turns(this::isFull, later);
        held = new Held(channel, budget, this, turns::next).watch();
    }

    /**
     * A request has begun. It is handled now, or when earlier answers have left.
     *
     * @param then what handles it
     */
    void began(HttpServerRequest request, long now, Handler<HttpServerRequest> then) {
        active = now;
        if (!asked) {
            asked = true;
            http2 = request.version() == HttpVersion.HTTP_2;
        }
        while (!begun.isEmpty() && begun.getFirst().isOver()) {
            begun.removeFirst();
        }
        if (begun.size() >= many) {
            // Behind one that takes long.
            begun.removeIf(Begun::isOver);
            many = Math.max(FEW, 2 * begun.size());
        }
        Begun one = new Begun(request, held.begun(), now);
        begun.addLast(one);
        if (turns.isFull()) {
            one.waits = true;
            request.pause();
            turns.add(() -> {
                one.waits = false;
                one.since = active;
                if (!request.response().closed()) {
                    then.handle(request);
                    request.resume();
                }
            });
        } else {
            then.handle(request);
        }
    }

    private boolean isFull() {
        if (!channel.isWritable()) {
            return true;
        }
        long answers = held.answers();
        return answers > 0 && answers > Math.min(PLENTY, budget.share() / 2);
    }

    /** An answer of HTTP/2 is about to be sent. */
    void answers(HttpServerResponse response, long now) {
        @Nullable String length = response.headers().get(HttpHeaders.CONTENT_LENGTH);
        if (length != null && !held.admits(response.streamId(), Integer.parseInt(length), now)) {
            response.reset(Http2Error.ENHANCE_YOUR_CALM.code());
        }
    }

    @Override
    public long bytes() {
        long bytes = 0;
        for (Begun one : begun) {
            if (!one.isOver()) {
                bytes += one.bytes();
            }
        }
        return bytes;
    }

    @Override
    public boolean isComing() {
        @Nullable Begun last = begun.peekLast();
        return last != null && !last.isWhole();
    }

    /*
     * HTTP/2 may be kept open without a request by pings. In HTTP/1 a connection without a request is idle; but once it has sent
     * the first bytes of the next one, that has to come in time.
     */
    /** Whether a request took more than so long to come, or the next one does not come. */
    boolean isLate(long now, long patience, long idle) {
        for (Iterator<Begun> each = begun.iterator(); each.hasNext(); ) {
            Begun one = each.next();
            if (one.isOver()) {
                each.remove();
            } else if (one.isLate(now, patience)) {
                return true;
            }
        }
        if (!begun.isEmpty()) {
            active = now;
            beginning = -1;
            return false;
        }
        if (!held.isBeginning()) {
            beginning = -1;
        } else if (beginning < 0) {
            beginning = now;
        }
        return (beginning >= 0 && now - beginning > patience) || (!http2 && now - active > idle);
    }

    /** Ends what is late: in HTTP/2 the requests that are, and not those beside them. */
    void endLate(long now, long patience) {
        if (!http2) {
            connection.close();
            return;
        }
        for (Begun one : List.copyOf(begun)) {
            if (!one.isOver() && one.isLate(now, patience)) {
                one.request.response().reset(Http2Error.CANCEL.code());
            }
        }
    }

    /** Counts what it holds, and ends what nobody reads. */
    void endUnread(long now, long patience) {
        held.count();
        held.endUnread(now, patience);
        turns.next();
    }

    /** How many requests are kept. */
    int kept() {
        return begun.size();
    }
}

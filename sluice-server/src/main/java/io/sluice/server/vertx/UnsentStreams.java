package io.sluice.server.vertx;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.collection.IntObjectMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * An HTTP/2 client says for each stream how many bytes it accepts, and may say 0. Bytes that it does not accept wait in queues of
 * Vert.x and Netty, which do not tell their length. But the length of a response is known, and a stream ends when its last byte
 * is sent.
 */
/** The responses of an HTTP/2 connection that are not completely sent. Used on its event loop only. */
final class UnsentStreams extends Http2ConnectionAdapter {
    private record Response(int length, long since) {}

    private final Http2ConnectionHandler handler;
    private final ChannelHandlerContext context;
    private final Runnable onSent;
    private final IntObjectMap<Response> responses = new IntObjectHashMap<>();
    private long bytes;

    /** @param onSent is called when a response has been sent */
    UnsentStreams(ChannelHandlerContext context, Http2ConnectionHandler handler, Runnable onSent) {
        this.handler = handler;
        this.context = context;
        this.onSent = onSent;
        handler.connection().addListener(this);
    }

    /** Adds a response that is about to be sent. */
    void add(int stream, int length, long now) {
        @Nullable Response before = responses.put(stream, new Response(length, now));
        bytes += length - (before == null ? 0 : before.length);
    }

    long bytes() {
        return bytes;
    }

    /**
     * Resets the streams whose response was not sent within the timeout, and drops the rest of it.
     *
     * @return the number of streams
     */
    int resetLate(long now, long timeout) {
        List<Integer> late = new ArrayList<>(0);
        for (IntObjectMap.PrimitiveEntry<Response> each : responses.entries()) {
            if (now - each.value().since > timeout) {
                late.add(each.key());
            }
        }
        for (int stream : late) {
            handler.resetStream(context, stream, Http2Error.CANCEL.code(), context.newPromise());
        }
        if (!late.isEmpty()) {
            context.flush();
        }
        return late.size();
    }

    @Override
    public void onStreamHalfClosed(Http2Stream stream) {
        if (!stream.state().localSideOpen()) {
            remove(stream.id());
        }
    }

    @Override
    public void onStreamClosed(Http2Stream stream) {
        remove(stream.id());
    }

    private void remove(int stream) {
        @Nullable Response response = responses.remove(stream);
        if (response != null) {
            bytes -= response.length;
            onSent.run();
        }
    }
}

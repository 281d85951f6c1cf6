package io.sluice.server.http;

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
 * A client of HTTP/2 says for each stream how many bytes it will take, and may say 0. What it does not take waits in queues of
 * Vert.x and of Netty, which nobody can ask how long they are. But it is known how long an answer is, and a stream ends when the
 * last of it has left.
 */
/** The answers of an HTTP/2 connection that have not left yet. Used on its event loop only. */
final class UnsentStreams extends Http2ConnectionAdapter {
    private record Answer(int length, long since) {}

    private final Http2ConnectionHandler handler;
    private final ChannelHandlerContext context;
    private final Runnable changed;
    private final IntObjectMap<Answer> answers = new IntObjectHashMap<>();
    private long bytes;

    /** @param changed is called when an answer has left */
    UnsentStreams(ChannelHandlerContext context, Http2ConnectionHandler handler, Runnable changed) {
        this.handler = handler;
        this.context = context;
        this.changed = changed;
        handler.connection().addListener(this);
    }

    /** An answer is about to be sent. */
    void add(int stream, int length, long now) {
        @Nullable Answer before = answers.put(stream, new Answer(length, now));
        bytes += length - (before == null ? 0 : before.length);
    }

    long bytes() {
        return bytes;
    }

    /**
     * Ends the streams whose answer did not leave in time, and drops what is left of it.
     *
     * @return how many
     */
    int resetLate(long now, long patience) {
        List<Integer> late = new ArrayList<>(0);
        for (IntObjectMap.PrimitiveEntry<Answer> each : answers.entries()) {
            if (now - each.value().since > patience) {
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
            left(stream.id());
        }
    }

    @Override
    public void onStreamClosed(Http2Stream stream) {
        left(stream.id());
    }

    private void left(int stream) {
        @Nullable Answer answer = answers.remove(stream);
        if (answer != null) {
            bytes -= answer.length;
            changed.run();
        }
    }
}

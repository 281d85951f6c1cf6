package io.sluice.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Exception;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/*
 * Vert.x writes the trailers of an HTTP/2 response, which every gRPC answer ends with, without a promise. Netty then reports a write
 * that fails as a failure of the connection, and Vert.x closes it. The write fails whenever a client cancels a call whose answer
 * is not on the wire yet: an RST_STREAM in the same read as its request is enough. One cancelled call took all others of its
 * connection with it. Such a failure says which stream it belongs to, and here, where it enters the pipeline, it ends.
 */
/** Keeps the failure of one HTTP/2 stream from closing the connection of all others. */
@Sharable
public final class StreamFailures extends ChannelInboundHandlerAdapter {
    private static final StreamFailures STATELESS = new StreamFailures();

    private StreamFailures() {}

    /** Watches over every connection that may stay. */
    public static Predicate<Channel> of(Predicate<Channel> stays) {
        return connection -> {
            boolean stayed = stays.test(connection);
            if (stayed) {
                connection.pipeline().addFirst(STATELESS);
            }
            return stayed;
        };
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        @Nullable Http2Exception http2 = Http2CodecUtil.getEmbeddedHttp2Exception(failure);
        if (http2 == null || !Http2Exception.isStreamError(http2)) {
            context.fireExceptionCaught(failure);
        }
    }
}

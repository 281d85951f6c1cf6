package io.sluice.server.vertx;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Exception;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/*
 * Every gRPC response ends with trailers. Vert.x writes the trailers of an HTTP/2 response without a promise. If that write fails,
 * Netty reports a failure of the connection, and Vert.x closes the connection. The write fails whenever a client cancels a call
 * before its response is on the wire: an RST_STREAM in the same read as its request is enough. So one cancelled call ended all
 * other calls of its connection. Such a failure names its stream. This handler is first in the pipeline and drops it.
 */
/** Keeps the failure of one HTTP/2 stream from closing its connection. */
@Sharable
public final class StreamFailures extends ChannelInboundHandlerAdapter {
    private static final StreamFailures INSTANCE = new StreamFailures();

    private StreamFailures() {}

    /** An accept filter that adds the handler to each connection that another filter accepts. */
    public static Predicate<Channel> filter(Predicate<Channel> accepts) {
        return connection -> {
            boolean accepted = accepts.test(connection);
            if (accepted) {
                connection.pipeline().addFirst(INSTANCE);
            }
            return accepted;
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

package io.sluice.server.vertx;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetSocket;

/** Gives access to the Netty channels under the connections of Vert.x. */
public final class VertxChannels {
    private VertxChannels() {}

    /** The channel of a connection of an HTTP server. */
    public static Channel of(HttpConnection connection) {
        return ((HttpServerConnection) connection).channelHandlerContext().channel();
    }

    /** The context of the Vert.x handler in the pipeline of a socket. */
    static ChannelHandlerContext context(NetSocket socket) {
        return ((NetSocketInternal) socket).channelHandlerContext();
    }

    /** Closes a connection that was accepted and has no event loop yet: no other method can close it. */
    public static void closeUnregistered(Channel connection) {
        connection.unsafe().closeForcibly();
    }
}

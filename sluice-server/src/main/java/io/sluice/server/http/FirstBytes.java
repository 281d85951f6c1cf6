package io.sluice.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.SocketAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/*
 * Until the first head of a connection is whole there is no connection of HTTP yet, only one of TCP, and its idle timeout begins
 * again with every byte. So the first bytes start a clock, which the head stops. It costs nothing after that.
 */
/** Ends connections that begin a request and do not come to the end of its head. Thread-safe. */
public final class FirstBytes {
    private record Peer(String host, int port) {}

    private final Map<Peer, Future<?>> waiting = new ConcurrentHashMap<>();
    private final Duration patience;

    /** @param idle how long a connection may be idle; if that is less than a request may take to come, it has less */
    public FirstBytes(Duration idle) {
        patience = Connections.patience(idle);
    }

    /** Waits for the first bytes of each connection that may stay. */
    public Predicate<Channel> of(Predicate<Channel> stays) {
        return channel -> {
            if (!stays.test(channel)) {
                return false;
            }
            accepted(channel);
            return true;
        };
    }

    private void accepted(Channel channel) {
        Held.readLittle(channel);
        channel.pipeline().addFirst(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object bytes) {
                began(context.channel());
                context.fireChannelRead(bytes);
                if (!context.isRemoved()) {
                    context.pipeline().remove(this);
                }
            }
        });
    }

    private void began(Channel channel) {
        if (channel.remoteAddress() instanceof InetSocketAddress address && address.getAddress() != null) {
            Peer peer = new Peer(address.getAddress().getHostAddress(), address.getPort());
            Future<?> end =
                    channel.eventLoop().schedule((Runnable) channel::close, patience.toMillis(), TimeUnit.MILLISECONDS);
            waiting.put(peer, end);
            channel.closeFuture().addListener(closed -> stop(peer, end));
        }
    }

    /** The connection has sent a head, or whatever else makes it one of HTTP. */
    void opened(HttpConnection connection) {
        SocketAddress address = connection.remoteAddress();
        @Nullable String host = address == null ? null : address.hostAddress();
        if (host != null) {
            Peer peer = new Peer(host, address.port());
            Future<?> end = waiting.get(peer);
            if (end != null) {
                stop(peer, end);
            }
        }
    }

    private void stop(Peer peer, Future<?> end) {
        end.cancel(false);
        waiting.remove(peer, end);
    }
}

package io.sluice.server.vertx;

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
 * Vert.x makes an HTTP connection of a TCP connection when the first header section is complete. Until then there is only the
 * idle timeout, which starts again with every byte. So the first bytes start a timer here, and the HTTP connection stops it.
 * After that it costs nothing.
 */
/** Closes connections that start their first request and do not complete its header section in time. Thread-safe. */
public final class HeaderTimeout {
    private record Peer(String host, int port) {}

    private final Map<Peer, Future<?>> timers = new ConcurrentHashMap<>();
    private final Duration timeout;

    /** @param timeout the maximum time from the first byte to the end of the header section */
    public HeaderTimeout(Duration timeout) {
        this.timeout = timeout;
    }

    /** An accept filter that applies the timeout to each connection that another filter accepts. */
    public Predicate<Channel> filter(Predicate<Channel> accepts) {
        return channel -> {
            if (!accepts.test(channel)) {
                return false;
            }
            onAccepted(channel);
            return true;
        };
    }

    private void onAccepted(Channel channel) {
        ConnectionMemory.useSmallReads(channel);
        channel.pipeline().addFirst(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object bytes) {
                startTimer(context.channel());
                context.fireChannelRead(bytes);
                if (!context.isRemoved()) {
                    context.pipeline().remove(this);
                }
            }
        });
    }

    private void startTimer(Channel channel) {
        if (channel.remoteAddress() instanceof InetSocketAddress address && address.getAddress() != null) {
            Peer peer = new Peer(address.getAddress().getHostAddress(), address.getPort());
            Future<?> timer =
                    channel.eventLoop().schedule((Runnable) channel::close, timeout.toMillis(), TimeUnit.MILLISECONDS);
            timers.put(peer, timer);
            channel.closeFuture().addListener(closed -> stopTimer(peer, timer));
        }
    }

    /** Stops the timer of a connection: its header section is complete, or it is an HTTP connection for another reason. */
    public void onHttpConnection(HttpConnection connection) {
        SocketAddress address = connection.remoteAddress();
        @Nullable String host = address == null ? null : address.hostAddress();
        if (host != null) {
            Peer peer = new Peer(host, address.port());
            Future<?> timer = timers.get(peer);
            if (timer != null) {
                stopTimer(peer, timer);
            }
        }
    }

    private void stopTimer(Peer peer, Future<?> timer) {
        timer.cancel(false);
        timers.remove(peer, timer);
    }
}

package io.sluice.server;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.datagram.DatagramSocketOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.ClientOptionsBase;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.transport.Transport;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The transport of the machine, which tells of each connection that a listener for HTTP accepts. */
final class WatchedTransport implements Transport, io.vertx.core.transport.Transport {
    private final io.vertx.core.transport.Transport of;
    private final Transport to;
    private final Consumer<Channel> accepted;

    private WatchedTransport(io.vertx.core.transport.Transport of, Consumer<Channel> accepted) {
        this.of = of;
        this.to = of.implementation();
        this.accepted = accepted;
    }

    /** The fastest there is. */
    static WatchedTransport fastest(Consumer<Channel> accepted) {
        io.vertx.core.transport.@Nullable Transport fastest = io.vertx.core.transport.Transport.nativeTransport();
        return new WatchedTransport(
                fastest == null || !fastest.available() ? io.vertx.core.transport.Transport.NIO : fastest, accepted);
    }

    @ChannelHandler.Sharable
    private static final class Acceptor extends ChannelInboundHandlerAdapter {
        private final Consumer<Channel> accepted;

        Acceptor(Consumer<Channel> accepted) {
            this.accepted = accepted;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object connection) {
            accepted.accept((Channel) connection);
            context.fireChannelRead(connection);
        }
    }

    @Override
    public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
        to.configure(options, domainSocket, bootstrap);
        if (options instanceof HttpServerOptions) {
            bootstrap.handler(new Acceptor(accepted));
        }
    }

    @Override
    public String name() {
        return of.name();
    }

    @Override
    public boolean available() {
        return of.available();
    }

    @Override
    public Transport implementation() {
        return this;
    }

    @Override
    public boolean supportsDomainSockets() {
        return to.supportsDomainSockets();
    }

    @Override
    public boolean supportFileRegion() {
        return to.supportFileRegion();
    }

    @Override
    public boolean isAvailable() {
        return to.isAvailable();
    }

    @Override
    public Throwable unavailabilityCause() {
        return to.unavailabilityCause();
    }

    @Override
    public java.net.SocketAddress convert(SocketAddress address) {
        return to.convert(address);
    }

    @Override
    public SocketAddress convert(java.net.SocketAddress address) {
        return to.convert(address);
    }

    @Override
    public IoHandlerFactory ioHandlerFactory() {
        return to.ioHandlerFactory();
    }

    @Override
    public EventLoopGroup eventLoopGroup(int type, int threads, ThreadFactory factory, int ratio) {
        return to.eventLoopGroup(type, threads, factory, ratio);
    }

    @Override
    public DatagramChannel datagramChannel() {
        return to.datagramChannel();
    }

    @Override
    @SuppressWarnings("deprecation")
    public DatagramChannel datagramChannel(InternetProtocolFamily family) {
        return to.datagramChannel(family);
    }

    @Override
    public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
        return to.channelFactory(domainSocket);
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
        return to.serverChannelFactory(domainSocket);
    }

    @Override
    public void configure(DatagramChannel channel, DatagramSocketOptions options) {
        to.configure(channel, options);
    }

    @Override
    public void configure(ClientOptionsBase options, int timeout, boolean domainSocket, Bootstrap bootstrap) {
        to.configure(options, timeout, domainSocket, bootstrap);
    }
}

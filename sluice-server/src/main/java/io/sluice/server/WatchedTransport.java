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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The transport of the machine, which asks about each connection that a listener accepts whether it may stay. */
final class WatchedTransport implements Transport, io.vertx.core.transport.Transport {
    private final io.vertx.core.transport.Transport of;
    private final Transport to;
    private final Predicate<Channel> http;
    private final Predicate<Channel> resp;

    private WatchedTransport(io.vertx.core.transport.Transport of, Predicate<Channel> http, Predicate<Channel> resp) {
        this.of = of;
        this.to = of.implementation();
        this.http = http;
        this.resp = resp;
    }

    /**
     * The fastest there is.
     *
     * @param http whether a connection for HTTP may stay; one that may not is closed already
     * @param resp the same for RESP
     */
    static WatchedTransport fastest(Predicate<Channel> http, Predicate<Channel> resp) {
        io.vertx.core.transport.@Nullable Transport fastest = io.vertx.core.transport.Transport.nativeTransport();
        return new WatchedTransport(
                fastest == null || !fastest.available() ? io.vertx.core.transport.Transport.NIO : fastest, http, resp);
    }

    @ChannelHandler.Sharable
    private static final class Acceptor extends ChannelInboundHandlerAdapter {
        private final Predicate<Channel> stays;

        Acceptor(Predicate<Channel> stays) {
            this.stays = stays;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object connection) {
            if (stays.test((Channel) connection)) {
                context.fireChannelRead(connection);
            }
        }
    }

    @Override
    public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
        to.configure(options, domainSocket, bootstrap);
        bootstrap.handler(new Acceptor(options instanceof HttpServerOptions ? http : resp));
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

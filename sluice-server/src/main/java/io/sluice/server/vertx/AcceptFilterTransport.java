package io.sluice.server.vertx;

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

/** The fastest transport of this machine, with a filter for each connection that a port accepts. */
public final class AcceptFilterTransport implements Transport, io.vertx.core.transport.Transport {
    private final io.vertx.core.transport.Transport descriptor;
    private final Transport delegate;
    private final Predicate<Channel> http;
    private final Predicate<Channel> resp;

    private AcceptFilterTransport(
            io.vertx.core.transport.Transport descriptor, Predicate<Channel> http, Predicate<Channel> resp) {
        this.descriptor = descriptor;
        this.delegate = descriptor.implementation();
        this.http = http;
        this.resp = resp;
    }

    /**
     * Makes the transport.
     *
     * @param http whether a connection of an HTTP port may stay; the filter closes a connection that it refuses
     * @param resp the same for RESP ports
     */
    public static AcceptFilterTransport fastest(Predicate<Channel> http, Predicate<Channel> resp) {
        io.vertx.core.transport.@Nullable Transport fastest = io.vertx.core.transport.Transport.nativeTransport();
        return new AcceptFilterTransport(
                fastest == null || !fastest.available() ? io.vertx.core.transport.Transport.NIO : fastest, http, resp);
    }

    @ChannelHandler.Sharable
    private static final class AcceptFilter extends ChannelInboundHandlerAdapter {
        private final Predicate<Channel> filter;

        AcceptFilter(Predicate<Channel> filter) {
            this.filter = filter;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object connection) {
            if (filter.test((Channel) connection)) {
                context.fireChannelRead(connection);
            }
        }
    }

    @Override
    public void configure(NetServerOptions options, boolean domainSocket, ServerBootstrap bootstrap) {
        delegate.configure(options, domainSocket, bootstrap);
        bootstrap.handler(new AcceptFilter(options instanceof HttpServerOptions ? http : resp));
    }

    @Override
    public String name() {
        return descriptor.name();
    }

    @Override
    public boolean available() {
        return descriptor.available();
    }

    @Override
    public Transport implementation() {
        return this;
    }

    @Override
    public boolean supportsDomainSockets() {
        return delegate.supportsDomainSockets();
    }

    @Override
    public boolean supportFileRegion() {
        return delegate.supportFileRegion();
    }

    @Override
    public boolean isAvailable() {
        return delegate.isAvailable();
    }

    @Override
    public Throwable unavailabilityCause() {
        return delegate.unavailabilityCause();
    }

    @Override
    public java.net.SocketAddress convert(SocketAddress address) {
        return delegate.convert(address);
    }

    @Override
    public SocketAddress convert(java.net.SocketAddress address) {
        return delegate.convert(address);
    }

    @Override
    public IoHandlerFactory ioHandlerFactory() {
        return delegate.ioHandlerFactory();
    }

    @Override
    public EventLoopGroup eventLoopGroup(int type, int threads, ThreadFactory factory, int ratio) {
        return delegate.eventLoopGroup(type, threads, factory, ratio);
    }

    @Override
    public DatagramChannel datagramChannel() {
        return delegate.datagramChannel();
    }

    @Override
    @SuppressWarnings("deprecation")
    public DatagramChannel datagramChannel(InternetProtocolFamily family) {
        return delegate.datagramChannel(family);
    }

    @Override
    public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
        return delegate.channelFactory(domainSocket);
    }

    @Override
    public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
        return delegate.serverChannelFactory(domainSocket);
    }

    @Override
    public void configure(DatagramChannel channel, DatagramSocketOptions options) {
        delegate.configure(channel, options);
    }

    @Override
    public void configure(ClientOptionsBase options, int timeout, boolean domainSocket, Bootstrap bootstrap) {
        delegate.configure(options, timeout, domainSocket, bootstrap);
    }
}

package io.sluice.server.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.vertx.core.net.NetSocket;

/*
 * Vert.x has its own queues before those of Netty, in both directions, and bounds them by a number of messages: a megabyte and
 * more for each connection. So output goes to Netty at once, and a client that must wait is not read at all.
 */
/** Sends bytes to a client and counts those that it has not taken. Used on its event loop only. */
public final class SocketOutput extends ChannelInboundHandlerAdapter implements ChannelFutureListener {
    /** The output is full above the larger number of unsent bytes, until they fall below the smaller one. */
    private static final WriteBufferWaterMark MARKS = new WriteBufferWaterMark(16 * 1024, 32 * 1024);

    private static final RecvByteBufAllocator READS = new AdaptiveRecvByteBufAllocator(512, 2048, 16 * 1024);

    private final ChannelHandlerContext context;
    private final Runnable onDrained;
    private long completedWrites;

    /** @param onDrained is run when the output is no longer full */
    public SocketOutput(NetSocket socket, Runnable onDrained) {
        this.context = VertxChannels.context(socket);
        this.onDrained = onDrained;
        ChannelConfig config = context.channel().config();
        config.setWriteBufferWaterMark(MARKS);
        config.setRecvByteBufAllocator(READS);
        context.pipeline().addBefore(context.name(), null, this);
    }

    /** Allocates the buffers for {@link #send}. */
    public ByteBufAllocator allocator() {
        return context.alloc();
    }

    /** Sends bytes, as far as the client takes them, and releases the buffer. */
    public void send(ByteBuf bytes) {
        context.writeAndFlush(bytes, context.newPromise().addListener(this));
    }

    @Override
    public void operationComplete(ChannelFuture write) {
        completedWrites++;
    }

    /** The number of sends that the client has taken completely. */
    public long completedWrites() {
        return completedWrites;
    }

    /** The number of bytes that the client has not taken. */
    public long unsentBytes() {
        ChannelOutboundBuffer buffer = context.channel().unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    public boolean isFull() {
        return !context.channel().isWritable();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext unused) {
        unused.fireChannelWritabilityChanged();
        if (!isFull()) {
            onDrained.run();
        }
    }

    /** Starts or stops reading from the client. */
    public void setReading(boolean reading) {
        context.channel().config().setAutoRead(reading);
    }

    /** Closes the connection at once. {@code NetSocket.close} would wait until everything is sent. */
    public void abort() {
        context.close();
    }
}

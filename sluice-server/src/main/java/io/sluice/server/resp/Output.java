package io.sluice.server.resp;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetSocket;

/*
 * Vert.x has queues of its own before those of Netty, in both directions, and bounds them by a number of messages: that is a
 * megabyte and more for each connection. So what is sent goes to Netty at once, and who is not to be read is not read at all.
 */
/** The bytes that go to a client, and how many of them it has not taken. Used on its event loop only. */
final class Output extends ChannelInboundHandlerAdapter implements ChannelFutureListener {
    /** Beyond the larger number of bytes the client counts as one that does not read; below the smaller one it is free again. */
    private static final WriteBufferWaterMark MARKS = new WriteBufferWaterMark(16 * 1024, 32 * 1024);

    private static final RecvByteBufAllocator READS = new AdaptiveRecvByteBufAllocator(512, 2048, 16 * 1024);

    private final ChannelHandlerContext context;
    private final Runnable drained;
    private long taken;

    /** @param drained is run when it is no longer full */
    Output(NetSocket socket, Runnable drained) {
        this.context = ((NetSocketInternal) socket).channelHandlerContext();
        this.drained = drained;
        ChannelConfig config = context.channel().config();
        config.setWriteBufferWaterMark(MARKS);
        config.setRecvByteBufAllocator(READS);
        context.pipeline().addBefore(context.name(), null, this);
    }

    /** Sends all replies so far, as far as the client takes them. */
    void send(Replies replies) {
        context.writeAndFlush(
                replies.take(context.alloc()), context.newPromise().addListener(this));
    }

    @Override
    public void operationComplete(ChannelFuture write) {
        taken++;
    }

    /** A number that changes when the client has taken something. */
    long taken() {
        return taken;
    }

    /** Bytes that are still here. */
    long unsent() {
        ChannelOutboundBuffer buffer = context.channel().unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    boolean isFull() {
        return !context.channel().isWritable();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext unused) {
        unused.fireChannelWritabilityChanged();
        if (!isFull()) {
            drained.run();
        }
    }

    /** Whether the client is read. */
    void reads(boolean reads) {
        context.channel().config().setAutoRead(reads);
    }

    /** Closes it though not all was sent: a close of the socket's own would wait for that. */
    void abort() {
        context.close();
    }
}

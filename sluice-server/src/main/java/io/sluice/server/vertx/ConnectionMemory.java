package io.sluice.server.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.sluice.server.decide.RequestBounds;
import org.jspecify.annotations.Nullable;

/*
 * This handler is next to the network, because only there is it known which bytes the network has not taken. A client that
 * reads its responses costs one look at that number: it is 0 after every flush.
 *
 * A client that reads one byte now and then keeps its responses in memory as long as a client that reads nothing. So the bytes
 * that are unsent at one moment must all be sent within the timeout, even if some of them are sent earlier.
 */
/** Counts the bytes that an HTTP connection makes the server buffer, and bounds them. Used on its event loop only. */
public final class ConnectionMemory extends ChannelDuplexHandler {
    /** The open requests of a connection. */
    public interface Requests {
        /** The number of bytes that they take. */
        long bytes();

        /** Whether the next bytes from the client belong to one of them. */
        boolean isReading();
    }

    /** The buffered bytes are counted again after this many bytes came in. */
    private static final int COUNT_INTERVAL = 64 * 1024;

    /** The bytes of responses are counted again when they differ by this much. */
    private static final int COUNT_STEP = 4 * 1024;

    /** The smallest requests take this many times their bytes when they are parsed and wait in the queue. */
    private static final int PARSED_FACTOR = 32;

    private static final int MIN_READ = 64;
    private static final int INITIAL_READ = 2048;
    private static final int MAX_READ = 16 * 1024;

    private final Channel channel;
    private final ByteBudget budget;
    private final Requests requests;
    private final Runnable onDrained;

    /** Null for HTTP/1. */
    private @Nullable UnsentStreams streams;

    private boolean removed;
    /** The bytes of unsent responses, as they were last counted. */
    private long responseBytes;
    /** All bytes that are counted in the budget for this connection. */
    private long countedBytes;
    /** All bytes that were written since the connection began. */
    private long writtenBytes;
    /** The value of {@link #writtenBytes} that the network must reach within the timeout. */
    private long writtenDue;

    private long dueSince = -1;
    private long readSinceCount;
    /** Bytes that came in and belong to no request yet: the start of a header section. */
    private long headerBytes;

    private long bytesOfThisRead;
    private long unparsedBytes;
    private boolean headerStarted;

    /** @param onDrained is called when unsent responses have been sent */
    public ConnectionMemory(Channel channel, ByteBudget budget, Requests requests, Runnable onDrained) {
        this.channel = channel;
        this.budget = budget;
        this.requests = requests;
        this.onDrained = onDrained;
    }

    /** Makes a new connection read few bytes at a time. To be called before its first read. */
    static void useSmallReads(Channel accepted) {
        accepted.config().setRecvByteBufAllocator(new AdaptiveRecvByteBufAllocator(MIN_READ, INITIAL_READ, MAX_READ));
    }

    /** Adds this handler to the pipeline of its connection. */
    public ConnectionMemory install() {
        channel.pipeline().addFirst(this);
        @Nullable ChannelHandlerContext http2 = channel.pipeline().context(Http2ConnectionHandler.class);
        if (http2 == null) {
            useSingleReads();
        } else {
            streams = new UnsentStreams(http2, (Http2ConnectionHandler) http2.handler(), this::onStreamSent);
        }
        return this;
    }

    /** One read may have a thousand requests, and all but the first wait. So no second read follows at once. */
    @SuppressWarnings("deprecation") // the other way would be another allocator, but the first one is in use already
    private void useSingleReads() {
        channel.config().setMaxMessagesPerRead(1);
    }

    /** The number of bytes of responses that are not sent. */
    public long unsentBytes() {
        long pending = pendingWriteBytes();
        // The bytes of a stream are counted there until the network has taken them.
        return streams == null ? pending : Math.max(pending, streams.bytes());
    }

    private long pendingWriteBytes() {
        @Nullable ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        return out == null ? 0 : out.totalPendingWriteBytes();
    }

    /**
     * Counts an HTTP/2 response that is about to be sent.
     *
     * @return whether it may be buffered; if not, the stream must be reset
     */
    public boolean admitResponse(int stream, int length, long now) {
        long all = unsentBytes() + length;
        if (all > COUNT_STEP && all > budget.share()) {
            budget.countDroppedFull();
            return false;
        }
        if (streams != null) {
            streams.add(stream, length, now);
            countResponses();
        }
        return true;
    }

    private void onStreamSent() {
        countResponses();
        onDrained.run();
    }

    /** Returns the difference to the previous count. */
    private long countResponses() {
        long now = unsentBytes();
        long difference = now - responseBytes;
        if (Math.abs(difference) < COUNT_STEP && (now != 0 || difference == 0)) {
            return 0;
        }
        responseBytes = now;
        add(difference);
        return difference;
    }

    /** Counts all buffered bytes again, and closes the connection if they are more than its share. */
    public void count() {
        responseBytes = unsentBytes();
        long header = isReadingHeader() ? Math.min(headerBytes, RequestBounds.HEADERS) : 0;
        long now = responseBytes + unparsedBytes + requests.bytes() + header;
        long difference = now - countedBytes;
        add(difference);
        closeIfOverShare(difference);
    }

    private void closeIfOverShare(long difference) {
        if (difference > 0 && countedBytes > budget.share()) {
            budget.countDroppedFull();
            abort();
        }
    }

    private void add(long bytes) {
        if (!removed && bytes != 0) {
            countedBytes += bytes;
            budget.add(bytes);
        }
    }

    /** Closes the connection, or resets its streams, if the client does not read responses within the timeout. */
    public void closeUnread(long now, long timeout) {
        if (isUnread(now, timeout)) {
            budget.countDroppedUnread();
            abort();
        } else if (streams != null) {
            for (int i = streams.resetLate(now, timeout); i > 0; i--) {
                budget.countDroppedUnread();
            }
        }
    }

    private boolean isUnread(long now, long timeout) {
        long pending = pendingWriteBytes();
        if (pending == 0) {
            dueSince = -1;
            return false;
        }
        if (dueSince < 0 || writtenBytes - pending >= writtenDue) {
            dueSince = now;
            writtenDue = writtenBytes;
        }
        return now - dueSince > timeout;
    }

    /**
     * Closes the connection at once, from the network's end of the pipeline. Every other way waits for the client to read, in
     * the pipeline or in the kernel.
     */
    private void abort() {
        if (channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            channel.pipeline().firstContext().close();
        }
        giveBack();
    }

    /**
     * Gives the counted bytes back. A closed connection buffers nothing. Its handler is removed later, after the event loop has served
     * all other connections that are ready, and these must not be closed for bytes that are free.
     */
    private void giveBack() {
        add(-countedBytes);
        removed = true;
    }

    /** To be called when a request has begun. Returns the maximum size of its header section in bytes. */
    public long takeHeaderBytes() {
        long length = Math.min(headerBytes, RequestBounds.HEADERS);
        headerBytes = 0;
        headerStarted = false;
        return length;
    }

    /** Whether the client has sent bytes that belong to no HTTP/1 request yet. */
    public boolean isReadingHeader() {
        return headerStarted && streams == null;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof ByteBuf bytes) {
            int length = bytes.readableBytes();
            readSinceCount += length;
            bytesOfThisRead += length;
            if (!requests.isReading()) {
                headerStarted = true;
                headerBytes += length;
            }
        }
        context.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.fireChannelReadComplete();
        if (!channel.config().isAutoRead()) {
            unparsedBytes += PARSED_FACTOR * bytesOfThisRead;
            count();
        } else if (readSinceCount >= COUNT_INTERVAL) {
            readSinceCount = 0;
            count();
        }
        bytesOfThisRead = 0;
    }

    @Override
    public void read(ChannelHandlerContext context) {
        if (unparsedBytes != 0) {
            unparsedBytes = 0;
            count();
        }
        context.read();
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof ByteBuf bytes) {
            writtenBytes += bytes.readableBytes();
        }
        context.write(message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext context) {
        context.flush();
        if (pendingWriteBytes() != 0 || responseBytes != 0) {
            closeIfOverShare(countResponses());
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        context.fireChannelWritabilityChanged();
        if (channel.isWritable()) {
            onDrained.run();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        giveBack();
    }
}

package io.sluice.server.http;

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
 * Stands where bytes leave for the network, because only there is it known what the network has not taken. A client that reads
 * what it is answered costs nothing but a look at that number: it is 0 after every flush.
 *
 * A client that reads a byte now and then holds its answers as well as one that reads none. So what waits at one moment has to
 * be gone a while later, however often some of it goes.
 */
/** What a connection makes the server hold, in bytes. Used on its event loop only. */
final class Held extends ChannelDuplexHandler {
    /** The requests of a connection that are under way. */
    interface Requests {
        /** How many bytes there are of them. */
        long bytes();

        /** Whether what comes next belongs to one of them. */
        boolean isComing();
    }

    /** After so many bytes came in, it is counted anew what is held of them. */
    private static final int OFTEN = 64 * 1024;

    /** Answers are counted when they are that many bytes more or less. */
    private static final int GRAIN = 4 * 1024;

    /** The smallest requests take that many times their bytes when they are parsed, and wait for their turn. */
    private static final int PARSED = 32;

    private static final int LEAST_READ = 64;
    private static final int USUAL_READ = 2048;
    private static final int MOST_READ = 16 * 1024;

    private final Channel channel;
    private final ByteBudget budget;
    private final Requests requests;
    private final Runnable drained;
    private @Nullable UnsentStreams streams;
    private boolean gone;

    private long answers;
    private long counted;

    private long written;
    private long due;
    private long dueSince = -1;

    private long came;
    private long head;
    private long cameInThisRead;
    private long unparsed;
    private boolean begins;

    /** @param drained is called when answers have left that waited */
    Held(Channel channel, ByteBudget budget, Requests requests, Runnable drained) {
        this.channel = channel;
        this.budget = budget;
        this.requests = requests;
        this.drained = drained;
    }

    /** Makes a connection read little at a time; before it has read anything. */
    static void readLittle(Channel accepted) {
        accepted.config().setRecvByteBufAllocator(new AdaptiveRecvByteBufAllocator(LEAST_READ, USUAL_READ, MOST_READ));
    }

    /** Begins to watch its connection. */
    Held watch() {
        channel.pipeline().addFirst(this);
        @Nullable ChannelHandlerContext http2 = channel.pipeline().context(Http2ConnectionHandler.class);
        if (http2 == null) {
            readOnceAtATime();
        } else {
            streams = new UnsentStreams(http2, (Http2ConnectionHandler) http2.handler(), this::sent);
        }
        return this;
    }

    /** One read may have a thousand requests, of which all but the first have to wait: so no other read follows at once. */
    @SuppressWarnings("deprecation") // the other way would be another allocator, but the first one is in use already
    private void readOnceAtATime() {
        channel.config().setMaxMessagesPerRead(1);
    }

    /** Bytes of answers that wait to leave. */
    long answers() {
        long sending = sending();
        // What a stream has not sent is counted there until the network has taken it.
        return streams == null ? sending : Math.max(sending, streams.bytes());
    }

    private long sending() {
        @Nullable ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        return out == null ? 0 : out.totalPendingWriteBytes();
    }

    /**
     * An answer of HTTP/2 is about to be sent.
     *
     * @return whether it may wait until it can be
     */
    boolean admits(int stream, int length, long now) {
        long all = answers() + length;
        if (all > GRAIN && all > budget.share()) {
            budget.wentOver();
            return false;
        }
        if (streams != null) {
            streams.add(stream, length, now);
            countAnswers();
        }
        return true;
    }

    private void sent() {
        countAnswers();
        drained.run();
    }

    /** Returns how many bytes more there are. */
    private long countAnswers() {
        long now = answers();
        long more = now - answers;
        if (Math.abs(more) < GRAIN && (now != 0 || more == 0)) {
            return 0;
        }
        answers = now;
        add(more);
        return more;
    }

    /** Counts anew what it holds, and ends it if that is too much. */
    void count() {
        answers = answers();
        long now = answers + unparsed + requests.bytes() + (isBeginning() ? Math.min(head, RequestBounds.HEADERS) : 0);
        long more = now - counted;
        add(more);
        endIfTooMuch(more);
    }

    private void endIfTooMuch(long more) {
        if (more > 0 && counted > budget.share()) {
            budget.wentOver();
            abort();
        }
    }

    private void add(long bytes) {
        if (!gone && bytes != 0) {
            counted += bytes;
            budget.add(bytes);
        }
    }

    /** Ends what nobody reads. */
    void endUnread(long now, long patience) {
        if (isUnread(now, patience)) {
            budget.wentUnread();
            abort();
        } else if (streams != null) {
            for (int i = streams.resetLate(now, patience); i > 0; i--) {
                budget.wentUnread();
            }
        }
    }

    /** Whether what waited so long ago still waits. */
    private boolean isUnread(long now, long patience) {
        long sending = sending();
        if (sending == 0) {
            dueSince = -1;
            return false;
        }
        if (dueSince < 0 || written - sending >= due) {
            dueSince = now;
            due = written;
        }
        return now - dueSince > patience;
    }

    /** Ends it at once, from this end of the pipeline. Any other way would wait for the client to read, here or in the kernel. */
    private void abort() {
        if (channel.isOpen()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            channel.pipeline().firstContext().close();
        }
    }

    /** A request has begun. Returns how many bytes its head has, at most. */
    long begun() {
        long length = Math.min(head, RequestBounds.HEADERS);
        head = 0;
        begins = false;
        return length;
    }

    /** Whether bytes came that belong to no request of HTTP/1 yet. */
    boolean isBeginning() {
        return begins && streams == null;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof ByteBuf bytes) {
            int length = bytes.readableBytes();
            came += length;
            cameInThisRead += length;
            if (!requests.isComing()) {
                begins = true;
                head += length;
            }
        }
        context.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.fireChannelReadComplete();
        if (!channel.config().isAutoRead()) {
            unparsed += PARSED * cameInThisRead;
            count();
        } else if (came >= OFTEN) {
            came = 0;
            count();
        }
        cameInThisRead = 0;
    }

    @Override
    public void read(ChannelHandlerContext context) {
        if (unparsed != 0) {
            unparsed = 0;
            count();
        }
        context.read();
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof ByteBuf bytes) {
            written += bytes.readableBytes();
        }
        context.write(message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext context) {
        context.flush();
        if (sending() != 0 || answers != 0) {
            endIfTooMuch(countAnswers());
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        context.fireChannelWritabilityChanged();
        if (channel.isWritable()) {
            drained.run();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        add(-counted);
        gone = true;
    }
}

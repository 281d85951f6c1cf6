package io.sluice.server.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The bytes that are buffered for a client that reads only when the test says so. */
class ConnectionMemoryTest {
    private static final long TIMEOUT = 10;

    /** A channel that keeps written bytes until the test says how many of them the client takes. */
    private static final class SlowChannel extends EmbeddedChannel {
        private int takes;

        void take(int bytes) {
            takes = bytes;
            flush();
        }

        @Override
        protected void doWrite(ChannelOutboundBuffer out) {
            while (takes > 0 && out.current() instanceof ByteBuf next) {
                int taken = Math.min(takes, next.readableBytes());
                takes -= taken;
                out.removeBytes(taken);
            }
        }
    }

    private final ByteBudget budget = new ByteBudget(300_000);
    private final SlowChannel channel = new SlowChannel();
    private final AtomicInteger drained = new AtomicInteger();
    private final ConnectionMemory.Requests none = new ConnectionMemory.Requests() {
        @Override
        public long bytes() {
            return 0;
        }

        @Override
        public boolean isReading() {
            return false;
        }
    };
    private final ConnectionMemory memory =
            new ConnectionMemory(channel, budget, none, drained::incrementAndGet).install();

    private void respond(int bytes) {
        channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[bytes]));
    }

    private boolean isOpenAt(long now) {
        memory.closeUnread(now, TIMEOUT);
        return channel.isOpen();
    }

    @Test
    void response_thatIsRead_isNotBuffered() {
        channel.take(10_000);

        respond(10_000);

        assertThat(budget.buffered()).isZero();
    }

    @Test
    void response_thatIsNotRead_isBuffered_untilTheConnectionCloses() {
        respond(10_000);
        assertThat(budget.buffered()).isGreaterThanOrEqualTo(10_000);

        channel.close();

        assertThat(budget.buffered()).isZero();
    }

    @Test
    void response_overTheShare_closesTheConnection() {
        respond(90_000);
        assertThat(channel.isOpen()).isTrue();

        respond(20_000);

        assertThat(channel.isOpen()).isFalse();
        assertThat(budget.buffered()).isZero();
    }

    @Test
    void response_overTheShare_givesItsBytesBack_beforeTheEventLoopServesOthers() {
        respond(90_000);
        AtomicLong buffered = new AtomicLong(-1);

        channel.eventLoop().execute(() -> {
            respond(20_000);
            buffered.set(budget.buffered());
        });
        channel.runPendingTasks();

        assertThat(buffered).hasValue(0);
    }

    @Test
    void share_whenOthersBufferMuch_isSmaller() {
        budget.add(280_000);

        respond(20_000);

        assertThat(channel.isOpen()).isFalse();
        assertThat(budget.buffered()).isEqualTo(280_000);
    }

    @Test
    void response_thatIsNotRead_closesTheConnection_afterTheTimeout() {
        respond(10_000);

        assertThat(isOpenAt(5)).isTrue();
        assertThat(isOpenAt(5 + TIMEOUT)).isTrue();
        assertThat(isOpenAt(5 + TIMEOUT + 1)).isFalse();
    }

    @Test
    void response_thatIsReadSlowly_closesTheConnection_afterTheTimeout() {
        respond(10_000);

        for (int now = 5; now <= 5 + TIMEOUT; now++) {
            channel.take(100);
            assertThat(isOpenAt(now)).isTrue();
        }

        assertThat(isOpenAt(5 + TIMEOUT + 1)).isFalse();
    }

    @Test
    void connection_thatReadsItsResponses_staysOpen_thoughMoreAreAlwaysUnsent() {
        respond(10_000);

        for (int now = 5; now <= 100; now++) {
            respond(2_000);
            channel.take(2_000);
            assertThat(isOpenAt(now)).isTrue();
        }
    }

    @Test
    void drain_runsTheCallback() {
        respond(100_000 - 200);
        assertThat(channel.isWritable()).isFalse();

        channel.take(100_000);

        assertThat(drained).hasValue(1);
    }
}

package io.sluice.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a connection holds whose peer reads only when it is told to. */
class HeldTest {
    private static final long PATIENCE = 10;

    /** A channel that keeps what is written until it is told how much of it the peer takes. */
    private static final class Slow extends EmbeddedChannel {
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
    private final Slow channel = new Slow();
    private final AtomicInteger drained = new AtomicInteger();
    private final Held.Requests none = new Held.Requests() {
        @Override
        public long bytes() {
            return 0;
        }

        @Override
        public boolean isComing() {
            return false;
        }
    };
    private final Held held = new Held(channel, budget, none, drained::incrementAndGet).watch();

    private void answer(int bytes) {
        channel.writeAndFlush(Unpooled.wrappedBuffer(new byte[bytes]));
    }

    /** Looks once more, at a time. */
    private boolean isOpenAt(long now) {
        held.endUnread(now, PATIENCE);
        return channel.isOpen();
    }

    @Test
    void answer_thatIsTaken_isNotHeld() {
        channel.take(10_000);

        answer(10_000);

        assertThat(budget.held()).isZero();
    }

    @Test
    void answer_thatIsNotTaken_isHeld_untilTheConnectionEnds() {
        answer(10_000);
        assertThat(budget.held()).isGreaterThanOrEqualTo(10_000);

        channel.close();

        assertThat(budget.held()).isZero();
    }

    @Test
    void answer_thatIsMoreThanTheShare_endsTheConnection() {
        answer(90_000);
        assertThat(channel.isOpen()).isTrue();

        answer(20_000);

        assertThat(channel.isOpen()).isFalse();
        assertThat(budget.held()).isZero();
    }

    @Test
    void share_shrinks_whenOthersHoldMuch() {
        budget.add(280_000);

        answer(20_000);

        assertThat(channel.isOpen()).isFalse();
        assertThat(budget.held()).isEqualTo(280_000);
    }

    @Test
    void answer_thatIsNotRead_endsTheConnection_afterItsTime() {
        answer(10_000);

        assertThat(isOpenAt(5)).isTrue();
        assertThat(isOpenAt(5 + PATIENCE)).isTrue();
        assertThat(isOpenAt(5 + PATIENCE + 1)).isFalse();
    }

    @Test
    void answer_thatIsReadByteByByte_endsTheConnection_afterItsTime() {
        answer(10_000);

        for (int now = 5; now <= 5 + PATIENCE; now++) {
            channel.take(100);
            assertThat(isOpenAt(now)).isTrue();
        }

        assertThat(isOpenAt(5 + PATIENCE + 1)).isFalse();
    }

    @Test
    void connection_thatReadsWhatItIsAnswered_staysOpen_thoughMoreAlwaysWaits() {
        answer(10_000);

        for (int now = 5; now <= 100; now++) {
            answer(2_000);
            channel.take(2_000);
            assertThat(isOpenAt(now)).isTrue();
        }
    }

    @Test
    void room_thatComesBack_isTold() {
        answer(100_000 - 200);
        assertThat(channel.isWritable()).isFalse();

        channel.take(100_000);

        assertThat(drained).hasValue(1);
    }
}

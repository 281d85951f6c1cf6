package io.sluice.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests wait while too much waits to be sent. */
class TurnsTest {
    private boolean full = true;
    private final ArrayDeque<Runnable> loop = new ArrayDeque<>();
    private final Turns turns = new Turns(() -> full, loop::add);
    private final List<String> handled = new ArrayList<>();

    private void runLoop() {
        for (Runnable task = loop.poll(); task != null; task = loop.poll()) {
            task.run();
        }
    }

    @Test
    void requests_goOn_inTheirOrder_whenThereIsRoom() {
        turns.add(() -> handled.add("a"));
        turns.add(() -> handled.add("b"));
        turns.next();
        runLoop();
        assertThat(handled).isEmpty();

        full = false;
        turns.next();
        runLoop();

        assertThat(handled).containsExactly("a", "b");
        assertThat(turns.isFull()).isFalse();
    }

    @Test
    void request_thatFillsTheRoomAgain_isTheLast() {
        turns.add(() -> {
            handled.add("a");
            full = true;
        });
        turns.add(() -> handled.add("b"));

        full = false;
        turns.next();
        runLoop();

        assertThat(handled).containsExactly("a");
    }

    @Test
    void request_thatComesBehindOthers_waitsToo() {
        turns.add(() -> handled.add("a"));

        full = false;

        assertThat(turns.isFull()).isTrue();
    }
}

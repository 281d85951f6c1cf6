package io.sluice.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Requests wait while too many bytes of responses are unsent. */
class RequestQueueTest {
    private boolean full = true;
    private final ArrayDeque<Runnable> loop = new ArrayDeque<>();
    private final RequestQueue queue = new RequestQueue(() -> full, loop::add);
    private final List<String> handled = new ArrayList<>();

    private void runLoop() {
        for (Runnable task = loop.poll(); task != null; task = loop.poll()) {
            task.run();
        }
    }

    @Test
    void requests_runInOrder_whenThereIsRoom() {
        queue.add(() -> handled.add("a"));
        queue.add(() -> handled.add("b"));
        queue.runNext();
        runLoop();
        assertThat(handled).isEmpty();

        full = false;
        queue.runNext();
        runLoop();

        assertThat(handled).containsExactly("a", "b");
        assertThat(queue.mustWait()).isFalse();
    }

    @Test
    void request_thatFillsTheBuffers_isTheLast() {
        queue.add(() -> {
            handled.add("a");
            full = true;
        });
        queue.add(() -> handled.add("b"));

        full = false;
        queue.runNext();
        runLoop();

        assertThat(handled).containsExactly("a");
    }

    @Test
    void request_behindOthers_mustWait() {
        queue.add(() -> handled.add("a"));

        full = false;

        assertThat(queue.mustWait()).isTrue();
    }
}

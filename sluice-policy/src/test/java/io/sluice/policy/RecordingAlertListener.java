package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A listener that records its events. */
public final class RecordingAlertListener implements AlertListener {
    private final LinkedBlockingQueue<AlertEvent> events = new LinkedBlockingQueue<>();

    @Override
    public void changed(AlertEvent event) {
        events.add(event);
    }

    /** The next event; waits for it. */
    public AlertEvent next() throws InterruptedException {
        AlertEvent event = events.poll(10, TimeUnit.SECONDS);
        assertThat(event).as("the next event").isNotNull();
        return event;
    }

    public int waiting() {
        return events.size();
    }
}

package io.sluice.compatibility;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/** Records every virtual thread that was pinned, however briefly, with its stack. */
final class PinRecording implements AutoCloseable {
    private static final String PINNED = "jdk.VirtualThreadPinned";
    private static final String OURS = "io.sluice.";
    private static final String TESTS = PinRecording.class.getPackageName() + ".";

    private final Recording recording;
    private final List<RecordedEvent> events = new ArrayList<>();

    private PinRecording(Recording recording) {
        this.recording = recording;
    }

    static PinRecording start() {
        Recording recording = new Recording();
        recording.enable(PINNED).withThreshold(Duration.ZERO).withStackTrace();
        recording.start();
        return new PinRecording(recording);
    }

    /** Ends the recording. Returns the stacks of the threads that were pinned inside Sluice. */
    List<String> stop(Path file) throws IOException {
        recording.stop();
        recording.dump(file);
        // Libraries have events of their own, such as those of Lettuce.
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
            if (event.getEventType().getName().equals(PINNED)) {
                events.add(event);
            }
        }
        return events.stream()
                .filter(event -> frames(event).stream().anyMatch(PinRecording::isOurs))
                .filter(event -> frames(event).stream().noneMatch(PinRecording::isLoading))
                .map(RecordedEvent::toString)
                .toList();
    }

    /** Whether a thread was pinned in that class, or in one inside it. */
    boolean hasSeen(Class<?> type) {
        return events.stream()
                .anyMatch(event -> frames(event).stream()
                        .anyMatch(frame -> frame.getMethod().getType().getName().startsWith(type.getName())));
    }

    private static boolean isOurs(RecordedFrame frame) {
        String type = frame.getMethod().getType().getName();
        return type.startsWith(OURS) && !type.startsWith(TESTS);
    }

    /** The JVM loads a class, or links a lambda, for the first time. */
    private static boolean isLoading(RecordedFrame frame) {
        String type = frame.getMethod().getType().getName();
        return type.equals("java.lang.ClassLoader") || type.equals("java.lang.invoke.MethodHandleNatives");
    }

    private static List<RecordedFrame> frames(RecordedEvent event) {
        @Nullable RecordedStackTrace stack = event.getStackTrace();
        return stack == null ? List.of() : stack.getFrames();
    }

    @Override
    public void close() {
        recording.close();
    }
}

package io.sluice.server.logging;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the place in the code where an exception was thrown first. */
final class ThrowOrigin {
    /** Skipped, because checks of the JDK throw for their caller. */
    private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.");

    private static final String OURS = "io.sluice.";

    private ThrowOrigin() {}

    /** The last cause. */
    static Throwable root(Throwable thrown) {
        Throwable root = thrown;
        // Causes may form a cycle.
        for (int depth = 0; depth < 20; depth++) {
            Throwable cause = root.getCause();
            if (cause == null) {
                break;
            }
            root = cause;
        }
        return root;
    }

    /** The first frame outside of the JDK; null if it is not known. */
    static @Nullable StackTraceElement of(Throwable thrown) {
        return first(thrown, false);
    }

    /** The first frame of this program; null if there is none. */
    static @Nullable StackTraceElement ours(Throwable thrown) {
        return first(thrown, true);
    }

    /** Whether a frame belongs to this program. */
    static boolean isOurs(@Nullable StackTraceElement line) {
        return line != null && line.getClassName().startsWith(OURS);
    }

    private static @Nullable StackTraceElement first(Throwable thrown, boolean ours) {
        return Arrays.stream(root(thrown).getStackTrace())
                .filter(line -> ours ? isOurs(line) : JDK.stream().noneMatch(line.getClassName()::startsWith))
                .findFirst()
                .orElse(null);
    }
}

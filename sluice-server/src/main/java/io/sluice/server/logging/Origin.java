package io.sluice.server.logging;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where something was thrown, below what only passed it on. */
final class Origin {
    /** The JDK's own checks throw in the name of who calls them. */
    private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.");

    private static final String OURS = "io.sluice.";

    private Origin() {}

    /** The cause of all causes. */
    static Throwable root(Throwable thrown) {
        Throwable root = thrown;
        // Causes may go in circles.
        for (int depth = 0; depth < 20; depth++) {
            Throwable cause = root.getCause();
            if (cause == null) {
                break;
            }
            root = cause;
        }
        return root;
    }

    /** The first line that is not the JDK's; null if it is not known. */
    static @Nullable StackTraceElement of(Throwable thrown) {
        return first(thrown, false);
    }

    /** The first line of this program; null if it has none there. */
    static @Nullable StackTraceElement ours(Throwable thrown) {
        return first(thrown, true);
    }

    /** Whether a line is of this program. */
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

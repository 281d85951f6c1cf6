package io.sluice.adapt;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The files in which Linux tells about CPU time, below a root directory. */
record CpuFiles(Path root) {
    static CpuFiles ofSystem() {
        return new CpuFiles(Path.of("/"));
    }

    /** The lines of a file; none if it cannot be read. */
    List<String> lines(String path) {
        try {
            return Files.readAllLines(root.resolve(path));
        } catch (IOException | SecurityException unreadable) {
            return List.of();
        }
    }

    /** The number in a file, or -1. */
    long number(String path) {
        List<String> lines = lines(path);
        return lines.isEmpty() ? -1 : numberOr(lines.get(0).trim(), -1);
    }

    static long numberOr(String text, long otherwise) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException none) {
            return otherwise;
        }
    }
}

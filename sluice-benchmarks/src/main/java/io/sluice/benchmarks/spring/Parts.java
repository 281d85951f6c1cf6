package io.sluice.benchmarks.spring;

import java.util.ArrayDeque;
import java.util.Deque;

/** What a case has started. It is closed in the opposite order, whatever fails. */
final class Parts implements AutoCloseable {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    <T extends AutoCloseable> T open(T part) {
        opened.push(part);
        return part;
    }

    @Override
    public void close() {
        for (AutoCloseable part : opened) {
            try {
                part.close();
            } catch (Exception e) {
                System.err.println("while closing: " + e);
            }
        }
    }
}

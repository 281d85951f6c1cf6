package io.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Queue;

/** A standard input that gives texts and runs actions between them. */
final class ScriptedInput extends InputStream {
    private final Queue<Object> steps = new ArrayDeque<>();
    private ByteArrayInputStream piece = new ByteArrayInputStream(new byte[0]);

    /** Adds a text, which is read in one or more reads. */
    ScriptedInput then(String text) {
        steps.add(text.getBytes(UTF_8));
        return this;
    }

    /** Adds an action, which runs when everything before it was read and the reader wants more. */
    ScriptedInput then(Runnable event) {
        steps.add(event);
        return this;
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int count) {
        while (piece.available() == 0 && !steps.isEmpty()) {
            Object step = steps.remove();
            if (step instanceof Runnable event) {
                event.run();
            } else {
                piece = new ByteArrayInputStream((byte[]) step);
            }
        }
        return piece.read(bytes, from, count);
    }
}

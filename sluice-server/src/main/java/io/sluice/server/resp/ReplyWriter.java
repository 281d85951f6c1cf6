package io.sluice.server.resp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Arrays;

/** Encodes replies. An event loop has one, which its connections use in turn. */
final class ReplyWriter {
    private static final int INITIAL_CAPACITY = 16 * 1024;

    private byte[] bytes = new byte[INITIAL_CAPACITY];
    private int size;
    private boolean resp3;

    /** Sets the protocol version of the current client. */
    void protocol(int version) {
        resp3 = version >= 3;
    }

    int size() {
        return size;
    }

    /** Removes all replies and returns them in a buffer to send. */
    ByteBuf take(ByteBufAllocator allocator) {
        ByteBuf taken = allocator.directBuffer(size).writeBytes(bytes, 0, size);
        size = 0;
        if (bytes.length > 4 * INITIAL_CAPACITY) {
            bytes = new byte[INITIAL_CAPACITY];
        }
        return taken;
    }

    /** Removes the replies from an offset on, and returns them. */
    byte[] removeFrom(int offset) {
        byte[] removed = Arrays.copyOfRange(bytes, offset, size);
        size = offset;
        return removed;
    }

    void raw(byte[] reply) {
        ensureCapacity(reply.length);
        System.arraycopy(reply, 0, bytes, size, reply.length);
        size += reply.length;
    }

    void ok() {
        simple("OK");
    }

    void simple(String line) {
        line('+', line);
    }

    /** @param line begins with an error code such as {@code ERR} */
    void error(String line) {
        line('-', line);
    }

    private void line(char kind, String line) {
        byte[] text = line.getBytes(UTF_8);
        ensureCapacity(text.length + 3);
        bytes[size++] = (byte) kind;
        for (byte b : text) {
            bytes[size++] = b == '\r' || b == '\n' ? (byte) ' ' : b;
        }
        end();
    }

    void integer(long value) {
        number(':', value);
    }

    void bulk(String text) {
        bulk(text.getBytes(UTF_8));
    }

    void bulk(byte[] text) {
        number('$', text.length);
        ensureCapacity(text.length + 2);
        System.arraycopy(text, 0, bytes, size, text.length);
        size += text.length;
        end();
    }

    void array(int length) {
        number('*', length);
    }

    /** Starts a map. So many names follow, each with its value. */
    void map(int length) {
        if (resp3) {
            number('%', length);
        } else {
            array(2 * length);
        }
    }

    void nil() {
        if (resp3) {
            ensureCapacity(3);
            bytes[size++] = '_';
            end();
        } else {
            number('$', -1);
        }
    }

    private void number(char kind, long value) {
        ensureCapacity(24);
        bytes[size++] = (byte) kind;
        if (value >= 0 && value < 10) {
            bytes[size++] = (byte) ('0' + value);
            end();
            return;
        }
        if (value < 0) {
            bytes[size++] = '-';
        }
        long rest = value < 0 ? value : -value; // negative, because there is one more negative number
        int digits = 1;
        for (long x = rest; x <= -10; x /= 10) {
            digits++;
        }
        for (int i = size + digits - 1; i >= size; i--) {
            bytes[i] = (byte) ('0' - rest % 10);
            rest /= 10;
        }
        size += digits;
        end();
    }

    private void end() {
        bytes[size++] = '\r';
        bytes[size++] = '\n';
    }

    private void ensureCapacity(int more) {
        if (size + more + 2 > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more + 2));
        }
    }
}

package io.sluice.server.resp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Arrays;

/** Replies as they are sent. An event loop has one, for whoever is answered just now. */
final class Replies {
    private static final int USUAL = 16 * 1024;

    private byte[] bytes = new byte[USUAL];
    private int size;
    private boolean resp3;

    /** Who is answered speaks that version of the protocol. */
    void protocol(int version) {
        resp3 = version >= 3;
    }

    int size() {
        return size;
    }

    /** All so far, to be sent; begins anew. */
    ByteBuf take(ByteBufAllocator allocator) {
        ByteBuf taken = allocator.directBuffer(size).writeBytes(bytes, 0, size);
        size = 0;
        if (bytes.length > 4 * USUAL) {
            bytes = new byte[USUAL];
        }
        return taken;
    }

    /** What came since; it is no longer here then. */
    byte[] cut(int since) {
        byte[] cut = Arrays.copyOfRange(bytes, since, size);
        size = since;
        return cut;
    }

    void raw(byte[] reply) {
        room(reply.length);
        System.arraycopy(reply, 0, bytes, size, reply.length);
        size += reply.length;
    }

    void ok() {
        simple("OK");
    }

    void simple(String line) {
        line('+', line);
    }

    /** @param line begins with a code, as {@code ERR} */
    void error(String line) {
        line('-', line);
    }

    private void line(char kind, String line) {
        byte[] text = line.getBytes(UTF_8);
        room(text.length + 3);
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
        room(text.length + 2);
        System.arraycopy(text, 0, bytes, size, text.length);
        size += text.length;
        end();
    }

    void array(int length) {
        number('*', length);
    }

    /** Followed by as many names, each with its value. */
    void map(int length) {
        if (resp3) {
            number('%', length);
        } else {
            array(2 * length);
        }
    }

    void nil() {
        if (resp3) {
            room(3);
            bytes[size++] = '_';
            end();
        } else {
            number('$', -1);
        }
    }

    private void number(char kind, long value) {
        room(24);
        bytes[size++] = (byte) kind;
        if (value >= 0 && value < 10) {
            bytes[size++] = (byte) ('0' + value);
            end();
            return;
        }
        if (value < 0) {
            bytes[size++] = '-';
        }
        long rest = value < 0 ? value : -value; // negative, because there is one more of those
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

    private void room(int more) {
        if (size + more + 2 > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more + 2));
        }
    }
}

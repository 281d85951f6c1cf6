package io.sluice.server.resp;

import io.vertx.core.buffer.Buffer;
import java.util.Arrays;

/*
 * An event loop has one reader for all its connections. Each input is copied there, and mostly it is whole commands. If a command
 * is incomplete, its connection gets a reader of its own until the rest has come. That reader has the bytes of the command and the
 * state of the parser. So an idle connection has no buffer, and no byte is parsed twice, however slowly a client sends. A
 * length that is too large is refused when it is announced: a reader never keeps more bytes than one command may have.
 */
/** Parses a stream of bytes into commands. */
final class CommandReader {
    /** Maximum bytes of one command of an authenticated client. */
    static final int MAX_BYTES = CommandBounds.DEFAULT.bytes();

    private static final int UNKNOWN = -1;
    private static final long INCOMPLETE = Long.MIN_VALUE;

    private final Arguments arguments;
    private byte[] bytes;
    private int end;

    /** The offset of the current command. */
    private int start;

    /** The offset of the next byte to parse. */
    private int at;

    /** The offset up to which an inline command was searched for its end. */
    private int searched;

    private int argumentCount = UNKNOWN;
    private int bulkLength = UNKNOWN;
    private CommandBounds bounds = CommandBounds.DEFAULT;
    private boolean complete;

    CommandReader(int capacity) {
        this(new byte[capacity], new Arguments());
    }

    private CommandReader(byte[] bytes, Arguments arguments) {
        this.bytes = bytes;
        this.arguments = arguments;
    }

    /** The arguments of the command that {@link #next} found. */
    Arguments arguments() {
        return arguments;
    }

    /** Drops all bytes and starts with these. */
    void load(Buffer buffer) {
        start = 0;
        at = 0;
        end = 0;
        complete = true;
        append(buffer);
    }

    /** Adds more bytes of the same stream. */
    void append(Buffer buffer) {
        if (complete) {
            begin();
        }
        if (start > 0) {
            System.arraycopy(bytes, start, bytes, 0, end - start);
            arguments.shift(start);
            at -= start;
            searched -= start;
            end -= start;
            start = 0;
        }
        int length = buffer.length();
        if (end + length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end + length, Math.min(2 * bytes.length, bounds.bytes())));
        }
        buffer.getBytes(bytes, end);
        end += length;
    }

    /** Whether all bytes were consumed. */
    boolean isDone() {
        return (complete ? at : start) == end;
    }

    /** The number of bytes of the command that {@link #next} found. */
    int length() {
        return at - start;
    }

    /** The number of bytes of memory that this reader uses. */
    int memoryBytes() {
        return bytes.length + arguments.memoryBytes();
    }

    /** A new reader that continues here, so that this one can be used for other connections. */
    CommandReader split() {
        if (complete) {
            begin();
        }
        CommandReader rest = new CommandReader(Arrays.copyOfRange(bytes, start, end), arguments.copy());
        rest.arguments.shift(start);
        rest.at = at - start;
        rest.searched = searched - start;
        rest.end = end - start;
        rest.argumentCount = argumentCount;
        rest.bulkLength = bulkLength;
        return rest;
    }

    private void begin() {
        complete = false;
        start = at;
        searched = at;
        argumentCount = UNKNOWN;
        bulkLength = UNKNOWN;
        arguments.clear();
    }

    /** {@link #next(CommandBounds)} with the default bounds. */
    boolean next() throws ProtocolException {
        return next(CommandBounds.DEFAULT);
    }

    /** Parses the next command. Returns false if it is incomplete. A command has at least one argument. */
    boolean next(CommandBounds bounds) throws ProtocolException {
        this.bounds = bounds;
        if (complete) {
            begin();
        }
        while (at < end) {
            if (argumentCount != UNKNOWN) {
                return bulks();
            }
            long found = bytes[at] == '*' ? multibulk() : inline();
            if (found == INCOMPLETE) {
                return false;
            } else if (found > 0 && argumentCount == UNKNOWN) {
                return found();
            } else if (found <= 0) {
                begin();
            }
        }
        return false;
    }

    private boolean found() {
        complete = true;
        arguments.bytes = bytes;
        return true;
    }

    private long multibulk() throws ProtocolException {
        long count = length("invalid multibulk length");
        if (count == INCOMPLETE) {
            return INCOMPLETE;
        } else if (count < -1 || count > bounds.arguments()) {
            throw new ProtocolException(bounds.errorPrefix() + "invalid multibulk length");
        }
        if (count > 0) {
            argumentCount = (int) count;
        }
        return count;
    }

    private boolean bulks() throws ProtocolException {
        while (arguments.count() < argumentCount) {
            if (bulkLength == UNKNOWN) {
                if (at == end) {
                    return false;
                } else if (bytes[at] != '$') {
                    throw new ProtocolException("expected '$', got '" + display(bytes[at]) + "'");
                }
                long length = length("invalid bulk length");
                if (length == INCOMPLETE) {
                    return false;
                } else if (length < 0 || length > bounds.bytes() - (at - start) - 2) {
                    throw new ProtocolException(bounds.errorPrefix()
                            + (length < 0 || length > bounds.bytes()
                                    ? "invalid bulk length"
                                    : "command of more than " + bounds.bytes() + " bytes"));
                }
                bulkLength = (int) length;
            }
            if (end - at < bulkLength + 2) {
                return false;
            } else if (bytes[at + bulkLength] != '\r' || bytes[at + bulkLength + 1] != '\n') {
                throw new ProtocolException("no CRLF after a bulk of " + bulkLength + " bytes");
            }
            arguments.add(at, at + bulkLength);
            at += bulkLength + 2;
            bulkLength = UNKNOWN;
        }
        return found();
    }

    /** Parses the number in a line such as {@code *3} and skips the line. The number may exceed the bounds. */
    private long length(String error) throws ProtocolException {
        int i = at + 1;
        boolean negative = i < end && bytes[i] == '-';
        if (negative) {
            i++;
        }
        int first = i;
        long value = 0;
        for (; i < end && bytes[i] != '\r'; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9 || i - first >= 10) {
                throw new ProtocolException(error);
            }
            value = value * 10 + digit;
        }
        if (i + 1 >= end) {
            return INCOMPLETE;
        } else if (i == first || bytes[i + 1] != '\n') {
            throw new ProtocolException(error);
        }
        at = i + 2;
        return negative ? -value : value;
    }

    private long inline() throws ProtocolException {
        if (at == start && !InlineCommand.mayBegin(bytes[at])) {
            throw new ProtocolException("expected '*' or text, got '" + display(bytes[at]) + "'");
        }
        int stop = searched;
        while (stop < end && bytes[stop] != '\n') {
            stop++;
        }
        searched = stop;
        if (stop - start > bounds.bytes()) {
            throw new ProtocolException(bounds.errorPrefix() + "too big inline request");
        } else if (stop == end) {
            return INCOMPLETE;
        }
        InlineCommand.split(bytes, at, stop, arguments);
        if (arguments.count() > bounds.arguments()) {
            throw new ProtocolException(bounds.errorPrefix() + "too many words in an inline request");
        }
        at = stop + 1;
        return arguments.count();
    }

    private static String display(byte b) {
        return b > ' ' && b < 127 ? String.valueOf((char) b) : String.format("0x%02x", b & 0xff);
    }
}

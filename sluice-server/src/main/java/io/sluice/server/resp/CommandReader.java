package io.sluice.server.resp;

import io.vertx.core.buffer.Buffer;
import java.util.Arrays;

/*
 * An event loop has one reader for all its connections: what came is copied there, and mostly it is whole commands. Only
 * when a command is cut short does its connection get a reader of its own, with what has come of it, and how far that was
 * understood, until the rest is there. So an idle connection keeps no buffer, and nobody is read twice however slowly he
 * sends. A length that cannot be right is refused when it is announced: no more than one command's bytes are ever kept.
 */
/** Finds the commands in a stream of bytes. */
final class CommandReader {
    /** Bytes of one command, unless its client has yet to show the password. */
    static final int MOST = CommandBounds.USUAL.bytes();

    private static final int UNKNOWN = -1;
    private static final long INCOMPLETE = Long.MIN_VALUE;

    private final Arguments arguments;
    private byte[] bytes;
    private int end;

    /** Where the command begins. */
    private int start;

    /** How far it was understood. */
    private int at;

    /** How far an inline command was looked through for its end. */
    private int looked;

    private int announced = UNKNOWN;
    private int bulk = UNKNOWN;
    private CommandBounds bounds = CommandBounds.USUAL;
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

    /** Forgets all and goes on with these bytes. */
    void load(Buffer buffer) {
        start = 0;
        at = 0;
        end = 0;
        complete = true;
        append(buffer);
    }

    /** More bytes of the same stream. */
    void append(Buffer buffer) {
        if (complete) {
            begin();
        }
        if (start > 0) {
            System.arraycopy(bytes, start, bytes, 0, end - start);
            arguments.shift(start);
            at -= start;
            looked -= start;
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

    /** Whether nothing is left of what came. */
    boolean isDone() {
        return (complete ? at : start) == end;
    }

    /** Bytes of the command that {@link #next} found. */
    int length() {
        return at - start;
    }

    /** Bytes that it keeps. */
    int memory() {
        return bytes.length + arguments.memory();
    }

    /** A reader that goes on from here, while this one is used for others. */
    CommandReader rest() {
        if (complete) {
            begin();
        }
        CommandReader rest = new CommandReader(Arrays.copyOfRange(bytes, start, end), arguments.copy());
        rest.arguments.shift(start);
        rest.at = at - start;
        rest.looked = looked - start;
        rest.end = end - start;
        rest.announced = announced;
        rest.bulk = bulk;
        return rest;
    }

    private void begin() {
        complete = false;
        start = at;
        looked = at;
        announced = UNKNOWN;
        bulk = UNKNOWN;
        arguments.clear();
    }

    /** {@link #next(CommandBounds)} within the usual bounds. */
    boolean next() throws ProtocolException {
        return next(CommandBounds.USUAL);
    }

    /** Whether there is another whole command; its {@link #arguments} are never none. */
    boolean next(CommandBounds within) throws ProtocolException {
        bounds = within;
        if (complete) {
            begin();
        }
        while (at < end) {
            if (announced != UNKNOWN) {
                return bulks();
            }
            long found = bytes[at] == '*' ? multibulk() : inline();
            if (found == INCOMPLETE) {
                return false;
            } else if (found > 0 && announced == UNKNOWN) {
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
            throw new ProtocolException(bounds.before() + "invalid multibulk length");
        }
        if (count > 0) {
            announced = (int) count;
        }
        return count;
    }

    private boolean bulks() throws ProtocolException {
        while (arguments.count() < announced) {
            if (bulk == UNKNOWN) {
                if (at == end) {
                    return false;
                } else if (bytes[at] != '$') {
                    throw new ProtocolException("expected '$', got '" + shown(bytes[at]) + "'");
                }
                long length = length("invalid bulk length");
                if (length == INCOMPLETE) {
                    return false;
                } else if (length < 0 || length > bounds.bytes() - (at - start) - 2) {
                    throw new ProtocolException(bounds.before()
                            + (length < 0 || length > bounds.bytes()
                                    ? "invalid bulk length"
                                    : "command of more than " + bounds.bytes() + " bytes"));
                }
                bulk = (int) length;
            }
            if (end - at < bulk + 2) {
                return false;
            } else if (bytes[at + bulk] != '\r' || bytes[at + bulk + 1] != '\n') {
                throw new ProtocolException("no CRLF after a bulk of " + bulk + " bytes");
            }
            arguments.add(at, at + bulk);
            at += bulk + 2;
            bulk = UNKNOWN;
        }
        return found();
    }

    /** The number in a line such as {@code *3}, and goes beyond the line. What is too large stays too large. */
    private long length(String wrong) throws ProtocolException {
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
                throw new ProtocolException(wrong);
            }
            value = value * 10 + digit;
        }
        if (i + 1 >= end) {
            return INCOMPLETE;
        } else if (i == first || bytes[i + 1] != '\n') {
            throw new ProtocolException(wrong);
        }
        at = i + 2;
        return negative ? -value : value;
    }

    private long inline() throws ProtocolException {
        if (at == start && !InlineCommand.mayBegin(bytes[at])) {
            throw new ProtocolException("expected '*' or text, got '" + shown(bytes[at]) + "'");
        }
        int stop = looked;
        while (stop < end && bytes[stop] != '\n') {
            stop++;
        }
        looked = stop;
        if (stop - start > bounds.bytes()) {
            throw new ProtocolException(bounds.before() + "too big inline request");
        } else if (stop == end) {
            return INCOMPLETE;
        }
        InlineCommand.split(bytes, at, stop, arguments);
        if (arguments.count() > bounds.arguments()) {
            throw new ProtocolException(bounds.before() + "too many words in an inline request");
        }
        at = stop + 1;
        return arguments.count();
    }

    private static String shown(byte b) {
        return b > ' ' && b < 127 ? String.valueOf((char) b) : String.format("0x%02x", b & 0xff);
    }
}

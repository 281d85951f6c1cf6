package io.sluice.server.resp;

/*
 * An inline command is what a person types into a terminal: words, or texts in quotes. Inside double quotes a backslash starts an
 * escape, as \n, \" or \x41; inside single quotes only \' is an escape. An unescaped word is never longer than the escaped one,
 * so words are unescaped in place.
 */
/** Splits a command that is a line of text into its arguments. */
final class InlineCommand {
    private final byte[] bytes;
    private final int end;
    private int at;
    private int to;

    private InlineCommand(byte[] bytes, int from, int end) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
    }

    /** Whether an inline command may begin with this byte: a printable character or white space. */
    static boolean mayBegin(byte first) {
        return (first >= ' ' && first < 127) || first == '\r' || first == '\n' || first == '\t';
    }

    static void split(byte[] bytes, int from, int end, Arguments arguments) throws ProtocolException {
        new InlineCommand(bytes, from, end).split(arguments);
    }

    private void split(Arguments arguments) throws ProtocolException {
        while (true) {
            while (at < end && isSpace(bytes[at])) {
                at++;
            }
            if (at == end) {
                return;
            }
            int from = at;
            to = at;
            word();
            arguments.add(from, to);
        }
    }

    private void word() throws ProtocolException {
        while (at < end && !isSpace(bytes[at])) {
            byte b = bytes[at++];
            if (b == '"' || b == '\'') {
                quoted(b);
                if (at < end && !isSpace(bytes[at])) {
                    throw unbalanced();
                }
            } else {
                bytes[to++] = b;
            }
        }
    }

    private void quoted(byte quote) throws ProtocolException {
        while (at < end && bytes[at] != quote) {
            byte b = bytes[at++];
            if (b == '\\' && quote == '"' && at < end) {
                bytes[to++] = escaped();
            } else if (b == '\\' && at < end && bytes[at] == '\'') {
                bytes[to++] = bytes[at++];
            } else {
                bytes[to++] = b;
            }
        }
        if (at == end) {
            throw unbalanced();
        }
        at++;
    }

    private byte escaped() {
        byte b = bytes[at++];
        if (b == 'x' && at + 1 < end) {
            int high = Character.digit(bytes[at], 16);
            int low = Character.digit(bytes[at + 1], 16);
            if (high >= 0 && low >= 0) {
                at += 2;
                return (byte) (high << 4 | low);
            }
        }
        return switch (b) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'a' -> 7;
            default -> b;
        };
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || (b >= '\t' && b <= '\r');
    }

    private static ProtocolException unbalanced() {
        return new ProtocolException("unbalanced quotes in request");
    }
}

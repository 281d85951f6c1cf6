package io.sluice.testkit.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A connection that speaks the part of RESP2 that tests need.
 *
 * <p>A reply is a {@code String}, a {@code Long}, a {@code List} of replies, or null for nil; inside a list, an error is
 * a {@link RedisReplyException}.
 */
final class Resp implements AutoCloseable {
    private static final int CONNECT_MILLIS = 1_000;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final Charset charset;

    /** Connects to that port of the loopback interface; the charset is that of what is sent and replied. */
    Resp(int port, Charset charset, int readMillis) throws IOException {
        this.charset = charset;
        this.socket = connect(port, readMillis);
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = new BufferedOutputStream(socket.getOutputStream());
    }

    private static Socket connect(int port, int readMillis) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(readMillis);
            socket.connect(new InetSocketAddress(Ports.LOOPBACK, port), CONNECT_MILLIS);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Sends a command and returns the reply.
     *
     * @throws RedisReplyException if the reply is an error
     */
    @Nullable
    Object call(List<String> command) throws IOException {
        out.write(("*" + command.size() + "\r\n").getBytes(US_ASCII));
        for (String argument : command) {
            byte[] bytes = argument.getBytes(charset);
            out.write(("$" + bytes.length + "\r\n").getBytes(US_ASCII));
            out.write(bytes);
            out.write('\r');
            out.write('\n');
        }
        out.flush();
        Object reply = read();
        if (reply instanceof RedisReplyException error) {
            throw error;
        }
        return reply;
    }

    private @Nullable Object read() throws IOException {
        String line = readLine();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest;
            case '-' -> new RedisReplyException(rest);
            case ':' -> Long.valueOf(rest);
            case '$' -> readBulk(Integer.parseInt(rest));
            case '*' -> readList(Integer.parseInt(rest));
            default -> throw new IOException("reply: " + line + " (expected: RESP2)");
        };
    }

    private @Nullable String readBulk(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length || !readLine().isEmpty()) {
            throw new EOFException("the server ended the connection inside a reply");
        }
        return new String(bytes, charset);
    }

    private @Nullable List<@Nullable Object> readList(int size) throws IOException {
        if (size < 0) {
            return null;
        }
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            list.add(read());
        }
        return list;
    }

    private String readLine() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the server ended the connection");
            }
            line.append((char) c);
        }
        return line.substring(0, line.length() - 1);
    }

    /** The reply as redis-cli would print it into a pipe: one element per line, nil as {@code (nil)}. */
    static String text(@Nullable Object reply) {
        if (reply instanceof List<?> list) {
            return list.stream().map(Resp::text).collect(Collectors.joining("\n"));
        }
        return reply == null ? "(nil)" : reply.toString();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

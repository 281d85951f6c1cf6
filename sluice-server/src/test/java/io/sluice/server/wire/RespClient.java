package io.sluice.server.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A RESP client for tests that can send any bytes. A reply is a {@code String}, a {@code Long}, a {@code List} of replies
 * or null. An error is a {@code String} that begins with a minus sign.
 */
public final class RespClient implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    public RespClient(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setSoTimeout(60_000);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
            out = socket.getOutputStream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A command in the form that clients send: an array of bulk strings. */
    public static String command(String... arguments) {
        StringBuilder text = new StringBuilder("*" + arguments.length + "\r\n");
        for (String argument : arguments) {
            String bytes = new String(argument.getBytes(UTF_8), ISO_8859_1);
            text.append('$').append(bytes.length()).append("\r\n").append(bytes).append("\r\n");
        }
        return text.toString();
    }

    public @Nullable Object call(String... arguments) {
        send(command(arguments));
        return read();
    }

    public List<?> callForList(String... arguments) {
        send(command(arguments));
        return readList();
    }

    public List<?> readList() {
        return (List<?>) Objects.requireNonNull(read());
    }

    /** Sends raw bytes, given as one character for each byte. */
    public void send(String bytes) {
        send(bytes.getBytes(ISO_8859_1));
    }

    public void send(byte[] bytes) {
        try {
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public @Nullable Object read() {
        try {
            return reply();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether no byte has arrived from the server. */
    public boolean isUnanswered() {
        try {
            return in.available() == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the output and reads until the server closes the connection. */
    public String readAll() {
        try {
            socket.shutdownOutput();
            return new String(in.readAllBytes(), ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    /** Whether the server closes the connection before it sends another byte. */
    public boolean isEnded() {
        try {
            return in.read() < 0;
        } catch (IOException e) {
            return true;
        }
    }

    private @Nullable Object reply() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest;
            case '-' -> line;
            case ':' -> Long.parseLong(rest);
            case '$' -> bulk(Integer.parseInt(rest));
            case '_' -> null;
            case '*' -> list(Integer.parseInt(rest));
            case '%' -> list(2 * Integer.parseInt(rest));
            default -> throw new IOException("no reply: " + line);
        };
    }

    private @Nullable Object bulk(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        byte[] bytes = in.readNBytes(length);
        line();
        return new String(bytes, UTF_8);
    }

    private List<@Nullable Object> list(int length) throws IOException {
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            list.add(reply());
        }
        return list;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\r'; c = in.read()) {
            if (c < 0) {
                throw new EOFException();
            }
            line.append((char) c);
        }
        in.read();
        return line.toString();
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

package io.sluice.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.Locale;

/** A client that sends what it likes. */
public final class Wire implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    public Wire(int port) {
        try {
            socket = new Socket();
            // Small, so that what the other side keeps does not hide in between.
            socket.setReceiveBufferSize(32 * 1024);
            socket.setSendBufferSize(32 * 1024);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            // Only so that a test that fails does so; nothing is measured by it.
            socket.setSoTimeout(60_000);
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String check(String body) {
        return "POST /v1/check HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    public Wire send(String text) {
        return send(text.getBytes(ISO_8859_1));
    }

    public Wire send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether it was taken; not if the other side is gone. */
    public boolean tries(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** The head of the next answer. */
    public String head() {
        try {
            StringBuilder head = new StringBuilder();
            while (!(head.length() >= 4 && head.indexOf("\r\n\r\n", head.length() - 4) >= 0)) {
                int c = in.read();
                if (c < 0) {
                    throw new IOException("closed after: " + head);
                }
                head.append((char) c);
            }
            return head.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The head of the next answer, and its body if it says how long that is. */
    public String answer() {
        String head = head();
        int length = 0;
        for (String line : head.lines().toList()) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(15).strip());
            }
        }
        return head + read(length);
    }

    /** So many bytes. */
    public String read(int length) {
        try {
            return new String(in.readNBytes(length), ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Everything until the other side closes. */
    public String rest() {
        StringBuilder all = new StringBuilder();
        try {
            for (int c = in.read(); c >= 0; c = in.read()) {
                all.append((char) c);
            }
        } catch (SocketException e) {
            // It closed while something was still on its way.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all.toString();
    }

    public void endOutput() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            // It is closed already.
        }
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

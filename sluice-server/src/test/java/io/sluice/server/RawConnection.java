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

/** A client that sends raw bytes and reads HTTP/1 responses. */
public final class RawConnection implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    public RawConnection(int port) {
        try {
            socket = new Socket();
            // Small, so that the kernel does not hide the bytes that the server buffers.
            socket.setReceiveBufferSize(32 * 1024);
            socket.setSendBufferSize(32 * 1024);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            // Only ends a test that hangs; nothing is measured with it.
            socket.setSoTimeout(60_000);
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String check(String body) {
        return "POST /v1/check HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    }

    public RawConnection send(String text) {
        return send(text.getBytes(ISO_8859_1));
    }

    public RawConnection send(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends bytes. Returns false if the server has closed the connection. */
    public boolean tries(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Reads the status line and the headers of the next response. */
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

    /** Reads the next response. A body needs a Content-Length. */
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

    /** Reads so many bytes. */
    public String read(int length) {
        try {
            return new String(in.readNBytes(length), ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads until the server closes the connection. */
    public String rest() {
        StringBuilder all = new StringBuilder();
        try {
            for (int c = in.read(); c >= 0; c = in.read()) {
                all.append((char) c);
            }
        } catch (SocketException e) {
            // The server closed the connection with unread bytes.
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

package io.sluice.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A raw connection that sends and reads text. */
final class RawHttpConnection implements AutoCloseable {
    private final Socket socket;

    RawHttpConnection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(60_000);
    }

    void say(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Reads until the connection ends. */
    String hear() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Reads one response; the connection stays open. */
    String answer() throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder heard = new StringBuilder();
        while (heard.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("the connection ended after: " + heard);
            }
            heard.append((char) next);
        }
        String length =
                heard.toString().toLowerCase(java.util.Locale.ROOT).replaceAll("(?s).*content-length: (\\d+).*", "$1");
        return heard + new String(in.readNBytes(Integer.parseInt(length)), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

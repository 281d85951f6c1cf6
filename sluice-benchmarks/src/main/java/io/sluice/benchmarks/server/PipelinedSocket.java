package io.sluice.benchmarks.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;

/** A RESP connection that sends some commands at once and then reads all replies. */
final class PipelinedSocket implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private final byte[] buffer = new byte[64 * 1024];

    PipelinedSocket(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        in = socket.getInputStream();
    }

    static byte[] command(List<String> words) {
        StringBuilder text = new StringBuilder("*" + words.size() + "\r\n");
        for (String word : words) {
            text.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
        }
        return text.toString().getBytes(US_ASCII);
    }

    /**
     * Sends commands and waits for their replies.
     *
     * @param lines the number of lines in all replies
     */
    void exchange(byte[] commands, int lines) throws IOException {
        socket.getOutputStream().write(commands);
        int missing = lines;
        while (missing > 0) {
            int read = in.read(buffer);
            if (read < 0) {
                throw new IOException("closed while " + missing + " lines of replies were expected");
            }
            for (int i = 0; i < read; i++) {
                if (buffer[i] == '\n') {
                    missing--;
                } else if (buffer[i] == '-' && (i == 0 || buffer[i - 1] == '\n') && !isNumber(i, read)) {
                    throw new IOException("refused: " + new String(buffer, i, read - i, US_ASCII).strip());
                }
            }
        }
    }

    /** Whether a line is an error. An error begins with a minus sign; an integer begins with a colon. */
    private boolean isNumber(int at, int end) {
        return at > 0 && at < end && buffer[at - 1] == ':';
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

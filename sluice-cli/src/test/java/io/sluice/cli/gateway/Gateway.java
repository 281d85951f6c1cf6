package io.sluice.cli.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** A gateway process that asks Sluice about each request. */
interface Gateway extends AutoCloseable {
    /** What the gateway does when Sluice does not answer. */
    enum FailureMode {
        /** The gateway forwards requests. */
        OPEN,
        /** The gateway refuses requests. */
        CLOSED
    }

    /** The maximum time of a request: long enough for a busy machine, and shorter than the default timeouts of gateways. */
    int PATIENCE_MILLIS = 25_000;

    HttpRequest.Builder request(String path);

    /** A request of a tenant with the right password. */
    default HttpRequest.Builder request(String path, String tenant) {
        return request(path).header("Authorization", basic(tenant, "secret"));
    }

    @Override
    void close();

    /** The value of the {@code Authorization} header. */
    static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    /** The status of a request of a tenant. The path may be invalid. */
    default int status(String path, String tenant) throws IOException {
        URI at = request("/").build().uri();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), at.getPort())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            String request = "GET " + path + " HTTP/1.1\r\nHost: " + at.getAuthority() + "\r\nAuthorization: "
                    + basic(tenant, "secret") + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            InputStream in = socket.getInputStream();
            String line = new String(in.readNBytes("HTTP/1.1 200".length()), StandardCharsets.ISO_8859_1);
            return Integer.parseInt(line.substring(line.indexOf(' ') + 1));
        }
    }
}

package io.sluice.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class RespPortTest {
    @Test
    void respPort_free_isNotThePortOfHttp_andServesResp() throws IOException {
        try (SluiceServer server =
                SluiceServer.start(ServerConfig.builder().port(0).respPort(0).build())) {
            assertThat(server.respPort()).isPositive().isNotEqualTo(server.port());
            // Every event loop listens on the port, and connections go to them in turn.
            for (int i = 0; i < 8; i++) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.respPort())) {
                    socket.setSoTimeout(60_000);
                    socket.getOutputStream().write("PING\r\n".getBytes(US_ASCII));
                    assertThat(new String(socket.getInputStream().readNBytes(7), US_ASCII))
                            .isEqualTo("+PONG\r\n");
                }
            }
        }
    }

    @Test
    void respPort_none_isNotOpened() {
        try (SluiceServer server =
                SluiceServer.start(ServerConfig.builder().port(0).respPort(-1).build())) {
            assertThat(server.respPort()).isEqualTo(-1);
        }
    }
}

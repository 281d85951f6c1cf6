package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.http.ClientAddress;
import io.sluice.policy.Cidr;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The maximum number of connections, for a port and for an address. */
class ConnectionCapTest {
    private final ConnectionCap cap =
            new ConnectionCap("http", 10, 3, new ClientAddress(List.of(Cidr.parse("10.0.0.0/8"))));

    private static final class Peer extends EmbeddedChannel {
        private final String address;

        Peer(String address) {
            this.address = address;
        }

        @Override
        protected SocketAddress remoteAddress0() {
            return new InetSocketAddress(address, 1);
        }
    }

    /** Opens connections and returns those that were admitted. */
    private List<Channel> admitted(int count, String address) {
        List<Channel> admitted = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Peer peer = new Peer(address);
            if (cap.admit(peer)) {
                admitted.add(peer);
            }
            assertThat(peer.isOpen()).isEqualTo(admitted.contains(peer));
        }
        return admitted;
    }

    @Test
    void address_hasItsOwnMaximum() {
        assertThat(admitted(5, "192.0.2.1")).hasSize(3);
        assertThat(admitted(5, "192.0.2.2")).hasSize(3);
    }

    @Test
    void ipv6Network_countsAsOneAddress() {
        assertThat(admitted(2, "2001:db8::1")).hasSize(2);
        assertThat(admitted(2, "2001:db8::2")).hasSize(1);
        assertThat(admitted(2, "2001:db8:0:1::1")).hasSize(2);
    }

    @Test
    void trustedProxy_hasOnlyTheMaximumOfThePort() {
        assertThat(admitted(20, "10.1.2.3")).hasSize(10);
        assertThat(admitted(1, "192.0.2.1")).isEmpty();
    }

    @Test
    void connection_whenClosed_makesRoom() {
        List<Channel> first = admitted(4, "192.0.2.1");
        first.get(0).close();

        assertThat(admitted(2, "192.0.2.1")).hasSize(1);
        first.get(1).close();
        assertThat(cap.open()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"1024, 2, 384", "1024, 1, 768", "100, 2, 25", "1, 2, 1", "9223372036854775807, 2, 2147483647"})
    void fileDescriptors_areSharedByPorts_andSomeAreReserved(long limit, int ports, int each) {
        assertThat(FileDescriptors.connectionsPerPort(ports, limit)).isEqualTo(each);
    }
}

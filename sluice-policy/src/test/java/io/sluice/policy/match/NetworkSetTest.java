package io.sluice.policy.match;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.Cidr;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NetworkSetTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.255.255, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "10.0.0.0/8, ::ffff:10.1.2.3, true",
        "0.0.0.0/0, 1.2.3.4, true",
        "0.0.0.0/0, ::1, false",
        "0.0.0.0/0, ::1.2.3.4, false",
        "::/0, 2001:db8::1, true",
        "::/0, 1.2.3.4, false",
        "::/0, ::ffff:1.2.3.4, false",
        "::fffe:0:0/95, 1.2.3.4, false",
        "2001:db8::/33, 2001:db8:7fff:ffff:ffff:ffff:ffff:ffff, true",
        "2001:db8::/33, 2001:db8:8000::, false",
        "2001:db8::/64, 2001:db8:0:0:ffff::, true",
        "2001:db8::/65, 2001:db8:0:0:8000::, false",
        "192.0.2.1, 192.0.2.1, true",
        "192.0.2.1, 192.0.2.2, false",
        "10.0.0.0/8, nonsense, false",
        "0.0.0.0/0, 10.0.0.1:80, false",
    })
    void contains_oneNetwork_isTrueForAddressesInside(String cidr, String text, boolean inside) {
        assertThat(new NetworkSet(List.of(Cidr.parse(cidr))).contains(text)).isEqualTo(inside);
    }

    @Test
    void contains_nestedNetworks_findsAddressesOfAll() {
        NetworkSet networks = new NetworkSet(List.of(
                Cidr.parse("10.1.0.0/16"),
                Cidr.parse("10.0.0.0/8"),
                Cidr.parse("10.1.2.3"),
                Cidr.parse("9.9.9.9"),
                Cidr.parse("2001:db8::/32"),
                Cidr.parse("2001:db8:1::/48")));
        assertThat(networks.contains("10.200.0.1")).isTrue();
        assertThat(networks.contains("10.1.2.4")).isTrue();
        assertThat(networks.contains("9.9.9.9")).isTrue();
        assertThat(networks.contains("9.9.9.10")).isFalse();
        assertThat(networks.contains("2001:db8:2::")).isTrue();
        assertThat(networks.contains("2001:db9::")).isFalse();
        assertThat(networks.contains("")).isFalse();
    }
}

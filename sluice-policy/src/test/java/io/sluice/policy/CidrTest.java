package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CidrTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.0.0.0/8",
        "0.0.0.0/0, 0.0.0.0/0",
        "192.0.2.1, 192.0.2.1/32",
        "192.0.2.1/32, 192.0.2.1/32",
        "2001:DB8::/32, 2001:db8::/32",
        "::1, ::1/128",
        "::/0, ::/0",
        "::ffff:10.0.0.0/104, 10.0.0.0/8",
        "::ffff:10.0.0.1, 10.0.0.1/32",
    })
    void parse_network_isCanonical(String text, String canonical) {
        assertThat(Cidr.parse(text)).hasToString(canonical).isEqualTo(Cidr.parse(canonical));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.1.2.3/8 | the network 10.0.0.0/8 or the address 10.1.2.3/32",
                "2001:db8::1/64 | the network 2001:db8::/64 or the address 2001:db8::1/128",
                "10.0.0.0/33 | a prefix of 0 to 32",
                "10.0.0.0/ | a prefix of 0 to 32",
                "10.0.0.0/08 | a prefix of 0 to 32",
                "10.0.0.0/-1 | a prefix of 0 to 32",
                "10.0.0.0/255.0.0.0 | a prefix of 0 to 32",
                "::/129 | a prefix of 0 to 128",
                "::ffff:1.2.3.4/80 | a prefix of 96 to 128, since this is the IPv4 address 1.2.3.4",
                "10.0.0/8 | a network such as 10.0.0.0/8 or 2001:db8::/32, or an address, without a zone",
                "fe80::%eth0/64 | a network such as 10.0.0.0/8 or 2001:db8::/32, or an address, without a zone",
                "10.0.0.0/8/8 | a prefix of 0 to 32",
            })
    void parse_notANetwork_isRefused(String text, String expected) {
        assertThatThrownBy(() -> Cidr.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("cidr: \"" + text + "\" (expected: " + expected + ")");
    }

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
    void contains_text_isTrueForAddressesInside(String cidr, String text, boolean inside) {
        Cidr network = Cidr.parse(cidr);
        assertThat(network.contains(text)).isEqualTo(inside);
        Address address = Address.parseOrNull(text);
        assertThat(address != null && network.contains(address)).isEqualTo(inside);
    }
}

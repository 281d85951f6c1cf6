package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {
    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, 0.0.0.0",
        "255.255.255.255, 255.255.255.255",
        "192.0.2.1, 192.0.2.1",
        "::ffff:192.0.2.1, 192.0.2.1",
        "::FFFF:c000:201, 192.0.2.1",
        "0:0:0:0:0:ffff:192.0.2.1, 192.0.2.1",
        "::, ::",
        "::1, ::1",
        "1::, 1::",
        "0:0:0:0:0:0:0:0, ::",
        "2001:DB8:0:0:0:0:0:1, 2001:db8::1",
        "2001:0db8:0000:0000:0001:0000:0000:0001, 2001:db8::1:0:0:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:db8::1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
        "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8",
        "::1.2.3.4, ::102:304",
        "64:ff9b::192.0.2.33, 64:ff9b::c000:221",
        "1:2:3:4:5:6:1.2.3.4, 1:2:3:4:5:6:102:304",
        "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255, ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    })
    void parse_address_isCanonical(String text, String canonical) {
        assertThat(Address.parse(text)).hasToString(canonical);
        assertThat(Address.parse(canonical)).isEqualTo(Address.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "1",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.4.",
                ".1.2.3.4",
                "1..3.4",
                "01.2.3.4",
                "1.2.3.04",
                "1.2.3.00",
                "256.1.1.1",
                "1.2.3.1000",
                "1.2.3.-1",
                "+1.2.3.4",
                "1.2.3.4 ",
                " 1.2.3.4",
                "0x1.2.3.4",
                "1.2.3.4:80",
                "localhost",
                "example.com",
                "\u0661.2.3.4",
                ":",
                ":::",
                "1:",
                ":1",
                "1:2",
                "1::2::3",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8::",
                "::1:2:3:4:5:6:7:8",
                "1:2:3:4::5:6:7:8",
                "12345::",
                "::g",
                "fe80::1%eth0",
                "fe80::1%25eth0",
                "[::1]",
                "::1/64",
                "::1.2.3",
                "::1.2.3.4:5",
                "::01.2.3.4",
                "1.2.3.4::",
                "1:2:3:4:5:6:7:1.2.3.4",
                "::1 ",
                "::\u0661",
                "::\uff11"
            })
    void parse_notAnAddress_isRefused(String text) {
        assertThat(Address.parseOrNull(text)).isNull();
        assertThatThrownBy(() -> Address.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "address: " + JsonText.quoted(text) + " (expected: an IPv4 or IPv6 address, without a zone)");
    }

    @Test
    void toString_anyAddress_parsesBackAndAgreesWithTheJdk() throws UnknownHostException {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[16];
            for (int k = 0; k < 16; k += 2) {
                // Many zero groups, many small ones.
                int group = random.nextInt(3) == 0 ? random.nextInt(0x10000) : random.nextInt(2);
                bytes[k] = (byte) (group >> 8);
                bytes[k + 1] = (byte) group;
            }
            InetAddress jdk = InetAddress.getByAddress(bytes);
            Address address = Address.parse(jdk.getHostAddress());
            assertThat(Address.parse(address.toString())).isEqualTo(address);
            assertThat(InetAddress.getByName(address.toString())).isEqualTo(jdk);
        }
    }
}

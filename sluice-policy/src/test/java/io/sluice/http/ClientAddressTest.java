package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.Cidr;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClientAddressTest {
    private static final ClientAddress CLIENTS = new ClientAddress(
            List.of(Cidr.parse("127.0.0.0/8"), Cidr.parse("10.0.0.0/8"), Cidr.parse("2001:db8:ffff::/48")));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            nullValues = "-",
            value = {
                // peer | X-Forwarded-For | the client
                "203.0.113.9 | - | 203.0.113.9",
                "203.0.113.9 | 1.1.1.1 | 203.0.113.9",
                "2001:DB8:0::1 | 1.1.1.1 | 2001:db8::1",
                "::ffff:203.0.113.9 | 1.1.1.1 | 203.0.113.9",
                "fe80:0:0:0:0:0:0:1%eth0 | 1.1.1.1 | fe80::1",
                "unix: | 1.1.1.1 | unix:",
                "127.0.0.1 | - | 127.0.0.1",
                "127.0.0.1 | ~ ~ | 127.0.0.1",
                "127.0.0.1 | 203.0.113.9 | 203.0.113.9",
                "::ffff:127.0.0.1 | 203.0.113.9 | 203.0.113.9",
                "10.0.0.1 | 6.6.6.6, 203.0.113.9 | 203.0.113.9",
                "10.0.0.1 | 6.6.6.6,203.0.113.9,10.0.0.2 | 203.0.113.9",
                "10.0.0.1 | 6.6.6.6, 203.0.113.9, 10.0.0.2, 127.0.0.1 | 203.0.113.9",
                "10.0.0.1 | 10.0.0.3, 10.0.0.2 | 10.0.0.3",
                "10.0.0.1 | 203.0.113.9:4711 | 203.0.113.9",
                "10.0.0.1 | 2001:DB8::9 | 2001:db8::9",
                "10.0.0.1 | [2001:db8::9] | 2001:db8::9",
                "10.0.0.1 | [2001:db8::9]:443 | 2001:db8::9",
                "10.0.0.1 | 203.0.113.9, [2001:db8:ffff::2]:443 | 203.0.113.9",
                "10.0.0.1 | ::ffff:203.0.113.9 | 203.0.113.9",
                // an entry without an address ends the walk at the proxy that wrote it
                "10.0.0.1 | 6.6.6.6, garbage | 10.0.0.1",
                "10.0.0.1 | garbage, 203.0.113.9 | 203.0.113.9",
                "10.0.0.1 | 6.6.6.6, garbage, 10.0.0.2 | 10.0.0.2",
                "10.0.0.1 | 6.6.6.6, unknown | 10.0.0.1",
                "10.0.0.1 | 6.6.6.6, | 10.0.0.1",
                "10.0.0.1 | 6.6.6.6,, 10.0.0.2 | 10.0.0.2",
                "10.0.0.1 | , | 10.0.0.1",
                "10.0.0.1 | 6.6.6.6 7.7.7.7 | 10.0.0.1",
                "10.0.0.1 | 06.6.6.6 | 10.0.0.1",
                "10.0.0.1 | 6.6.6.6:port | 10.0.0.1",
                "10.0.0.1 | 6.6.6.6:123456 | 10.0.0.1",
                "10.0.0.1 | 6.6.6.6: | 10.0.0.1",
                "10.0.0.1 | [6.6.6.6]:80 | 10.0.0.1",
                "10.0.0.1 | [2001:db8::9 | 10.0.0.1",
                "10.0.0.1 | [2001:db8::9]x | 10.0.0.1",
                "10.0.0.1 | fe80::1%eth0 | 10.0.0.1",
                "10.0.0.1 | \"6.6.6.6\" | 10.0.0.1",
                "10.0.0.1 | localhost | 10.0.0.1",
            })
    void of_xForwardedFor_isTheRightmostUntrusted(String peer, String header, String client) {
        assertThat(CLIENTS.of(peer, header == null ? List.of() : List.of(header), List.of()))
                .isEqualTo(client);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "for=203.0.113.9 | 203.0.113.9",
                "For=203.0.113.9;proto=https;by=10.0.0.1 | 203.0.113.9",
                "proto=https ; FOR=203.0.113.9 | 203.0.113.9",
                "for=\"203.0.113.9:4711\" | 203.0.113.9",
                "for=203.0.113.9:4711 | 203.0.113.9",
                "for=\"203.0.113.9:_port\" | 203.0.113.9",
                "for=\"[2001:DB8::9]\" | 2001:db8::9",
                "for=\"[2001:db8::9]:4711\" | 2001:db8::9",
                "for=\"203.0.113.\\9\" | 203.0.113.9",
                "for=6.6.6.6, for=203.0.113.9, for=10.0.0.2 | 203.0.113.9",
                "for=6.6.6.6, for=203.0.113.9;host=\"a,b;c\\\",\\\\\" | 203.0.113.9",
                "for=10.0.0.3, for=10.0.0.2 | 10.0.0.3",
                // an open quote of the client hides nothing
                "for=\"6.6.6.6, for=203.0.113.9 | 203.0.113.9",
                "for=6.6.6.6;x=\", for=\"[2001:db8::9]:1\" | 2001:db8::9",
                "for=6.6.6.6;x=\"\\, for=\"203.0.113.9\" | 203.0.113.9",
                // an entry without an address ends the walk
                "for=6.6.6.6, for=unknown | 10.0.0.1",
                "for=6.6.6.6, for=_hidden | 10.0.0.1",
                "for=6.6.6.6, for=_hidden, for=10.0.0.2 | 10.0.0.2",
                "for=6.6.6.6, proto=https | 10.0.0.1",
                "for=6.6.6.6, | 10.0.0.1",
                "for=6.6.6.6;for=7.7.7.7 | 10.0.0.1",
                "for=6.6.6.6; | 10.0.0.1",
                "for=6.6.6.6 7.7.7.7 | 10.0.0.1",
                "for= | 10.0.0.1",
                "for | 10.0.0.1",
                "=6.6.6.6 | 10.0.0.1",
                "6.6.6.6 | 10.0.0.1",
                "for=\"6.6.6.6 | 10.0.0.1",
                "for=\"6.6.6.6\"x | 10.0.0.1",
                "for=6.6.6.6\" | 10.0.0.1",
                "for=\"6.6.6.6\\ | 10.0.0.1",
                "for = 6.6.6.6 | 10.0.0.1",
            })
    void of_forwarded_isTheRightmostUntrusted(String header, String client) {
        assertThat(CLIENTS.of("10.0.0.1", List.of(), List.of(header))).isEqualTo(client);
    }

    @Test
    void of_severalLines_readsThemAsOne() {
        assertThat(CLIENTS.of("10.0.0.1", List.of("6.6.6.6", "203.0.113.9", "10.0.0.2"), List.of()))
                .isEqualTo("203.0.113.9");
        assertThat(CLIENTS.of("10.0.0.1", List.of("6.6.6.6", "", "10.0.0.2"), List.of()))
                .isEqualTo("10.0.0.2");
        assertThat(CLIENTS.of("10.0.0.1", List.of(), List.of("for=\"6.6.6.6", "for=203.0.113.9")))
                .isEqualTo("203.0.113.9");
    }

    @Test
    void of_bothHeaders_usesOnlyTheOneOfTheProxies() {
        List<String> list = List.of("6.6.6.6, 203.0.113.9");
        List<String> other = List.of("for=1.1.1.1");
        assertThat(CLIENTS.of("10.0.0.1", list, other)).isEqualTo("203.0.113.9");
        List<Cidr> trusted = List.of(Cidr.parse("10.0.0.0/8"));
        ClientAddress forwarded = new ClientAddress(trusted, ClientAddress.Header.FORWARDED);
        assertThat(forwarded.of("10.0.0.1", list, other)).isEqualTo("1.1.1.1");
        assertThat(forwarded.of("10.0.0.1", list, List.of())).isEqualTo("10.0.0.1");
        ClientAddress listed = new ClientAddress(trusted, ClientAddress.Header.X_FORWARDED_FOR);
        assertThat(listed.of("10.0.0.1", List.of(), other)).isEqualTo("10.0.0.1");
        assertThat(CLIENTS.of("10.0.0.1", List.of("203.0.113.9"), List.of("  ")))
                .isEqualTo("203.0.113.9");
    }

    @Test
    void trusts_default_isLoopbackOnly() {
        ClientAddress preset = new ClientAddress();
        assertThat(preset.trusts("127.0.0.2")).isTrue();
        assertThat(preset.trusts("::1")).isTrue();
        assertThat(preset.trusts("::ffff:127.0.0.1")).isTrue();
        assertThat(preset.trusts("10.0.0.1")).isFalse();
        assertThat(preset.trusts("nonsense")).isFalse();
        assertThat(new ClientAddress(List.of()).trusts("127.0.0.1")).isFalse();
    }

    @Test
    void of_anything_neverThrows() {
        String alphabet = "for=\"\\,;:[]. 10%_\u00e9\ud800a";
        for (int seed = 0; seed < 50_000; seed++) {
            Random random = new Random(seed);
            String line = text(random, alphabet);
            assertThat(CLIENTS.of("10.0.0.1", List.of(line), List.of())).isNotEmpty();
            assertThat(CLIENTS.of("10.0.0.1", List.of(), List.of(line))).isNotEmpty();
            // The entry of the trusted proxy counts, whatever the client wrote before it.
            assertThat(CLIENTS.of("10.0.0.1", List.of(), List.of(line + ", for=\"[2001:db8::9]:1\"")))
                    .as("seed %d: %s", seed, line)
                    .isEqualTo("2001:db8::9");
            assertThat(CLIENTS.of("10.0.0.1", List.of(line + ", 2001:db8::9"), List.of()))
                    .isEqualTo("2001:db8::9");
        }
    }

    private static String text(Random random, String alphabet) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(20); i > 0; i--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }
}

package io.sluice.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.http.ClientAddress;
import io.sluice.policy.Cidr;
import io.sluice.server.CapturedServerLog;
import io.sluice.testkit.ManualTime;
import io.vertx.core.MultiMap;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IgnoredHeadersLogTest {
    private final CapturedServerLog log = new CapturedServerLog();
    private final ManualTime time = new ManualTime();
    private final IgnoredHeadersLog ignored = new IgnoredHeadersLog(ClientAddress.LOOPBACK, time);

    @AfterEach
    void close() {
        log.close();
    }

    private static MultiMap headers(String... names) {
        MultiMap headers = MultiMap.caseInsensitiveMultiMap().add("Host", "x").add("X-Tenant", "acme");
        for (String name : names) {
            headers.add(name, "secret");
        }
        return headers;
    }

    @Test
    void warning_namesThePeerTheHeadersAndTheSetting() {
        ignored.log("203.0.113.9", headers("X-Forwarded-For", "X-Sluice-Tenant", "X-Sluice-Tenant"));

        assertThat(log.warnings())
                .containsExactly("ignored on /v1/auth, because 203.0.113.9 is not a trusted proxy: X-Forwarded-For,"
                        + " X-Sluice-Tenant (to trust it: --trusted-proxies 127.0.0.0/8,::1/128,203.0.113.9;"
                        + " logged once a minute at most)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Forwarded-For",
                "x-forwarded-proto",
                "Forwarded",
                "forwarded",
                "X-Original-URI",
                "X-Original-Method",
                "X-Sluice-Priority",
                "x-sluice-tenant"
            })
    void headerOfProxies_isLogged(String name) {
        ignored.log("203.0.113.9", headers(name));

        assertThat(log.warnings()).singleElement().asString().contains(": " + name + " (to trust it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Forward", "Forwarded-For", "X-Original", "X-Sluice", "X", "F", ":path", "Origin"})
    void otherHeader_isNotLogged(String name) {
        ignored.log("203.0.113.9", headers(name));

        assertThat(log.warnings()).isEmpty();
    }

    @Test
    void warning_comesOnceAMinuteAtMost() {
        for (int second = 0; second < 60; second++) {
            ignored.log("203.0.113." + second, headers("Forwarded"));
            time.advance(Duration.ofSeconds(1));
        }
        assertThat(log.warnings()).hasSize(1);

        ignored.log("203.0.113.77", headers());
        assertThat(log.warnings()).as("nothing is ignored").hasSize(1);

        ignored.log("203.0.113.88", headers("Forwarded"));
        ignored.log("203.0.113.99", headers("Forwarded"));
        assertThat(log.warnings()).hasSize(2).last().asString().contains("because 203.0.113.88 is");
    }

    @Test
    void clock_isNotReadWithoutSuchHeaders() {
        IgnoredHeadersLog untimed = new IgnoredHeadersLog(List.of(), () -> {
            throw new AssertionError("read");
        });

        untimed.log("203.0.113.9", headers("Accept", "User-Agent"));
    }

    @Test
    void warning_aboutInventedHeaders_isShort() {
        String[] names = new String[100];
        for (int i = 0; i < names.length; i++) {
            names[i] = "X-Sluice-" + i + "x".repeat(1000);
        }
        new IgnoredHeadersLog(List.of(Cidr.parse("10.0.0.0/8")), time).log("fe80::1%eth0", headers(names));

        assertThat(log.warnings())
                .singleElement()
                .asString()
                .hasSizeLessThan(500)
                .contains(", ... (to trust it: --trusted-proxies 10.0.0.0/8,fe80::1;");
    }
}

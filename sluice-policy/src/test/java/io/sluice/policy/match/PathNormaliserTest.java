package io.sluice.policy.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathNormaliserTest {
    @ParameterizedTest
    @CsvSource({
        "/api/../login, /login",
        "/api/./login, /api/login",
        "//login, /login",
        "/a///b//, /a/b/",
        "/a/., /a/",
        "/a/.., /",
        "/a/b/.., /a/",
        "/a/b/../c, /a/c",
        "/.., /",
        "/../../a, /a",
        "/a//../b, /b",
        "/a/...,/a/...",
        "/a/..b/.c, /a/..b/.c",
        "/%6Cogin, /login",
        "/%6cogin?next=/../x, /login",
        "/login?x=1, /login",
        "/login#top, /login",
        "/login?, /login",
        "/a%2Fb, /a/b",
        "/a%2f%2e%2e%2fb, /b",
        "/a/%2e%2E/b, /b",
        "/a/.%2e/b, /b",
        "/a%2F%2Fb, /a/b",
        "/%252e%252e/a, /%2e%2e/a",
        "/a%3Fb, /a?b",
        "/a%23b%25, /a#b%",
        "/caf%C3%A9, /caf\u00e9",
        "/%F0%9F%98%80, /\ud83d\ude00",
        "/%zz%4, /%zz%4",
        "/%, /%",
        "/%C3%28, /%C3(",
        "/%FF%61, /%FFa",
        "/%C0%AF, /%C0%AF",
        "/%ED%A0%80, /%ED%A0%80",
        "/%C3%C3%A9%C3, /%C3\u00e9%C3",
        "/%E2%82x, /%E2%82x",
        "a/../b, b",
        "../a, a",
        "a/..,''",
        "?x,''",
    })
    void normalise_path_isAsServersReadIt(String path, String expected) {
        assertThat(PathNormaliser.normalise(path)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/api/orders/17",
                "/api/",
                "*",
                "api",
                "/a/.b",
                "/a.b/c..",
                "/\ud800",
                "/caf\u00e9",
                "/a/..."
            })
    void normalise_cleanPath_isTheSameObject(String path) {
        assertThat(PathNormaliser.normalise(path)).isSameAs(path);
    }

    @Test
    void normalise_anyPath_leavesNoDotSegmentAndNoDoubleSlash() {
        String[] bits = {"/", "/", ".", "..", "a", "%2e", "%2F", "%", "%C3", "%A9", "\u00e9", "\ud800", "%25", "b"};
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            StringBuilder path = new StringBuilder(random.nextBoolean() ? "/" : "");
            for (int i = random.nextInt(12); i > 0; i--) {
                path.append(bits[random.nextInt(bits.length)]);
            }
            String normal = PathNormaliser.normalise(path.toString());
            assertThat("/" + normal + "/")
                    .as("seed %d: %s", seed, path)
                    .doesNotContain("/./")
                    .doesNotContain("/../");
            assertThat(normal).as("seed %d: %s", seed, path).doesNotContain("//");
            if (path.length() > 0 && path.charAt(0) == '/') {
                assertThat(normal).startsWith("/");
            }
        }
    }
}

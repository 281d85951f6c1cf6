package io.sluice.cli.simulate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.console.InvalidInputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisAddressTest {
    @ParameterizedTest
    @CsvSource({
        "redis://localhost, redis://localhost",
        "redis://:secret@localhost:6380/2, redis://localhost:6380/2",
        "rediss://me:se%40cret@example.com?verifyPeer=NONE, rediss://example.com",
        "redis://secret@[::1]:6379, redis://[::1]:6379",
        "'redis-sentinel://:secret@a:1,b:2,c?timeout=1s#main', 'redis-sentinel://a:1,b:2,c#main'"
    })
    void address_isShownWithoutPasswordAndOptions(String uri, String shown) {
        assertThat(RedisAddress.of(uri)).isEqualTo(new RedisAddress(uri, shown)).hasToString(shown);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://",
                "redis://:secret@",
                "redis://host:port",
                "redis://a,b",
                "redis://:se@cret@host",
                "redis://:se/cret@host",
                "redis://se#cret@host",
                "redis://se?cret@host",
                "redis://secret:1/cret@host",
                "redis-sentinel://a,,b#main"
            })
    void address_inWhichAPasswordCouldHide_isRefusedWithoutShowingIt(String uri) {
        assertThatThrownBy(() -> RedisAddress.of(uri))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("not the address of a Redis (expected: ")
                .hasMessageNotContaining("cret");
    }

    @Test
    void scheme_saysWhatIsARedis() {
        assertThat(RedisAddress.isOne("rediss-sentinel://a#main")).isTrue();
        assertThat(RedisAddress.isOne("memory")).isFalse();
        assertThat(RedisAddress.isOne("redis-socket:///tmp/redis.sock")).isFalse();
        assertThat(RedisAddress.isOne("http://localhost")).isFalse();
    }
}

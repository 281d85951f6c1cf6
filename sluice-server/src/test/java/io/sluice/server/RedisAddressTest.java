package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
        assertThat(RedisAddress.parse(uri))
                .isEqualTo(new RedisAddress(uri, shown))
                .hasToString(shown);
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
    void address_inWhichAPasswordCouldHide_isRefused_andNotShown(String uri) {
        assertThatThrownBy(() -> RedisAddress.parse(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not the address of a Redis (expected: ")
                .hasMessageNotContaining("cret");
    }

    @Test
    void scheme_tellsRedisFromOtherStores() {
        assertThat(RedisAddress.isRedis("rediss-sentinel://a#main")).isTrue();
        assertThat(RedisAddress.isRedis("memory")).isFalse();
        assertThat(RedisAddress.isRedis("redis-socket:///tmp/redis.sock")).isFalse();
        assertThat(RedisAddress.isRedis("http://localhost")).isFalse();
    }
}

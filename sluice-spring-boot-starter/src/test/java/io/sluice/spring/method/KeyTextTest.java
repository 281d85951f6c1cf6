package io.sluice.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KeyTextTest {
    private static final class User {}

    private record Account(String id) {}

    @Test
    void values_haveTheirText_alsoInArrays() {
        assertThat(KeyText.of("ada")).isEqualTo("ada");
        assertThat(KeyText.of(7L)).isEqualTo("7");
        assertThat(KeyText.of(new Account("a"))).isEqualTo("Account[id=a]");
        assertThat(KeyText.of(new int[] {1, 2})).isEqualTo("1,2");
        assertThat(KeyText.of(new String[] {"a,b", "c"})).isEqualTo("a\\,b,c");
        assertThat(KeyText.of(List.of("a", new byte[] {1, 2}))).isEqualTo("a,1\\,2");
    }

    @Test
    void nothing_isNoKey() {
        assertThat(KeyText.of(null)).isNull();
        assertThat(KeyText.of(Optional.empty())).isNull();
        assertThat(KeyText.of(Arrays.asList("a", null))).isNull();
        assertThat(KeyText.of(Optional.of("a"))).isEqualTo("a");
    }

    @Test
    void objectWithoutText_isFound_whereverItStands() {
        User user = new User();
        for (Object key :
                List.of(user, List.of("a", user), new Object[] {user}, Optional.of(user), Map.of("user", user))) {
            assertThat(KeyText.withoutText(key)).isEqualTo(User.class);
        }
        for (Object key : List.of("a", 1, new Account("a"), List.of("a"), new int[] {1}, Map.of("user", "ada"))) {
            assertThat(KeyText.withoutText(key)).isNull();
        }
    }
}

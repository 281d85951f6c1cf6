package io.sluice.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PolicyLinesTest {
    private final PolicyLines lines = new PolicyLines();

    private static ItemText item(String policy, String limit) {
        return ItemText.of(policy, Limit.parse(limit), 0);
    }

    private String line(@Nullable ItemText... items) {
        return lines.of(items);
    }

    @Test
    void sameItems_areOneText() {
        ItemText one = item("one", "10/s");
        ItemText two = item("two", "600/min burst 100");
        String first = line(one, null, two);
        assertThat(first).isEqualTo("\"one\";q=10;w=1, \"two\";q=100;w=10");
        assertThat(line(one, null, two)).isSameAs(first);
    }

    @Test
    void anotherLimit_order_orNumberOfItems_isAnotherText() {
        ItemText one = item("one", "10/s");
        ItemText two = item("two", "20/s");
        assertThat(line(one)).isEqualTo("\"one\";q=10;w=1");
        assertThat(line(item("one", "30/s"))).isEqualTo("\"one\";q=30;w=1");
        assertThat(line(two, one)).isEqualTo("\"two\";q=20;w=1, \"one\";q=10;w=1");
        assertThat(line(one, two)).isEqualTo("\"one\";q=10;w=1, \"two\";q=20;w=1");
        assertThat(line(one)).isEqualTo("\"one\";q=10;w=1");
    }

    @Test
    void noItem_isEmpty() {
        assertThat(line()).isEmpty();
        assertThat(line((ItemText) null)).isEmpty();
    }

    @Test
    void moreLinesThanAreRemembered_areRight() {
        for (int i = 1; i <= 1000; i++) {
            assertThat(line(item("p" + i, i + "/s"))).isEqualTo("\"p" + i + "\";q=" + i + ";w=1");
        }
    }
}

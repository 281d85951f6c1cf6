package io.sluice.server.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The headers with entity-tags of RFC 9110: the lists of section 5.6.1, the tags of 8.8.3, the comparisons of 8.8.3.2. */
class IfMatchTest {
    private static ETagCondition parse(String... lines) {
        return ETagCondition.parse("If-Match", List.of(lines));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            *                      | "a"   | true
            ` *\t`                 | "a"   | true
            "a"                    | "a"   | true
            ` "a"\t`               | "a"   | true
            "a"                    | "A"   | false
            "a"                    | "b"   | false
            "b", "a"               | "a"   | true
            "b","a","c"            | "a"   | true
            "b"\t,\t"a"            | "a"   | true
            ,, "b" ,, "a" ,        | "a"   | true
            "a,b"                  | "a,b" | true
            "a,b"                  | "a"   | false
            "x", "a,b", "y"        | "a,b" | true
            "a\\"                  | "a\\" | true
            ""                     | ""    | true
            ""                     | "a"   | false
            "*"                    | "a"   | false
            "!#[]~"                | "!#[]~" | true
            "\u00e9\u00ff"         | "\u00e9\u00ff" | true
            W/"a"                  | "a"   | false
            W/"a", "a"             | "a"   | true
            "W/"                   | "W/"  | true
            ``                     | "a"   | false
            ,                      | "a"   | false
            """)
    void list_matchesATagByTheStrongComparison(String header, String tag, boolean expected) {
        assertThat(parse(header).matches(tag)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            *           | true
            "a"         | true
            W/"a"       | true
            "b", W/"a"  | true
            "b"         | false
            W/"b"       | false
            """)
    void list_matchesATagByTheWeakComparison(String header, boolean expected) {
        assertThat(parse(header).matchesWeakly("\"a\"")).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "1",
                "'a'",
                "\"a",
                "a\"",
                "\"",
                "W/",
                "W/a",
                "w/\"a\"",
                "W /\"a\"",
                "W/ \"a\"",
                "\"a\" \"b\"",
                "\"a\"\"b\"",
                "\"a b\"",
                "\"a\tb\"",
                "\"a\u007f\"",
                "\"a\u0100\"",
                "\"a\"; \"b\"",
                "\"a\", *",
                "*, \"a\"",
                "* *",
                "**",
                "*, *",
                "\"a\", b"
            })
    void invalidList_isRefused(String header) {
        assertThatThrownBy(() -> parse(header))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("If-Match: " + header + " (expected: entity-tags, ");
    }

    @Test
    void lines_areOneList() {
        assertThat(parse("\"a\"", "", "W/\"b\", \"c\"").tags()).containsExactly("\"a\"", "W/\"b\"", "\"c\"");
        assertThatThrownBy(() -> parse("*", "*")).hasMessageStartingWith("If-Match: *, * (expected: ");
        assertThatThrownBy(() -> parse("\"a", "b\"")).hasMessageStartingWith("If-Match: \"a, b\" (expected: ");
    }

    @Test
    void refusal_ofALongText_isShort() {
        assertThatThrownBy(() -> parse("x".repeat(10_000)))
                .hasMessageStartingWith("If-Match: " + "x".repeat(100) + "... (expected: ");
    }

    /** The same as {@code printf abc | sha256sum | cut -c1-32}. */
    @Test
    void tag_isHalfTheSha256OfTheText() {
        assertThat(PolicyETag.of("abc")).isEqualTo("\"ba7816bf8f01cfea414140de5dae2223\"");
        assertThat(PolicyETag.of("é")).isNotEqualTo(PolicyETag.of("e"));
    }
}

package io.sluice.redis.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LuaConstantsTest {
    private static final Pattern STRING = Pattern.compile("'[^'\n]*'");
    private static final Pattern NAME = Pattern.compile("\\b[A-Z][A-Z_]+\\b");

    static List<Script> scripts() {
        return List.of(
                Script.DECIDE,
                Script.CONFIG,
                Script.HEARTBEAT,
                Script.ENFORCE,
                Script.STAGE,
                Script.COMMIT,
                Script.PUBLISH,
                Script.READY);
    }

    /** A name that is left has no definition, neither in Java nor in Lua. */
    @ParameterizedTest
    @MethodSource("scripts")
    void script_usesNoUnknownConstant(Script script) {
        String code = STRING.matcher(script.text()).replaceAll("''");
        assertThat(NAME.matcher(code).results().map(MatchResult::group).collect(java.util.stream.Collectors.toSet()))
                .isSubsetOf("KEYS", "ARGV");
    }

    /** Format strings and Redis commands stand in quotes; a constant in quotes would be left alone without notice. */
    @ParameterizedTest
    @MethodSource("scripts")
    void script_hasNoConstantInQuotes(Script script) {
        TreeSet<String> quoted = new TreeSet<>();
        STRING.matcher(script.text())
                .results()
                .forEach(string -> NAME.matcher(string.group())
                        .results()
                        .map(MatchResult::group)
                        .filter(LuaConstants.shared()::containsKey)
                        .forEach(quoted::add));
        assertThat(quoted).isEmpty();
    }

    @Test
    void name_isReplacedByTheNumberOfTheEnum() {
        assertThat(LuaConstants.inlined("return pack('B', TOO_LATE, RELEASE, COUNTER)"))
                .isEqualTo("return pack('B', 1, 14, 7)");
    }

    @Test
    void constantOfAFragment_isReplacedAndItsDefinitionRemoved() {
        assertThat(LuaConstants.inlined("local PAGE_SIZE = 64\nreturn PAGE_SIZE * 2"))
                .isEqualTo("return 64 * 2");
    }

    @Test
    void constantOfAFragment_thatJavaDefines_isRefused() {
        assertThatThrownBy(() -> LuaConstants.inlined("local RELEASE = 14\nreturn RELEASE"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Lua constant RELEASE: defined as 14 and as 14 (expected: one definition)");
    }

    /** Redis holds states and other processes send requests with these numbers: they never change. */
    @Test
    void numbers_areTheOnesThatArePublished() {
        assertThat(LuaConstants.shared())
                .containsEntry("CHECK", "1")
                .containsEntry("OWE", "20")
                .containsEntry("UNKNOWN_FORMAT", "4")
                .containsEntry("FORMAT_MORE", "2")
                .containsEntry("BLOCKED", "9")
                .containsEntry("SAME_LIMIT", "128");
    }
}

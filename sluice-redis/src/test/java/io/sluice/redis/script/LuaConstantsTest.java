package io.sluice.redis.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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

    /** A name in capitals that is still there has no definition, neither in Java nor in Lua. */
    @ParameterizedTest
    @MethodSource("scripts")
    void script_usesNoUnknownConstant(Script script) {
        String code = STRING.matcher(script.text()).replaceAll("''");
        assertThat(NAME.matcher(code).results().map(MatchResult::group).collect(Collectors.toSet()))
                .isSubsetOf("KEYS", "ARGV");
        // A constant can also stand in quotes, as a byte: '\WOULD_WAIT'.
        assertThat(script.text()).doesNotContainPattern("\\\\[A-Z]");
    }

    /** A Redis command with the name of a constant would become a number. */
    @ParameterizedTest
    @MethodSource("scripts")
    void script_callsNoCommandWithTheNameOfAConstant(Script script) {
        assertThat(Pattern.compile("call\\('([^']*)'")
                        .matcher(script.text())
                        .results()
                        .map(command -> command.group(1)))
                .isNotEmpty()
                .allMatch(command -> command.matches("[A-Z]+"));
    }

    /** This number is too large for the enums, so {@code head.lua} defines it. */
    @Test
    void exact_inLua_isTheNumberOfJava() throws IOException {
        try (InputStream head = Script.class.getResourceAsStream("/io/sluice/redis/head.lua")) {
            assertThat(new String(Objects.requireNonNull(head).readAllBytes(), StandardCharsets.UTF_8))
                    .contains("\nlocal EXACT = " + Reply.UNBOUNDED + "\n");
        }
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
    void numbers_thatRedisStores_neverChange() {
        assertThat(LuaConstants.shared())
                .containsEntry("CHECK", "1")
                .containsEntry("OWE", "20")
                .containsEntry("UNKNOWN_FORMAT", "4")
                .containsEntry("FORMAT_MORE", "2")
                .containsEntry("BLOCKED", "9")
                .containsEntry("CALENDAR", "10")
                .containsEntry("WARM_UP", "11")
                .containsEntry("CONCURRENCY", "12")
                .containsEntry("ENTER", "26")
                .containsEntry("HOLDER", "31")
                .containsEntry("WITH_HOLDS", "8")
                .containsEntry("NEEDS_WINDOW", "5")
                .containsEntry("NEWER_BLOCK", "4")
                .containsEntry("SAME_LIMIT", "128");
    }
}

package io.sluice.benchmarks.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BareScriptTest {
    @Test
    void words_mayHoldNewLines() {
        assertThat(BareScript.words("$4\r\na\r\nb\r\n$0\r\n\r\n$1\r\nc\r\n")).containsExactly("a\r\nb", "", "c");
    }

    @Test
    void arguments_becomeAPartOfTheScript() {
        assertThat(BareScript.standalone(List.of("return #ARGV", "2", "key", "spill", "\0\u00ff", "'")))
                .isEqualTo("local ARGV={'\\000\\255','\\039'}\nreturn #ARGV");
    }
}

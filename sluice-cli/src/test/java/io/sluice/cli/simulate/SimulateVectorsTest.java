package io.sluice.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.CommandRun;
import io.sluice.testkit.Vectors;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SimulateVectorsTest {
    static List<String> names() {
        return Vectors.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void simulate_ofEveryVector_isTheSameByteForByte(String name) {
        VectorFile vector = VectorFile.named(name);

        CommandRun ran = CommandRun.with(vector.trace(), "simulate", "--limit", vector.limit());

        assertThat(ran).isEqualTo(new CommandRun(0, vector.decisions(), ""));
    }
}

package io.sluice.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Vectors;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SimulateVectorsTest {
    static List<String> names() {
        return Vectors.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void simulate_ofEveryVector_isTheSameByteForByte(String name) throws IOException {
        List<String> lines = read(name).lines().toList();
        String limit = lines.get(0).substring("# limit: ".length());
        String trace = lines.stream().skip(1).map(SimulateVectorsTest::request).collect(Collectors.joining());
        String decisions = lines.stream().skip(1).map(line -> line + "\n").collect(Collectors.joining());

        Ran ran = Ran.with(trace, "simulate", "--limit", limit);

        assertThat(ran).isEqualTo(new Ran(0, decisions, ""));
    }

    /** The first three cells. */
    private static String request(String line) {
        List<String> cells = List.of(line.split(",", -1));
        return String.join(",", cells.subList(0, 3)) + "\n";
    }

    private static String read(String name) throws IOException {
        try (InputStream in = Vectors.class.getResourceAsStream("vectors/" + name + ".csv")) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), UTF_8);
        }
    }
}

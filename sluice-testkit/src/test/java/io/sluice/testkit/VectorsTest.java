package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.Decision;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class VectorsTest {
    @Test
    void names_areAllFiles() throws IOException, URISyntaxException {
        Path folder = Path.of(Objects.requireNonNull(Vectors.class.getResource("vectors/fixed-window.csv"))
                        .toURI())
                .resolveSibling("");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".csv", "")))
                    .containsExactlyInAnyOrderElementsOf(Vectors.names());
        }
    }

    @Test
    void load_leakyBucket_readsEveryField() {
        Vector vector = Vectors.load("leaky-bucket");

        assertThat(vector.name()).isEqualTo("leaky-bucket");
        assertThat(vector.limit()).isEqualTo("leaky-bucket 10/s capacity 20");
        assertThat(vector.rows())
                .hasSize(300)
                .contains(
                        new Vector.Row(1663101420953314L, "c", 21, new Decision(false, 20, Decision.NEVER, 0, 0)),
                        new Vector.Row(1663101420953314L, "b", 1, new Decision(true, 17, 0, 199997, 299997)));
    }

    @Test
    void load_unknownName_saysWhichThereAre() {
        assertThatThrownBy(() -> Vectors.load("nope"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("vector: nope (expected: one of [fixed-window, ");
    }
}

package io.sluice.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.testkit.Vectors;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** A test vector as input and expected output of the command. */
record VectorFile(String limit, String trace, String decisions) {
    static VectorFile named(String name) {
        List<String> lines = read(name).lines().toList();
        String limit = lines.get(0).substring("# limit: ".length());
        String trace = lines.stream().skip(1).map(VectorFile::request).collect(Collectors.joining());
        String decisions = lines.stream().skip(1).map(line -> line + "\n").collect(Collectors.joining());
        return new VectorFile(limit, trace, decisions);
    }

    /** The first three cells. */
    private static String request(String line) {
        List<String> cells = List.of(line.split(",", -1));
        return String.join(",", cells.subList(0, 3)) + "\n";
    }

    private static String read(String name) {
        try (InputStream in = Vectors.class.getResourceAsStream("vectors/" + name + ".csv")) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

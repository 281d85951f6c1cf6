package io.sluice.benchmarks.load;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
    private static String csv(CaseResult... rows) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Table.printCsv(List.of(rows), new PrintStream(out, true, UTF_8));
        return out.toString(UTF_8);
    }

    @Test
    void csv_hasALineForEachPeer() {
        CaseResult row = new CaseResult(
                "hot",
                new Measurement("Sluice", 135_000.4, 870.25),
                List.of(new Measurement("Redisson", 18_000.0, 9000.0), new Measurement("PING", 90_000.0, 700.0)));

        assertThat(csv(row)).isEqualTo("""
                case,sluice_per_s,p99_us,peer,peer_per_s,ratio
                hot,135000,870.3,Redisson,18000,7.50
                hot,135000,870.3,PING,90000,1.50
                """);
    }

    @Test
    void csv_ofWhatFailed_hasEmptyPlaces() {
        Measurement nothing = new Measurement("Sluice", null, null);
        Measurement some = new Measurement("Redisson", 18_000.0, 9000.0);

        assertThat(csv(new CaseResult("a", nothing, List.of(some)), new CaseResult("b", some, List.of(nothing))))
                .endsWith("a,,,Redisson,18000,\nb,18000,9000.0,Sluice,,\n");
    }
}

package io.sluice.cli.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.console.RunFailedException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SharedLibrariesTest {
    @Test
    void librariesAndTheLoader_areFoundInWhatGlibcPrints() {
        String printed = """
                /link/bin/java:
                \tlinux-vdso.so.1 (0x00007ffd2)
                \tlibz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x00007f1)
                \tlibjli.so => /link/bin/../lib/libjli.so (0x00007f2)
                \t/lib64/ld-linux-x86-64.so.2 (0x00007f3)
                /link/lib/libnet.so:
                \tlibjvm.so => not found
                \tlibz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x00007f4)
                /link/bin/static:
                \tstatically linked
                """;

        assertThat(SharedLibraries.parse(printed, Set.of("libjvm.so")))
                .containsExactly(
                        Path.of("/lib/x86_64-linux-gnu/libz.so.1"),
                        Path.of("/lib64/ld-linux-x86-64.so.2"),
                        Path.of("/link/bin/../lib/libjli.so"));
    }

    @Test
    void loader_isFoundInWhatMuslPrints() {
        String printed = """
                \t/lib/ld-musl-x86_64.so.1 (0x7f1)
                \tlibc.musl-x86_64.so.1 => /lib/ld-musl-x86_64.so.1 (0x7f1)
                """;

        assertThat(SharedLibraries.parse(printed, Set.of())).containsExactly(Path.of("/lib/ld-musl-x86_64.so.1"));
    }

    @Test
    void library_thatIsMissing_isAnError() {
        assertThatThrownBy(() -> SharedLibraries.parse("\tlibfoo.so.1 => not found\n", Set.of("libjvm.so")))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("libfoo.so.1");
    }
}

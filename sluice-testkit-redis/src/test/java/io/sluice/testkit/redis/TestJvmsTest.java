package io.sluice.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TestJvmsTest {
    @Test
    void number_inTwoJvms_differs() throws Exception {
        int own = TestJvms.number();
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Other.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        int others =
                Integer.parseInt(new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
        assertThat(other.waitFor()).isZero();
        assertThat(others).isNotEqualTo(own);
    }

    static final class Other {
        public static void main(String[] unused) {
            System.out.println(TestJvms.number());
        }
    }
}

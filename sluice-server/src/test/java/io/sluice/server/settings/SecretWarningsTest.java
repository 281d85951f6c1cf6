package io.sluice.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Secrets that other users can read or guess cause warnings, but they work. */
class SecretWarningsTest {
    private static final String LONG = "0123456789abcdef";

    @TempDir
    Path directory;

    private Path file(String name, String text, String mode) throws IOException {
        Path file = Files.writeString(directory.resolve(name), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    @ParameterizedTest
    @CsvSource({
        "SLUICE_ADMIN_TOKEN_FILE, admin-token-file",
        "SLUICE_RESP_PASSWORD_FILE, resp-password-file",
        "SLUICE_REDIS_FILE, redis-file"
    })
    void fileThatEveryUserCanRead_causesAWarning(String variable, String key) throws IOException {
        Path file = file("secret", "redis://localhost\n", "rw-r--r--");
        Settings settings = Settings.read(Map.of(), null, Map.of(variable, file.toString()));
        assertThat(settings.warnings())
                .containsExactly(key + " " + file + ": every user of this machine can read it (rw-r--r--);"
                        + " to keep it to the server: chmod 600 " + file);
        assertThat(settings.config()).isNotNull();
        file("secret", "redis://localhost\n", "rw-r-----");
        assertThat(Settings.read(Map.of(), null, Map.of(variable, file.toString()))
                        .warnings())
                .isEmpty();
    }

    @Test
    void settingsFile_withASecret_causesAWarning() throws IOException {
        Path file = file("s.yaml", "admin-token: " + LONG + "\n", "rw-r--r--");
        assertThat(Settings.read(Map.of(), file, Map.of()).warnings())
                .containsExactly("settings " + file + ": every user of this machine can read it (rw-r--r--);"
                        + " to keep it to the server: chmod 600 " + file);
        file("s.yaml", "port: 1\n", "rw-r--r--");
        assertThat(Settings.read(Map.of(), file, Map.of()).warnings()).isEmpty();
    }

    @Test
    void shortTokenOrPassword_causesAWarning_withoutTheSecret() throws IOException {
        Path file = file("token", "0123456789abcde\n", "rw-------");
        Settings settings = Settings.read(
                Map.of(Setting.ADMIN_TOKEN_FILE, file.toString()), null, Map.of("SLUICE_RESP_PASSWORD", "secret"));
        assertThat(settings.warnings())
                .containsExactly(
                        "admin-token-file: a secret of 15 characters can be guessed (expected: at least 16;"
                                + " to make one: openssl rand -hex 32)",
                        "resp-password: a secret of 6 characters can be guessed (expected: at least 16;"
                                + " to make one: openssl rand -hex 32)");
        assertThat(settings.config().respPassword()).isEqualTo("secret");
        assertThat(Settings.read(Map.of(), null, Map.of("SLUICE_ADMIN_TOKEN", LONG))
                        .warnings())
                .isEmpty();
    }

    @Test
    void missingFile_isRefused_withoutAWarning() {
        assertThat(Settings.read(Map.of(Setting.ADMIN_TOKEN_FILE, "nowhere"), null, Map.of())
                        .warnings())
                .isEmpty();
    }
}

package io.sluice.server.settings;

import io.sluice.server.settings.SettingValue.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/*
 * A file that its group can read is accepted: Kubernetes gives a volume to a container by its group, and an operator chose that
 * group. A file that the server cannot read is an error elsewhere, with a better message.
 */
/** Warns about secrets that other users can read or guess. The server uses them all the same. */
final class SecretWarnings {
    /** In characters. 16 hexadecimal digits are 64 bits, too many to guess over a network. */
    static final int MIN_LENGTH = 16;

    private static final List<Setting> FILES =
            List.of(Setting.ADMIN_TOKEN_FILE, Setting.RESP_PASSWORD_FILE, Setting.REDIS_FILE, Setting.TLS_KEY);

    private final Map<Setting, SettingValue> values;
    private final List<String> warnings = new ArrayList<>();

    private SecretWarnings(Map<Setting, SettingValue> values) {
        this.values = values;
    }

    /**
     * Returns a line for each warning.
     *
     * @param settingsFile null if there is none
     */
    static List<String> warnings(Map<Setting, SettingValue> values, @Nullable Path settingsFile) {
        SecretWarnings secrets = new SecretWarnings(values);
        for (Setting setting : FILES) {
            SettingValue one = values.get(setting);
            if (one != null) {
                secrets.warnIfReadable(setting.key(), one.text());
            }
        }
        boolean hasSecret =
                values.values().stream().anyMatch(one -> one.setting().isSecret() && one.source() == Source.FILE);
        if (settingsFile != null && hasSecret) {
            secrets.warnIfReadable("settings", settingsFile.toString());
        }
        secrets.warnIfShort(Setting.ADMIN_TOKEN, Setting.ADMIN_TOKEN_FILE);
        secrets.warnIfShort(Setting.RESP_PASSWORD, Setting.RESP_PASSWORD_FILE);
        return secrets.warnings;
    }

    private void warnIfReadable(String key, String file) {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(Path.of(file));
            if (permissions.contains(PosixFilePermission.OTHERS_READ)) {
                warnings.add(key + " " + file + ": every user of this machine can read it ("
                        + PosixFilePermissions.toString(permissions) + "); to keep it to the server: chmod 600 "
                        + file);
            }
        } catch (IOException | InvalidPathException | UnsupportedOperationException e) {
            // There is no such file, or the file system has no POSIX permissions.
        }
    }

    private void warnIfShort(Setting setting, Setting fileSetting) {
        String secret = text(setting, fileSetting);
        if (secret != null && !secret.isEmpty() && secret.length() < MIN_LENGTH) {
            String key = values.containsKey(fileSetting) ? fileSetting.key() : setting.key();
            warnings.add(key + ": a secret of " + secret.length() + " characters can be guessed (expected: at least "
                    + MIN_LENGTH + "; to make one: openssl rand -hex 32)");
        }
    }

    private @Nullable String text(Setting setting, Setting fileSetting) {
        SettingValue file = values.get(fileSetting);
        if (file == null) {
            SettingValue one = values.get(setting);
            return one == null ? null : one.text();
        }
        try {
            return TextFile.read(Path.of(file.text())).strip();
        } catch (IOException | InvalidPathException e) {
            return null;
        }
    }
}

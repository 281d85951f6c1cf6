package io.sluice.server.settings;

import io.sluice.server.settings.Given.From;
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
 * A group may read them: Kubernetes gives a volume to a container by its group, and a group is somebody's choice. What
 * cannot be read at all is refused elsewhere, in better words.
 */
/** Warns of secrets that others can read or guess. They work all the same. */
final class Secrets {
    /** Characters; 16 of hexadecimal digits are 64 bits, which nobody guesses over a network. */
    static final int SHORTEST = 16;

    private static final List<Setting> FILES =
            List.of(Setting.ADMIN_TOKEN_FILE, Setting.RESP_PASSWORD_FILE, Setting.REDIS_FILE, Setting.TLS_KEY);

    private final Map<Setting, Given> given;
    private final List<String> warnings = new ArrayList<>();

    private Secrets(Map<Setting, Given> given) {
        this.given = given;
    }

    /**
     * A line for each.
     *
     * @param settings the file of settings; null if there is none
     */
    static List<String> warnings(Map<Setting, Given> given, @Nullable Path settings) {
        Secrets secrets = new Secrets(given);
        for (Setting setting : FILES) {
            Given one = given.get(setting);
            if (one != null) {
                secrets.open(setting.key(), one.text());
            }
        }
        boolean inside = given.values().stream().anyMatch(one -> one.setting().isSecret() && one.from() == From.FILE);
        if (settings != null && inside) {
            secrets.open("settings", settings.toString());
        }
        secrets.tooShort(Setting.ADMIN_TOKEN, Setting.ADMIN_TOKEN_FILE);
        secrets.tooShort(Setting.RESP_PASSWORD, Setting.RESP_PASSWORD_FILE);
        return secrets.warnings;
    }

    private void open(String key, String file) {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(Path.of(file));
            if (permissions.contains(PosixFilePermission.OTHERS_READ)) {
                warnings.add(key + " " + file + ": every user of this machine can read it ("
                        + PosixFilePermissions.toString(permissions) + "); to keep it to the server: chmod 600 "
                        + file);
            }
        } catch (IOException | InvalidPathException | UnsupportedOperationException e) {
            // It is not there, or there are no such permissions.
        }
    }

    private void tooShort(Setting itself, Setting inFile) {
        String secret = text(itself, inFile);
        if (secret != null && !secret.isEmpty() && secret.length() < SHORTEST) {
            String key = given.containsKey(inFile) ? inFile.key() : itself.key();
            warnings.add(key + ": a secret of " + secret.length() + " characters can be guessed (expected: at least "
                    + SHORTEST + "; to make one: openssl rand -hex 32)");
        }
    }

    private @Nullable String text(Setting itself, Setting inFile) {
        Given file = given.get(inFile);
        if (file == null) {
            Given one = given.get(itself);
            return one == null ? null : one.text();
        }
        try {
            return TextFile.read(Path.of(file.text())).strip();
        } catch (IOException | InvalidPathException e) {
            return null;
        }
    }
}

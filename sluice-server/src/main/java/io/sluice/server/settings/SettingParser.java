package io.sluice.server.settings;

import io.sluice.FixedWindow;
import io.sluice.Limit;
import io.sluice.LimitSyntaxException;
import io.sluice.policy.Cidr;
import io.sluice.policy.WebhookHosts;
import io.sluice.redis.RedisStore;
import io.sluice.server.SettingException;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/** Parses the texts of settings. */
final class SettingParser {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}");
    private static final Pattern TIME = Pattern.compile("[0-9]+[a-z]+");
    private static final Duration MAX_TIME = Duration.ofDays(1);
    private static final Duration MAX_PERIOD = Duration.ofDays(10_000);

    private final Map<Setting, SettingValue> values;

    SettingParser(Map<Setting, SettingValue> values) {
        this.values = values;
    }

    Optional<String> text(Setting setting) {
        return Optional.ofNullable(values.get(setting)).map(one -> {
            if (one.text().isBlank()) {
                throw one.invalid(setting.label());
            }
            return one.text();
        });
    }

    boolean isOff(Setting setting) {
        return text(setting).orElseThrow().equals("off");
    }

    int port(Setting setting) {
        String or = setting == Setting.RESP_PORT ? ", or off" : "";
        return (int) number(setting, 0, 65535, "a port: 0 to 65535" + or);
    }

    long number(Setting setting, long min, long max) {
        return number(setting, min, max, "a whole number, " + min + " to " + max);
    }

    private long number(Setting setting, long min, long max, String expected) {
        SettingValue one = of(setting);
        if (NUMBER.matcher(one.text()).matches()) {
            long number = Long.parseLong(one.text());
            if (number >= min && number <= max) {
                return number;
            }
        }
        throw one.invalid(expected);
    }

    String oneOf(Setting setting, String... words) {
        SettingValue one = of(setting);
        if (!Arrays.asList(words).contains(one.text())) {
            throw one.invalid(String.join(" or ", words));
        }
        return one.text();
    }

    Duration time(Setting setting) {
        return time(setting, MAX_TIME, "a time of 1ms to 1d, such as 500ms, 10s or 5m");
    }

    /** A time that a limit may have as its period. */
    Duration period(Setting setting) {
        return time(setting, MAX_PERIOD, "a time of 1ms to 10000d, such as 1h or 31d");
    }

    /** Parses a time as the grammar of limits does. */
    private Duration time(Setting setting, Duration max, String expected) {
        SettingValue one = of(setting);
        if (TIME.matcher(one.text()).matches()) {
            try {
                Duration time = ((FixedWindow) Limit.parse("fixed-window 1 per " + one.text())).window();
                if (time.compareTo(max) <= 0) {
                    return time;
                }
            } catch (LimitSyntaxException e) {
                // The error below does not mention limits.
            }
        }
        throw one.invalid(expected);
    }

    Optional<Path> path(Setting setting) {
        return text(setting).map(text -> {
            try {
                return Path.of(text);
            } catch (InvalidPathException e) {
                throw of(setting).invalid("a name that a file can have");
            }
        });
    }

    List<Cidr> networks(Setting setting) {
        SettingValue one = of(setting);
        List<Cidr> networks = new ArrayList<>();
        if (one.text().equals("none")) {
            return networks;
        }
        for (String network : one.text().split(",", -1)) {
            try {
                networks.add(Cidr.parse(network.strip()));
            } catch (IllegalArgumentException e) {
                throw one.invalid("networks such as 10.0.0.0/8,2001:db8::/32, or none");
            }
        }
        return networks;
    }

    WebhookHosts webhookHosts(Setting setting) {
        SettingValue one = of(setting);
        return switch (one.text()) {
            case "any" -> WebhookHosts.ANY;
            case "none" -> new WebhookHosts(List.of());
            default -> {
                try {
                    yield new WebhookHosts(List.of(one.text().split(",", -1)));
                } catch (IllegalArgumentException e) {
                    throw one.invalid("names such as hooks.example.com,*.example.org, networks such as 10.0.0.0/8,"
                            + " any, or none");
                }
            }
        };
    }

    /** The URI of Redis, validated. */
    Optional<String> redis() {
        Optional<String> uri = secret(Setting.REDIS, Setting.REDIS_FILE);
        uri.ifPresent(text -> {
            try {
                RedisStore.builder().uri(text);
            } catch (IllegalArgumentException e) {
                SettingValue one = values.getOrDefault(Setting.REDIS, values.get(Setting.REDIS_FILE));
                throw Objects.requireNonNull(one)
                        .invalid("redis://[[user]:password@]host[:port][/database], rediss://...,"
                                + " or redis-sentinel://host[:port][,host...]#master");
            }
        });
        return uri;
    }

    /** A secret from its setting or from a file, without white space around it. */
    Optional<String> secret(Setting setting, Setting fileSetting) {
        Optional<Path> file = path(fileSetting);
        if (file.isEmpty()) {
            return text(setting);
        }
        SettingValue one = of(fileSetting);
        try {
            String secret = TextFile.read(file.get()).strip();
            if (secret.isEmpty() || secret.chars().anyMatch(Character::isISOControl)) {
                throw one.invalid("a file with one line of text");
            }
            return Optional.of(secret);
        } catch (IOException e) {
            throw new SettingException(one.origin() + " " + file.get() + ": " + TextFile.reason(e)
                    + " (expected: a file that can be read)");
        }
    }

    private SettingValue of(Setting setting) {
        return Objects.requireNonNull(values.get(setting), setting::key);
    }
}

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

/** Understands the texts of settings. */
final class Values {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}");
    private static final Pattern TIME = Pattern.compile("[0-9]+[a-z]+");
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final Duration LONGEST_PERIOD = Duration.ofDays(10_000);

    private final Map<Setting, Given> given;

    Values(Map<Setting, Given> given) {
        this.given = given;
    }

    Optional<String> text(Setting setting) {
        return Optional.ofNullable(given.get(setting)).map(one -> {
            if (one.text().isBlank()) {
                throw one.refused(setting.label());
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

    long number(Setting setting, long least, long most) {
        return number(setting, least, most, "a whole number, " + least + " to " + most);
    }

    private long number(Setting setting, long least, long most, String expected) {
        Given one = of(setting);
        if (NUMBER.matcher(one.text()).matches()) {
            long number = Long.parseLong(one.text());
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw one.refused(expected);
    }

    String oneOf(Setting setting, String... words) {
        Given one = of(setting);
        if (!Arrays.asList(words).contains(one.text())) {
            throw one.refused(String.join(" or ", words));
        }
        return one.text();
    }

    Duration time(Setting setting) {
        return time(setting, LONGEST, "a time of 1ms to 1d, such as 500ms, 10s or 5m");
    }

    /** What a limit may have as its period. */
    Duration period(Setting setting) {
        return time(setting, LONGEST_PERIOD, "a time of 1ms to 10000d, such as 1h or 31d");
    }

    /** As durations in limits, which is where it is read. */
    private Duration time(Setting setting, Duration longest, String expected) {
        Given one = of(setting);
        if (TIME.matcher(one.text()).matches()) {
            try {
                Duration time = ((FixedWindow) Limit.parse("fixed-window 1 per " + one.text())).window();
                if (time.compareTo(longest) <= 0) {
                    return time;
                }
            } catch (LimitSyntaxException e) {
                // Refused below, in words that do not speak of limits.
            }
        }
        throw one.refused(expected);
    }

    Optional<Path> path(Setting setting) {
        return text(setting).map(text -> {
            try {
                return Path.of(text);
            } catch (InvalidPathException e) {
                throw of(setting).refused("a name that a file can have");
            }
        });
    }

    List<Cidr> networks(Setting setting) {
        Given one = of(setting);
        List<Cidr> networks = new ArrayList<>();
        if (one.text().equals("none")) {
            return networks;
        }
        for (String network : one.text().split(",", -1)) {
            try {
                networks.add(Cidr.parse(network.strip()));
            } catch (IllegalArgumentException e) {
                throw one.refused("networks such as 10.0.0.0/8,2001:db8::/32, or none");
            }
        }
        return networks;
    }

    WebhookHosts webhookHosts(Setting setting) {
        Given one = of(setting);
        return switch (one.text()) {
            case "any" -> WebhookHosts.ANY;
            case "none" -> new WebhookHosts(List.of());
            default -> {
                try {
                    yield new WebhookHosts(List.of(one.text().split(",", -1)));
                } catch (IllegalArgumentException e) {
                    throw one.refused("names such as hooks.example.com,*.example.org, networks such as 10.0.0.0/8,"
                            + " any, or none");
                }
            }
        };
    }

    /** Where Redis is: an address that can be read as one. */
    Optional<String> redis() {
        Optional<String> uri = secret(Setting.REDIS, Setting.REDIS_FILE);
        uri.ifPresent(text -> {
            try {
                RedisStore.builder().uri(text);
            } catch (IllegalArgumentException e) {
                Given one = given.getOrDefault(Setting.REDIS, given.get(Setting.REDIS_FILE));
                throw Objects.requireNonNull(one)
                        .refused("redis://[[user]:password@]host[:port][/database], rediss://...,"
                                + " or redis-sentinel://host[:port][,host...]#master");
            }
        });
        return uri;
    }

    /** What is said itself, or stands in a file; a line break at the file's end does not belong to it. */
    Optional<String> secret(Setting itself, Setting inFile) {
        Optional<Path> file = path(inFile);
        if (file.isEmpty()) {
            return text(itself);
        }
        Given one = of(inFile);
        try {
            String secret = TextFile.read(file.get()).strip();
            if (secret.isEmpty() || secret.chars().anyMatch(Character::isISOControl)) {
                throw one.refused("a file with one line of text");
            }
            return Optional.of(secret);
        } catch (IOException e) {
            throw new SettingException(one.origin() + " " + file.get() + ": " + TextFile.reason(e)
                    + " (expected: a file that can be read)");
        }
    }

    private Given of(Setting setting) {
        return Objects.requireNonNull(given.get(setting), setting::key);
    }
}

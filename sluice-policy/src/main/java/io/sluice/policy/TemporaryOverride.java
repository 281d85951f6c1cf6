package io.sluice.policy;

import io.sluice.Limit;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Another limit for one key of a policy, for a while. It holds instead of the limit of the policy and of its overrides, and ends
 * by itself.
 *
 * @param policy the name of the policy
 * @param key the values, or networks, by the text of the key part
 * @param limit the limit of the key, while it holds
 * @param created when it began
 * @param expires when it ends
 * @param reason why, for people; null if nobody said
 */
public record TemporaryOverride(
        String policy,
        Map<String, String> key,
        Limit limit,
        Instant created,
        Instant expires,
        @Nullable String reason) {
    private static final int ID_BYTES = 8;

    public TemporaryOverride {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(limit, "limit");
        Objects.requireNonNull(created, "created");
        Objects.requireNonNull(expires, "expires");
        key = Collections.unmodifiableMap(new LinkedHashMap<>(key));
    }

    /** A short text for the policy and the key. */
    public String id() {
        StringBuilder text = new StringBuilder(JsonText.quoted(policy));
        new TreeMap<>(key)
                .forEach((part, value) ->
                        text.append(JsonText.quoted(part)).append(':').append(JsonText.quoted(value)));
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, ID_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether it has ended. */
    public boolean isOver(Instant now) {
        return !now.isBefore(expires);
    }
}

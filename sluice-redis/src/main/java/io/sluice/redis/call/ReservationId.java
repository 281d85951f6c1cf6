package io.sluice.redis.call;

import io.sluice.redis.script.Bytes;
import io.sluice.redis.script.KeyNames;
import io.sluice.redis.script.Reply;
import java.nio.charset.CharacterCodingException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/*
 * Whoever settles a reservation has to name all keys of the script call, and on a cluster their slots. So the id has the charges
 * of the request, and any process can settle it in one round trip. A client could change them. So the records in Redis have a
 * digest of the charges, and a call with another digest finds nothing.
 */
/** The id of a reservation that is kept in Redis: a random number, and the charges that are to be settled. */
public final class ReservationId {
    private static final int VERSION = 1;
    private static final int RANDOM_BYTES = 16;
    private static final int DIGEST_BYTES = 8;
    /** As a text in base64, it must fit into a request to settle it, of at most 64 KiB. */
    private static final int MOST_BYTES = 48_000;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final byte[] bytes;
    private final List<Reserved> charges;

    /**
     * A charge of a reservation.
     *
     * @param calls whether the limiter is a call limiter
     * @param limiter the name of the limiter, short if it is no call limiter
     * @param kept the permits that a policy keeps from the request
     */
    public record Reserved(boolean calls, String limiter, String key, long kept) {}

    private ReservationId(byte[] bytes, List<Reserved> charges) {
        this.bytes = bytes;
        this.charges = charges;
    }

    static ReservationId random(List<KeyCharge> charges) {
        byte[] random = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(random);
        Bytes bytes = new Bytes(64 + 64 * charges.size())
                .number(VERSION, 1)
                .text(random)
                .number(charges.size(), 2);
        List<Reserved> reserved = new ArrayList<>(charges.size());
        for (KeyCharge charge : charges) {
            boolean calls = charge.limiter().takesCallLimits();
            IdText.write(bytes.number(calls ? 1 : 0, 1), charge.limiter().idName());
            IdText.write(bytes, charge.key());
            bytes.number(charge.kept(), 7);
            reserved.add(new Reserved(calls, charge.limiter().idName(), charge.key(), charge.kept()));
        }
        byte[] id = bytes.toArray();
        if (id.length > MOST_BYTES) {
            throw new IllegalArgumentException(charges.size() + " charges, whose names and keys have " + id.length
                    + " bytes (expected: at most " + MOST_BYTES + " bytes in a reservation)");
        }
        return new ReservationId(id, reserved);
    }

    /**
     * Reads an id.
     *
     * @throws IllegalArgumentException if the text is not an id
     */
    public static ReservationId parse(String text) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text);
            if (bytes.length > MOST_BYTES) {
                throw malformed(null);
            }
            Reply reply = new Reply(bytes);
            if (reply.number(1) != VERSION) {
                throw malformed(null);
            }
            reply.text(RANDOM_BYTES);
            List<Reserved> charges = new ArrayList<>();
            for (long left = reply.number(2); left > 0; left--) {
                boolean calls = reply.number(1) == 1;
                String limiter = IdText.read(reply);
                String key = IdText.read(reply);
                charges.add(new Reserved(calls, limiter, key, reply.number(7)));
            }
            ReservationId id = new ReservationId(bytes, charges);
            // Base64 ignores some bits of the last character.
            if (charges.isEmpty() || !reply.isAtEnd() || !id.toString().equals(text)) {
                throw malformed(null);
            }
            return id;
        } catch (IndexOutOfBoundsException | IllegalArgumentException | CharacterCodingException e) {
            throw malformed(e);
        }
    }

    private static IllegalArgumentException malformed(@Nullable Exception cause) {
        return new IllegalArgumentException(
                "reservation: not the id of a reservation (expected: as the store returned it)", cause);
    }

    /** The charges, in the order in which they were decided. */
    public List<Reserved> charges() {
        return charges;
    }

    /** The record of this reservation on the slot of a key. */
    ReservationRecord record(byte[] firstKeyName, long ttlMicros) {
        String random =
                Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOfRange(bytes, 1, 1 + RANDOM_BYTES));
        return new ReservationRecord(KeyNames.reservation(firstKeyName, random), digest(), ttlMicros);
    }

    private byte[] digest() {
        try {
            return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(bytes), DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As a text, for {@link #parse}. */
    @Override
    public String toString() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}

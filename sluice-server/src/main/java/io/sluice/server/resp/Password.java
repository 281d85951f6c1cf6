package io.sluice.server.resp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** What clients have to show, if anything. The only user is {@code default}. */
final class Password {
    private static final String USER = "default";

    private final byte @Nullable [] expected;

    Password(@Nullable String expected) {
        this.expected = expected == null ? null : expected.getBytes(UTF_8);
    }

    /** {@code AUTH [user] password}. */
    void auth(RespConnection connection, Arguments in, Replies out) throws CommandException {
        if (in.count() == 2 && expected == null) {
            throw new CommandException(
                    "ERR AUTH <password> called without any password configured for the default user");
        }
        authenticate(connection.client, in, in.count() - 2);
        out.ok();
    }

    /** @param at where the user is, and the password behind; a 0 stands for the default user */
    void authenticate(Client client, Arguments in, int at) throws CommandException {
        boolean known = at == 0 || in.shown(at).equals(USER);
        // Compared in any case, so that the time tells nothing.
        boolean right = expected == null || MessageDigest.isEqual(expected, in.bytes(at + 1));
        if (!known || !right) {
            throw new CommandException("WRONGPASS invalid username-password pair or user is disabled.");
        }
        client.authenticate();
    }
}

package io.sluice.server.resp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.server.guard.AuthAttempts;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** What clients have to show, if anything. The only user is {@code default}. Wrong ones are answered ever later. */
final class Password {
    private static final String USER = "default";
    private static final String WRONG = "WRONGPASS invalid username-password pair or user is disabled.";
    private static final String TOO_MANY = "ERR too many wrong passwords from this address (expected: another try in "
            + AuthAttempts.retryAfter().toSeconds() + " s)";

    private final byte @Nullable [] expected;
    private final AuthAttempts attempts;

    Password(@Nullable String expected, AuthAttempts attempts) {
        this.expected = expected == null ? null : expected.getBytes(UTF_8);
        this.attempts = attempts;
    }

    int length() {
        return expected == null ? 0 : expected.length;
    }

    /** {@code AUTH [user] password}. */
    void auth(RespConnection connection, Arguments in, Replies out) throws CommandException {
        if (in.count() == 2 && expected == null) {
            throw new CommandException(
                    "ERR AUTH <password> called without any password configured for the default user");
        }
        if (isRight(connection, in, in.count() - 2)) {
            out.ok();
        }
    }

    /**
     * Whether it is right; if not, that is the reply, and comes later.
     *
     * @param at where the user is, and the password behind; a 0 stands for the default user
     * @throws CommandException if it is not even compared
     */
    boolean isRight(RespConnection connection, Arguments in, int at) throws CommandException {
        Client client = connection.client;
        boolean known = at == 0 || in.shown(at).equals(USER);
        if (expected == null) {
            if (!known) {
                throw new CommandException(WRONG);
            }
            return true;
        }
        if (!attempts.isOpen(client.host)) {
            connection.end();
            throw new CommandException(TOO_MANY);
        }
        // Compared in any case, so that the time tells nothing.
        boolean right = MessageDigest.isEqual(expected, in.bytes(at + 1));
        if (known && right) {
            attempts.right(client.host);
            client.authenticate();
            return true;
        }
        Later answer = connection.alone();
        if (!attempts.wrong(client.host, () -> answer.is(out -> out.error(WRONG)))) {
            connection.end();
            answer.is(out -> out.error(TOO_MANY));
        }
        return false;
    }
}

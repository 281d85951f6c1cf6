package io.sluice.server.resp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.server.guard.AuthAttempts;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** The password of RESP clients, if there is one. The only user is {@code default}. Replies to wrong passwords are delayed. */
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
    void auth(RespConnection connection, Arguments in, ReplyWriter out) throws CommandException {
        if (in.count() == 2 && expected == null) {
            throw new CommandException(
                    "ERR AUTH <password> called without any password configured for the default user");
        }
        if (authenticate(connection, in, in.count() - 2)) {
            out.ok();
        }
    }

    /**
     * Authenticates a client. If the password is wrong, returns false and sends an error, perhaps later.
     *
     * @param at the index of the user name, which the password follows; 0 is the default user
     * @throws CommandException if the password was not compared
     */
    boolean authenticate(RespConnection connection, Arguments in, int at) throws CommandException {
        ClientInfo client = connection.client;
        boolean userExists = at == 0 || in.display(at).equals(USER);
        if (expected == null) {
            if (!userExists) {
                throw new CommandException(WRONG);
            }
            return true;
        }
        if (!attempts.isAllowed(client.host)) {
            connection.finish();
            throw new CommandException(TOO_MANY);
        }
        // Compared in any case, so that the time does not reveal whether the user exists.
        boolean matches = MessageDigest.isEqual(expected, in.bytes(at + 1));
        if (userExists && matches) {
            attempts.recordSuccess(client.host);
            client.authenticate();
            return true;
        }
        PendingReply reply = connection.replyLaterExclusively();
        if (!attempts.recordFailure(client.host, () -> reply.complete(out -> out.error(WRONG)))) {
            connection.finish();
            reply.complete(out -> out.error(TOO_MANY));
        }
        return false;
    }
}

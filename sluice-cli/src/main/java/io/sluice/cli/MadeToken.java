package io.sluice.cli;

import io.sluice.server.ServerConfig;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A token for who started a server without one, where only this machine can reach it.
 *
 * @param config what the server is told, token included
 * @param shown the token if it was made; its owner sees it this once
 */
record MadeToken(ServerConfig config, @Nullable String shown) {
    private static final int BYTES = 32;

    static MadeToken ifNeeded(ServerConfig config) {
        if (config.adminToken() != null || !isLoopback(config.host())) {
            return new MadeToken(config, null);
        }
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        return new MadeToken(config.toBuilder().adminToken(token).build(), token);
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}

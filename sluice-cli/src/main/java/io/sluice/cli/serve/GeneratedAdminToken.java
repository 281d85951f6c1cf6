package io.sluice.cli.serve;

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
record GeneratedAdminToken(ServerConfig config, @Nullable String shown) {
    private static final int BYTES = 32;

    static GeneratedAdminToken ifNeeded(ServerConfig config) {
        if (config.adminToken() != null || !isLoopback(config.host())) {
            return new GeneratedAdminToken(config, null);
        }
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        return new GeneratedAdminToken(config.withAdminToken(token), token);
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}

package io.sluice.server.rls;

import org.junit.jupiter.api.Test;

class RlsReloadTest {
    @Test
    void calls_whileFilesAreReplaced_areDecidedByOneVersionAndChargedOnce() throws Exception {
        try (RlsTestServer served = RlsTestServer.by(ReloadedRules.version(0))) {
            ReloadedRules.requireChargedOnce(served);
        }
    }
}

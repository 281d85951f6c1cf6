package io.sluice.server.rls;

import io.sluice.policy.Policies;
import io.sluice.policy.envoy.EnvoyConfig;

class RlsDebtTest implements DebtContract {
    @Override
    public RlsTestServer serve(Policies policies) {
        return RlsTestServer.by(policies, null);
    }

    @Override
    public RlsTestServer serve(EnvoyConfig config) {
        return RlsTestServer.by(config);
    }
}

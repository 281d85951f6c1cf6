package io.sluice.spring.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.spring.NamedPolicies;
import io.sluice.spring.client.PartnerApi;
import io.sluice.spring.web.RequestScope;
import io.sluice.spring.web.RequestScope.Ending;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;

@Tag("slow")
class GatewayTest {
    private static final String[] POLICIES = {
        "spring.cloud.gateway.server.webflux.redis.enabled=false",
        "sluice.store=memory",
        "sluice.policies[0].name=per-tenant",
        "sluice.policies[0].key[0]=tenant",
        "sluice.policies[0].key[1]=route",
        "sluice.policies[0].limit=2/h",
        "sluice.policies[1].name=per-key",
        "sluice.policies[1].key=header.x-key",
        "sluice.policies[1].limit=2/h",
        "sluice.policies[2].name=per-user",
        "sluice.policies[2].key=user",
        "sluice.policies[2].limit=1/h",
        "sluice.policies[3].name=per-route",
        "sluice.policies[3].match.method=GET",
        "sluice.policies[3].key=route",
        "sluice.policies[3].limit=2/h",
        "sluice.policies[4].name=rest",
        "sluice.policies[4].match.path=/others/limited",
        "sluice.policies[4].key=ip",
        "sluice.policies[4].limit=1/h",
    };

    private static final List<String> ROUTES = List.of("""
            limited
            filters[0].name=RequestRateLimiter
            filters[0].args.sluice-rate-limiter.policy=per-tenant
            filters[0].args.sluice-rate-limiter.permits=2""", """
            named
            filters[0]=Sluice=per-key, per-user""", """
            args
            filters[0].name=Sluice
            filters[0].args.policies[0]=per-user
            filters[0].args.policies[1]=per-key
            filters[1]=Sluice""", """
            others
            filters[0]=Sluice""");

    private static final PartnerApi DOWNSTREAM = new PartnerApi();
    private static final GatewayApp GATEWAY = new GatewayApp(DOWNSTREAM.url(), ROUTES, POLICIES);

    @AfterAll
    static void stop() {
        GATEWAY.close();
        DOWNSTREAM.close();
    }

    @Test
    void requestRateLimiter_withOurLimiterOnly_decidesByKeyResolverAndRoute() throws Exception {
        assertThat(GATEWAY.context().getBeansOfType(RateLimiter.class)).containsOnlyKeys("sluiceRateLimiter");
        int before = DOWNSTREAM.requests();
        HttpResponse<String> first = GATEWAY.get("/limited/a", "X-Tenant", "acme");
        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.headers().firstValue("RateLimit"))
                .hasValueSatisfying(value -> assertThat(value).startsWith("\"per-tenant\";r=0"));
        HttpResponse<String> second = GATEWAY.get("/limited/a", "X-Tenant", "acme");
        assertThat(second.statusCode()).isEqualTo(429);
        assertThat(second.headers().firstValueAsLong("Retry-After")).isPresent();
        assertThat(GATEWAY.status("/limited/a", "X-Tenant", "other")).isEqualTo(200);
        assertThat(DOWNSTREAM.requests()).isEqualTo(before + 2);
    }

    @Test
    void filter_withNames_decidesByThese() throws Exception {
        int before = DOWNSTREAM.requests();
        HttpResponse<String> allowed = GATEWAY.get("/named/a", "X-Key", "k1");
        assertThat(allowed.statusCode()).isEqualTo(200);
        assertThat(allowed.body()).isEqualTo("from the API");
        assertThat(allowed.headers().firstValue("RateLimit"))
                .hasValueSatisfying(
                        value -> assertThat(value).startsWith("\"per-key\";r=1").doesNotContain("rest"));
        assertThat(GATEWAY.status("/named/a", "X-Key", "k1")).isEqualTo(200);
        HttpResponse<String> denied = GATEWAY.get("/named/a", "X-Key", "k1");
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("application/problem+json"));
        assertThat(denied.headers().firstValueAsLong("Retry-After")).isPresent();
        assertThat(denied.body()).contains("quota-exceeded").contains("\"per-key\"");
        assertThat(DOWNSTREAM.requests()).isEqualTo(before + 2);
    }

    @Test
    void filter_knowsTheUser() throws Exception {
        String ada = "Basic YWRhOnNlY3JldA==";
        assertThat(GATEWAY.status("/named/user", "Authorization", ada)).isEqualTo(200);
        assertThat(GATEWAY.status("/named/user", "Authorization", ada)).isEqualTo(429);
        assertThat(GATEWAY.status("/named/user")).isEqualTo(200);
    }

    @Test
    void filter_withoutNames_decidesByPoliciesThatNobodyNames() throws Exception {
        assertThat(GATEWAY.context().getBean(NamedPolicies.class).contains("per-key"))
                .isTrue();
        String[] key = {"X-Key", "k2", "X-Forwarded-For", "192.0.2.2"};
        for (int i = 0; i < 4; i++) {
            assertThat(GATEWAY.status("/others/free", key)).isEqualTo(200);
        }
        HttpResponse<String> allowed = GATEWAY.get("/others/limited", key);
        assertThat(allowed.statusCode()).isEqualTo(200);
        assertThat(allowed.headers().firstValue("RateLimit"))
                .hasValueSatisfying(
                        value -> assertThat(value).startsWith("\"rest\";r=0").doesNotContain("per-key"));
        assertThat(GATEWAY.status("/others/limited", key)).isEqualTo(429);
    }

    @Test
    void filters_withAndWithoutNames_decideOneAfterTheOther() throws Exception {
        String[] key = {"X-Key", "k3", "X-Forwarded-For", "192.0.2.3"};
        HttpResponse<String> allowed = GATEWAY.get("/args/a", key);
        assertThat(allowed.statusCode()).isEqualTo(200);
        assertThat(GATEWAY.status("/args/a", key)).isEqualTo(200);
        HttpResponse<String> denied = GATEWAY.get("/args/a", key);
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.body()).contains("per-key");
    }

    @Test
    void filter_withoutNames_doesNotChargeWhatIsDecidedAlready() throws Exception {
        String[] decided = {"X-Decided", "true", "X-Forwarded-For", "192.0.2.4"};
        for (int i = 0; i < 3; i++) {
            assertThat(GATEWAY.status("/others/limited", decided)).isEqualTo(200);
        }
        String[] decidedKey = {"X-Decided", "true", "X-Key", "k4"};
        assertThat(GATEWAY.status("/named/a", decidedKey)).isEqualTo(200);
        assertThat(GATEWAY.status("/named/a", decidedKey)).isEqualTo(200);
        assertThat(GATEWAY.status("/named/a", decidedKey)).isEqualTo(429);
    }

    @Test
    @SuppressWarnings("unchecked")
    void scope_endsWithTheExchange() throws Exception {
        BlockingQueue<RequestScope.End> ends = GATEWAY.context().getBean("ends", BlockingQueue.class);
        assertThat(GATEWAY.status("/java/a")).isEqualTo(200);
        assertThat(ends.take()).isEqualTo(new RequestScope.End(Ending.COMPLETED, 200, null));
        assertThat(GATEWAY.status("/broken")).isEqualTo(500);
        assertThat(ends.take()).satisfies(end -> {
            assertThat(end.ending()).isEqualTo(Ending.FAILED);
            assertThat(end.failure()).hasMessage("broken");
        });
        // One permit is left for each route.
        assertThat(GATEWAY.status("/java/b")).isEqualTo(200);
        assertThat(GATEWAY.status("/java/b")).isEqualTo(429);
        assertThat(GATEWAY.status("/broken")).isEqualTo(500);
        assertThat(GATEWAY.status("/broken")).isEqualTo(429);
    }
}

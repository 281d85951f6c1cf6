package io.sluice.server.admin;

import io.sluice.policy.PolicyEngine;
import io.sluice.policy.WebhookHosts;
import io.sluice.server.http.Routes;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;

/** The routes of the admin API. They need the admin token. */
public final class AdminRoutes implements AutoCloseable {
    private final PolicyRoutes policies;
    private final HistoryRoutes history;
    private final BucketRoutes buckets;
    private final TopRoute top;
    private final DecisionEvents events;

    /** @param hosts the hosts that alerts of uploaded policies may be posted to */
    public AdminRoutes(Vertx vertx, PolicyEngine engine, PolicyRepository repository, WebhookHosts hosts) {
        AuditLog audit = new AuditLog();
        PolicyChange change = new PolicyChange(vertx, repository, audit);
        policies = new PolicyRoutes(vertx, repository, change, hosts);
        history = new HistoryRoutes(vertx, repository, change, hosts);
        buckets = new BucketRoutes(engine, audit);
        top = new TopRoute(vertx, engine);
        events = new DecisionEvents(vertx, engine);
    }

    public void addTo(Routes routes) {
        routes.admin(HttpMethod.GET, "/v1/policies", policies::get)
                .admin(HttpMethod.PUT, "/v1/policies", policies::put)
                .admin(HttpMethod.GET, "/v1/policies/history", history::get)
                .admin(HttpMethod.POST, "/v1/policies/rollback", history::rollback)
                .admin(HttpMethod.POST, "/v1/inspect", buckets::inspect)
                .admin(HttpMethod.POST, "/v1/reset", buckets::reset)
                .admin(HttpMethod.GET, "/v1/top", top)
                .admin(HttpMethod.GET, "/v1/events", events);
    }

    /** Ends the event streams. */
    @Override
    public void close() {
        events.close();
    }
}

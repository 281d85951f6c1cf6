package io.sluice.server.admin;

import io.sluice.policy.PolicyEngine;
import io.sluice.policy.WebhookHosts;
import io.sluice.server.http.Routes;
import io.sluice.server.recording.Recording;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;

/** The routes of the admin API. They need the admin token, or a session of the dashboard. */
public final class AdminRoutes implements AutoCloseable {
    private final PolicyRoutes policies;
    private final HistoryRoutes history;
    private final BucketRoutes buckets;
    private final OverrideRoutes overrides;
    private final KeyRoute key;
    private final PreviewRoute preview;
    private final TopRoute top;
    private final DecisionEvents events;

    /**
     * Creates the routes.
     *
     * @param hosts the hosts that alerts of uploaded policies may be posted to
     * @param caller says from where a request came, for the audit log and the history
     */
    public AdminRoutes(
            Vertx vertx,
            PolicyEngine engine,
            PolicyRepository repository,
            OverrideRepository overrideRepository,
            EditionAuthors authors,
            Recording recording,
            WebhookHosts hosts,
            CallerAddress caller) {
        AuditLog audit = new AuditLog(caller);
        PolicyChange change = new PolicyChange(vertx, repository, audit, authors);
        policies = new PolicyRoutes(vertx, repository, change, hosts);
        history = new HistoryRoutes(vertx, repository, change, authors, hosts);
        buckets = new BucketRoutes(engine, audit);
        overrides = new OverrideRoutes(vertx, engine, overrideRepository, audit);
        key = new KeyRoute(engine, recording);
        preview = new PreviewRoute(vertx, repository, recording, hosts);
        top = new TopRoute(vertx, engine);
        events = new DecisionEvents(vertx, engine);
    }

    public void addTo(Routes routes) {
        routes.read(HttpMethod.GET, "/v1/policies", policies::get)
                .admin(HttpMethod.PUT, "/v1/policies", policies::put)
                .read(HttpMethod.GET, "/v1/policies/history", history::get)
                .admin(HttpMethod.POST, "/v1/policies/rollback", history::rollback)
                .read(HttpMethod.POST, "/v1/inspect", buckets::inspect)
                .admin(HttpMethod.POST, "/v1/reset", buckets::reset)
                .admin(HttpMethod.POST, "/v1/pause", buckets::pause)
                .read(HttpMethod.POST, "/v1/key", key)
                .admin(HttpMethod.POST, "/v1/policies:preview", preview)
                .read(HttpMethod.GET, "/v1/overrides", overrides::list)
                .admin(HttpMethod.PUT, "/v1/overrides", overrides::put)
                .admin(HttpMethod.DELETE, "/v1/overrides", overrides::delete)
                .read(HttpMethod.GET, "/v1/top", top)
                .admin(HttpMethod.GET, "/v1/events", events);
    }

    /** Ends the event streams. */
    @Override
    public void close() {
        events.close();
    }
}

package io.sluice.server;

/** Who may use the dashboard. */
public enum DashboardAccess {
    /** Who has signed in with the admin token. */
    TOKEN,
    /** Everybody may look; changes need the admin token. */
    READ_ONLY,
    /** Nobody: there is no dashboard. */
    OFF
}

package io.sluice.server.live;

import java.util.List;

/**
 * A tick of one replica, with what it says about itself.
 *
 * @param id the random id of the replica
 * @param name its address, for people
 * @param version the version of its program
 * @param alerts the alerts that fire there
 */
record ReplicaTick(String id, String name, String version, List<FiringAlert> alerts, Tick tick) {
    /**
     * An alert that fires.
     *
     * @param policy the policy that it watches; empty for all requests
     * @param since the time in ISO 8601
     */
    record FiringAlert(String alert, String policy, String condition, String since) {}
}

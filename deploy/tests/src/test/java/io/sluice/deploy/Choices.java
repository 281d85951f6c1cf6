package io.sluice.deploy;

import java.util.Map;
import java.util.Set;

/** The values that the API allows for a text. The models do not know them, so they stand here for the fields that are used. */
final class Choices {
    private static final Set<String> PROTOCOLS = Set.of("TCP", "UDP", "SCTP");
    private static final Set<String> SCHEMES = Set.of("HTTP", "HTTPS");

    private static final Map<String, Set<String>> ALL = Map.ofEntries(
            Map.entry("V1Container.imagePullPolicy", Set.of("Always", "IfNotPresent", "Never")),
            Map.entry("V1ContainerPort.protocol", PROTOCOLS),
            Map.entry("V1ServicePort.protocol", PROTOCOLS),
            Map.entry("V1NetworkPolicyPort.protocol", PROTOCOLS),
            Map.entry("V1HTTPGetAction.scheme", SCHEMES),
            Map.entry("V1ServiceSpec.type", Set.of("ClusterIP", "NodePort", "LoadBalancer", "ExternalName")),
            Map.entry("V1DeploymentStrategy.type", Set.of("Recreate", "RollingUpdate")),
            Map.entry("V1SeccompProfile.type", Set.of("RuntimeDefault", "Localhost", "Unconfined")),
            Map.entry("V1TopologySpreadConstraint.whenUnsatisfiable", Set.of("DoNotSchedule", "ScheduleAnyway")),
            Map.entry("V1Toleration.operator", Set.of("Exists", "Equal")),
            Map.entry("V1Toleration.effect", Set.of("NoSchedule", "PreferNoSchedule", "NoExecute")),
            Map.entry("V1NetworkPolicySpec.policyTypes", Set.of("Ingress", "Egress")),
            Map.entry(
                    "V1PersistentVolumeClaimSpec.accessModes",
                    Set.of("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod")),
            Map.entry("V2MetricSpec.type", Set.of("Resource", "ContainerResource", "Pods", "Object", "External")),
            Map.entry("V2MetricTarget.type", Set.of("Utilization", "Value", "AverageValue")));

    private Choices() {}

    /** The allowed values of a field, or none if any will do. */
    static Set<String> of(Class<?> model, String field) {
        return ALL.getOrDefault(model.getSimpleName() + "." + field, Set.of());
    }
}

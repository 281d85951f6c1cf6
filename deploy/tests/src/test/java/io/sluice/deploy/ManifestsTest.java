package io.sluice.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The plain manifests against the schema of the API. */
class ManifestsTest {
    static final Path DIRECTORY = Path.of("..", "kubernetes");

    /** Files that are no objects of the API: one is for kustomize, which makes a config map of the other. */
    private static final Set<String> OTHERS = Set.of("kustomization.yaml", "policies.yaml");

    static List<ApiObject> objects() throws IOException {
        List<ApiObject> objects = new ArrayList<>();
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            for (Path file : files.sorted().toList()) {
                if (!OTHERS.contains(file.getFileName().toString())) {
                    objects.addAll(ApiObject.read(Files.readString(file)));
                }
            }
        }
        return objects;
    }

    @Test
    void everyObject_isOneOfTheApi() throws IOException {
        List<ApiObject> objects = objects();
        assertThat(objects).extracting(ApiObject::toString).contains("Deployment sluice", "Service sluice-grpc");
        assertThat(objects)
                .allSatisfy(object -> assertThat(ApiSchema.problems(object))
                        .as(object.toString())
                        .isEmpty());
    }
}

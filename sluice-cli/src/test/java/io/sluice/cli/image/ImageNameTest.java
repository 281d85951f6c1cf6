package io.sluice.cli.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageNameTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sluice:1.0",
                "team/sluice:latest",
                "team_1/rate--limits/sluice:1",
                "localhost/sluice:1",
                "REGISTRY:5000/sluice:1",
                "registry.example.com:5000/team/sluice:1.0-SNAPSHOT"
            })
    void name_withATag_isParsedAndPrinted(String name) {
        assertThat(ImageName.parse(name)).hasToString(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "sluice",
                "Sluice:1",
                "Team/sluice:1",
                "team//sluice:1",
                "a..b:1",
                "team/-sluice:1",
                "registry.example.com:/sluice:1",
                "sluice:",
                ":1",
                "sluice:a b",
                "sluice:1/2",
                "/sluice:1"
            })
    void name_thatRegistriesRefuse_isRefused(String name) {
        assertThatThrownBy(() -> ImageName.parse(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("\"" + name + "\" (expected: a name and a tag, such as sluice:1.0)");
    }

    @Test
    void qualifiedName_hasTheRegistryOfDockerUnlessItNamesAnother() {
        assertThat(ImageName.parse("sluice:1").qualified()).isEqualTo("docker.io/library/sluice:1");
        assertThat(ImageName.parse("team/sluice:1").qualified()).isEqualTo("docker.io/team/sluice:1");
        assertThat(ImageName.parse("r.example/sluice:1").qualified()).isEqualTo("r.example/sluice:1");
        assertThat(ImageName.parse("localhost/sluice:1").qualified()).isEqualTo("localhost/sluice:1");
    }
}

package io.sluice.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.LettuceVersion;
import io.netty.util.Version;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The tests of this module run with the client that they are meant for, on the jar that users get. */
class OldClientIT {
    @Test
    void classPath_hasLettuce66AndNetty41_andNoOther() {
        assertThat(LettuceVersion.getVersion()).startsWith("6.6.");
        Map<String, Version> parts = Version.identify();
        assertThat(parts).containsKeys("netty-common", "netty-transport", "netty-handler");
        assertThat(parts.values())
                .allSatisfy(part -> assertThat(part.artifactVersion()).startsWith("4.1."));
    }
}

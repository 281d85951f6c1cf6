package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;

/** Tests that the tests run on the line of Spring Boot that the module says. */
class BootLineTest {
    @Test
    void springBoot_isOfTheLineOfTheModule() {
        String line = System.getProperty("sluice.test.boot");
        assertThat(line).isNotNull();
        assertThat(SpringBootVersion.getVersion()).startsWith(line + ".");
    }
}

package io.sluice.benchmarks.spring.resilience4j;

import io.sluice.benchmarks.spring.launch.AppLauncher;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application with rate limiters of resilience4j-spring-boot3. */
@SpringBootApplication
public class Resilience4jApp {
    public static void main(String... settings) {
        AppLauncher.run(Resilience4jApp.class, settings);
    }
}

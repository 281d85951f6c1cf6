package io.sluice.benchmarks.spring.bucket4j;

import io.sluice.benchmarks.spring.launch.AppLauncher;
import io.sluice.benchmarks.spring.mvc.ConstantController;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.context.annotation.Import;

/** The application with the filter of bucket4j-spring-boot-starter, and the cache that it needs. */
@SpringBootApplication
@EnableCaching
@Import(ConstantController.class)
public class Bucket4jApp {
    public static void main(String... settings) {
        AppLauncher.run(Bucket4jApp.class, settings);
    }
}

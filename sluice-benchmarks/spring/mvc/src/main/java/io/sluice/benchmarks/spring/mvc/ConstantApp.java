package io.sluice.benchmarks.spring.mvc;

import io.sluice.benchmarks.spring.launch.AppLauncher;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The application with the controller. What else is on the class path configures itself. */
@SpringBootApplication
public class ConstantApp {
    public static void main(String... settings) {
        AppLauncher.run(ConstantApp.class, settings);
    }
}

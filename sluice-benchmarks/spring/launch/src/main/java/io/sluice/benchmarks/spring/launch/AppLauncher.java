package io.sluice.benchmarks.spring.launch;

import java.io.IOException;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;

/** Runs an application in a process of the benchmark. Standard output tells its port. It ends with standard input. */
public final class AppLauncher {
    private AppLauncher() {}

    /** Starts an application on a free port and returns when it listens. */
    public static void run(Class<?> app, String... settings) {
        SpringApplication application = new SpringApplication(app);
        application.setBannerMode(Banner.Mode.OFF);
        application.addListeners(new PortReport());
        application.run(settings);
        Thread parent = new Thread(AppLauncher::endWithParent, "end of the benchmark");
        parent.setDaemon(true);
        parent.start();
    }

    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {
                // The benchmark writes nothing. It only ends.
            }
        } catch (IOException e) {
            // The pipe is broken: the benchmark has ended too.
        }
        Runtime.getRuntime().halt(0);
    }

    private static final class PortReport implements ApplicationListener<WebServerInitializedEvent> {
        @Override
        public void onApplicationEvent(WebServerInitializedEvent event) {
            System.out.println(
                    "listening on http://127.0.0.1:" + event.getWebServer().getPort());
        }
    }
}

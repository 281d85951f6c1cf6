package io.sluice.benchmarks.spring;

import io.sluice.benchmarks.load.Case;
import io.sluice.benchmarks.load.Contestant;
import java.io.IOException;
import java.util.List;

/** Starts the applications with the controller that returns a constant. */
final class MvcContestants implements AutoCloseable {
    static final String NAME = "mvc-3-policies";
    static final String BARE = "no limiter";

    private static final String PATH = "/constant";
    private static final int KEYS = 1000;

    private final Parts parts = new Parts();
    private final AppDirectory apps;
    private final Case contest;

    MvcContestants(AppDirectory apps) throws IOException, InterruptedException {
        this.apps = apps;
        try {
            GetCalls calls = parts.open(new GetCalls(PATH, KEYS));
            AppProcess bare = start("mvc", "mvc.ConstantApp").expectHeader(PATH, "Date");
            AppProcess sluice = start("mvc-sluice", "mvc.ConstantApp").expectHeader(PATH, "RateLimit");
            AppProcess bucket4j =
                    start("mvc-bucket4j", "bucket4j.Bucket4jApp").expectHeader(PATH, "X-Rate-Limit-Remaining");
            // Its limiters write no header.
            AppProcess resilience4j =
                    start("mvc-resilience4j", "resilience4j.Resilience4jApp").expectHeader(PATH, "Date");
            contest = new Case(
                    NAME,
                    contestant("Sluice", calls, sluice),
                    List.of(
                            contestant(BARE, calls, bare),
                            contestant("bucket4j starter", calls, bucket4j),
                            contestant("resilience4j", calls, resilience4j)));
        } catch (IOException | InterruptedException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private AppProcess start(String app, String main) throws IOException {
        return parts.open(AppProcess.start(apps, app, main, List.of()));
    }

    private static Contestant contestant(String who, GetCalls calls, AppProcess app) {
        return new Contestant(who, "MVC", calls.load(app.port()));
    }

    Case toCase() {
        return contest;
    }

    @Override
    public void close() {
        parts.close();
    }
}

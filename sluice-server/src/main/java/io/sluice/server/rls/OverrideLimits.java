package io.sluice.server.rls;

import io.sluice.Charge;
import io.sluice.Limit;
import io.sluice.RateLimiter;
import io.sluice.server.rls.proto.RateLimitDescriptor;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The limits that come with descriptors, each on a bucket of its domain and entries. */
final class OverrideLimits {
    private final Function<Limit, ? extends CompletionStage<RateLimiter>> limiters;

    /** @param limiters who enforces a limit; fails with {@link IllegalStateException} if there are too many */
    OverrideLimits(Function<Limit, ? extends CompletionStage<RateLimiter>> limiters) {
        this.limiters = limiters;
    }

    /** What to charge; all lists are of one length. Known at once, if all limits are. */
    Future<List<Charge>> charges(List<Limit> limits, List<String> keys, List<Long> hits) {
        List<CompletableFuture<RateLimiter>> asked = limits.stream()
                .map(limit -> limiters.apply(limit).toCompletableFuture())
                .toList();
        CompletableFuture<List<Charge>> charges = CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenApply(unused -> {
                    List<Charge> made = new ArrayList<>(asked.size());
                    for (int i = 0; i < asked.size(); i++) {
                        made.add(asked.get(i).join().charge(keys.get(i), hits.get(i)));
                    }
                    return made;
                });
        Context context = Vertx.currentContext();
        return Future.fromCompletionStage(charges, context).recover(OverrideLimits::refused);
    }

    private static Future<List<Charge>> refused(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return Future.failedFuture(
                cause instanceof IllegalStateException
                        ? new GrpcException(GrpcStatus.RESOURCE_EXHAUSTED, String.valueOf(cause.getMessage()))
                        : cause);
    }

    /** No two descriptors share it that are not the same: each text says its length. */
    static String key(String domain, RateLimitDescriptor descriptor) {
        StringBuilder key = new StringBuilder();
        append(key, domain);
        for (RateLimitDescriptor.Entry entry : descriptor.getEntriesList()) {
            append(key, entry.getKey());
            append(key, entry.getValue());
        }
        return key.toString();
    }

    private static void append(StringBuilder key, String text) {
        key.append(text.length()).append(':').append(text);
    }
}

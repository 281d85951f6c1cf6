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
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/*
 * A descriptor whose limit changes its number goes on counting: what it used is carried over before the call is decided. The
 * unit is part of the key, so that one that comes with a limit per minute and one per hour is counted under both. Calls that
 * are under way while the number changes may count under the one they came with.
 */
/** The limits that come with descriptors, each on a bucket of its domain, entries and unit. */
final class OverrideLimits {
    private final BiFunction<String, Limit, ? extends CompletionStage<RateLimiter>> limiters;

    /** @param limiters who enforces a limit on a key; fails with {@link IllegalStateException} if there are too many */
    OverrideLimits(BiFunction<String, Limit, ? extends CompletionStage<RateLimiter>> limiters) {
        this.limiters = limiters;
    }

    /** What to charge; all lists are of one length. Known at once, if all limits are. */
    Future<List<Charge>> charges(List<Limit> limits, List<String> keys, List<Long> hits) {
        List<CompletableFuture<RateLimiter>> asked = IntStream.range(0, limits.size())
                .mapToObj(i -> limiters.apply(keys.get(i), limits.get(i)).toCompletableFuture())
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
        key.append(descriptor.getLimit().getUnitValue()).append(' ');
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

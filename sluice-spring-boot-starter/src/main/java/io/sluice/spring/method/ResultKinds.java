package io.sluice.spring.method;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.util.function.SingletonSupplier;

/** The kinds of results: asynchronous ones, and all others. */
final class ResultKinds {
    private final SingletonSupplier<List<ResultKind>> asynchronous;
    private final ResultKind others;

    ResultKinds(Supplier<Stream<ResultKind>> asynchronous, ResultKind others) {
        this.asynchronous = SingletonSupplier.of(() -> asynchronous.get().toList());
        this.others = others;
    }

    /** The kind of a method, by its return type. */
    ResultKind of(AnnotatedMethod method) {
        Class<?> type = method.method().getReturnType();
        for (ResultKind kind : asynchronous.obtain()) {
            if (kind.handles(type)) {
                return kind;
            }
        }
        if (CompletionStage.class.isAssignableFrom(type) || isPublisher(type)) {
            throw method.refuse(
                    "the method returns " + type.getName()
                            + " (expected: CompletionStage, CompletableFuture, Mono, Flux, or a result that is not"
                            + " asynchronous)",
                    "Change the return type.");
        }
        return others;
    }

    /** Without the class itself, which an application may not have. */
    private static boolean isPublisher(Class<?> type) {
        if (type.getName().equals("org.reactivestreams.Publisher")) {
            return true;
        }
        for (Class<?> above : type.getInterfaces()) {
            if (isPublisher(above)) {
                return true;
            }
        }
        Class<?> superclass = type.getSuperclass();
        return superclass != null && isPublisher(superclass);
    }
}

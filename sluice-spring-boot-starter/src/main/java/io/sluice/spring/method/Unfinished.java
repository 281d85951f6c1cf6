package io.sluice.spring.method;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpEntity;
import org.springframework.util.ClassUtils;

/** Results with which Spring MVC goes on after the method has returned. */
final class Unfinished {
    private static final ClassLoader LOADER = Unfinished.class.getClassLoader();
    private static final boolean HAS_ENTITIES = ClassUtils.isPresent("org.springframework.http.HttpEntity", LOADER);

    /** An application that has no Spring MVC does not have these classes. */
    private static final List<Class<?>> TYPES = Stream.of(
                    "org.springframework.web.context.request.async.DeferredResult",
                    "org.springframework.web.context.request.async.WebAsyncTask",
                    "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
                    "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody")
            .filter(name -> ClassUtils.isPresent(name, LOADER))
            .<Class<?>>map(name -> ClassUtils.resolveClassName(name, LOADER))
            .toList();

    private Unfinished() {}

    /** Whether the work of a method goes on, until the response is done. */
    static boolean is(@Nullable Object result) {
        Object work = HAS_ENTITIES ? Entities.body(result) : result;
        return work instanceof Callable<?> || TYPES.stream().anyMatch(type -> type.isInstance(work));
    }

    /** Its own class, because an application may have no HTTP. */
    private static final class Entities {
        static @Nullable Object body(@Nullable Object result) {
            return result instanceof HttpEntity<?> entity ? entity.getBody() : result;
        }
    }
}

package io.sluice.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Limits the calls of a method, by a policy or by a limit of its own. A call that is denied does not reach the method: it throws
 * {@link io.sluice.RateLimitedException}, or the fallback answers it. If the exception leaves a controller, the response is 429.
 *
 * <pre>{@code
 * @RateLimited("per-user")
 * Report report(String id) { ... }
 *
 * @RateLimited(limit = "10/s burst 20", key = "#userId", permits = "#batch.size()", fallback = "cached")
 * List<Quote> quotes(String userId, List<String> batch) { ... }
 *
 * @Scheduled(fixedDelay = 1000)
 * @RateLimited(limit = "2/s", maxWait = "5s")
 * void callPartner() { ... }
 * }</pre>
 *
 * <p>On a class, it is as if every public method had it, except those that have their own, those with the
 * name of the fallback, and final methods of superclasses. Each method has its own permits, unless {@link #name} is set or a policy is named.
 * It can be put on another annotation, whose attributes may override it with {@link AliasFor}.
 *
 * <p>A method that returns a {@code CompletionStage} or {@code CompletableFuture} is not blocked: its result waits, and fails if the
 * call is denied. A {@code Mono} or {@code Flux} is decided at each subscription. All other methods are decided on the thread of the
 * caller, before transactions, caches and retries. With {@code @Async}, that is the thread that runs the method. If a policy or limit gives a {@linkplain io.sluice.LeakyBucket delay}, the call
 * waits for it. That is at most the time in which the bucket drains.
 *
 * <p>With a {@linkplain io.sluice.Concurrency concurrency} limit, a call holds a permit until it ends: until the method returns or throws, until its
 * stage completes, or until its {@code Mono} or {@code Flux} completes, fails or is cancelled. If Spring MVC goes on with the result, as with
 * a {@code StreamingResponseBody}, that is the end of the response.
 *
 * <p>Only calls through the bean are limited. A call from one method of an object to another method of the same object is not.
 * Mistakes in the annotation fail the start of the application.
 *
 * <p>{@link #policy}, {@link #limit}, {@link #name}, {@link #key}, {@link #permits} and {@link #maxWait} may contain placeholders
 * such as <code>${orders.limit}</code>.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface RateLimited {
    /** The name of a policy. The same as {@link #policy}. */
    @AliasFor("policy")
    String value() default "";

    /**
     * The name of a policy. Its match, overrides and mode apply as always. The attributes are those of the HTTP request that is being
     * answered, if there is one, and {@link #key}. The filters for HTTP requests leave this policy out, because it is charged here.
     */
    @AliasFor("value")
    String policy() default "";

    /** A limit instead of a policy, such as {@code 10/s burst 20}. If a new version of the application changes it, keys keep their use. */
    String limit() default "";

    /**
     * The name of the limiter for {@link #limit}. Methods with the same name share the permits, and must have the same limit. The
     * default is the class and the method, such as {@code Orders.create}; then beans of the same class share the permits.
     */
    String name() default "";

    /**
     * The key, an expression (SpEL). It can use the parameters by name, {@code #userId}, or by index, {@code #p0}; {@code
     * #root.target}, {@code #root.method} and {@code #root.args}; and beans, {@code @tenants.current()}.
     *
     * <p>For a policy, it is the value of the only attribute of the policy's key. A map has attributes by name, such as {@code {tenant:
     * #tenant, user: #user}}. For a limit, it is any value, or a list of values such as {@code {#tenant, #user}}. Without it, all calls
     * have the same key.
     *
     * <p>Null means that the call has no key: it is not limited, as with every policy whose key a request does not have.
     */
    String key() default "";

    /** How many permits a call takes, an expression (SpEL) such as {@code #batch.size()}. The default is 1. */
    String permits() default "";

    /**
     * The maximum time that a call waits for permits, such as {@code 2s}. It is denied at once if that is certainly too short. Without
     * it, a call is denied if the permits are not free.
     */
    String maxWait() default "";

    /**
     * The name of the method of the same class that answers a call that is denied. It has the same parameters, or the same and a last
     * {@link io.sluice.RateLimitedException}, or only that. It may be private.
     */
    String fallback() default "";
}

package io.sluice.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.RateLimitedException;
import io.sluice.policy.Policies;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyEngine;
import io.sluice.spring.DecisionObserver;
import io.sluice.spring.NamedPolicies;
import io.sluice.spring.RateLimited;
import io.sluice.testkit.ManualTime;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.annotation.AliasFor;

@ExtendWith(OutputCaptureExtension.class)
class RateLimitedTest {
    private final ManualTime time = new ManualTime();
    private final ApplicationContextRunner runner = MethodContexts.at(time);

    /** Public, because a proxy in another class loader extends it. */
    public static class Orders {
        int calls;

        @RateLimited("per-user")
        public void ofRequest() {}

        @RateLimited(policy = "per-user", key = "#userId")
        public String order(@Nullable String userId) {
            calls++;
            return "order of " + userId;
        }

        @RateLimited(policy = "per-user", key = "{user: #p0}", permits = "#batch.size()")
        public void orderAll(String userId, List<String> batch) {}

        @RateLimited(policy = "per-user", key = "#userId")
        public CompletableFuture<String> orderLater(String userId) {
            return CompletableFuture.completedFuture("order of " + userId);
        }

        public String orderInside(String userId) {
            return order(userId);
        }
    }

    private ApplicationContextRunner orders() {
        return runner.withBean(Orders.class).withPropertyValues(MethodContexts.policy("per-user", "user", "2/min"));
    }

    @Test
    void policy_whenUsedUp_deniesTheKey() {
        orders().run(context -> {
            Orders orders = context.getBean(Orders.class);
            assertThat(orders.order("ada")).isEqualTo("order of ada");
            orders.order("ada");
            RateLimitedException denial = catchThrowableOfType(RateLimitedException.class, () -> orders.order("ada"));
            assertThat(denial.limiter()).isEqualTo("per-user");
            assertThat(denial.key()).isEqualTo("ada");
            assertThat(denial.retryAfter()).isEqualTo(Duration.ofSeconds(30));
            orders.order("bob");
            time.advance(Duration.ofSeconds(30));
            orders.order("ada");
        });
    }

    @Test
    void policy_keyIsNull_isNotCharged() {
        orders().run(context -> {
            Orders orders = context.getBean(Orders.class);
            for (int i = 0; i < 5; i++) {
                orders.order(null);
                orders.ofRequest();
            }
        });
    }

    /** Without a request, the policy does not limit. Nobody would notice. */
    @Test
    void policy_needsARequestThatIsNotThere_isAWarningOnce(CapturedOutput output) {
        orders().run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.order(null);
            orders.orderAll("ada", List.of());
            assertThat(output).doesNotContain("answers no HTTP request");
            orders.ofRequest();
            orders.ofRequest();
            assertThat(output)
                    .containsOnlyOnce("answers no HTTP request")
                    .contains("RateLimitedTest$Orders.ofRequest() was called")
                    .contains("because it needs user.");
        });
    }

    @Test
    void policy_mapKeyAndPermits_areCharged() {
        orders().run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.orderAll("ada", List.of("a", "b"));
            assertThatThrownBy(() -> orders.order("ada")).isInstanceOf(RateLimitedException.class);
            assertThatThrownBy(() -> orders.orderAll("bob", List.of("a", "b", "c")))
                    .isInstanceOf(RateLimitedException.class)
                    .hasMessageContaining("3 permits");
            orders.orderAll("bob", List.of("a", "b"));
        });
    }

    @Test
    void policy_thatIsNamed_isLeftToTheMethod() {
        orders().run(context -> assertThat(context.getBean(NamedPolicies.class).contains("per-user"))
                .isTrue());
    }

    @Test
    void policy_thatDisappears_limitsNoMore() {
        orders().run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.order("ada");
            orders.order("ada");
            PolicyEngine engine = context.getBean(PolicyEngine.class);
            Policies before = engine.policies();
            engine.replace(new Policies(List.of(), List.of(), List.of()));
            orders.order("ada");
            engine.replace(before);
            assertThatThrownBy(() -> orders.order("ada")).isInstanceOf(RateLimitedException.class);
        });
    }

    @Test
    void selfInvocation_isNotLimited() {
        orders().run(context -> {
            Orders orders = context.getBean(Orders.class);
            for (int i = 0; i < 5; i++) {
                orders.orderInside("ada");
            }
        });
    }

    @Test
    void disabled_callsMethodsAsTheyAre() {
        for (String setting : List.of("sluice.enabled=false", "sluice.methods.enabled=false")) {
            orders().withPropertyValues(setting).run(context -> {
                Orders orders = context.getBean(Orders.class);
                assertThat(AopUtils.isAopProxy(orders)).isFalse();
            });
        }
    }

    @Test
    void withoutWebAndReactor_limits() {
        orders().withClassLoader(new FilteredClassLoader(
                        "org.springframework.web", "reactor", "org.reactivestreams", "jakarta.servlet", "io.lettuce"))
                .run(context -> {
                    Orders orders = context.getBean(Orders.class);
                    orders.orderAll("ada", List.of("a", "b"));
                    assertThatThrownBy(() -> orders.order("ada")).isInstanceOf(RateLimitedException.class);
                });
    }

    static final class Recorder implements DecisionObserver {
        final List<String> seen = new ArrayList<>();

        @Override
        public PolicyDecision observe(String surface, Supplier<PolicyDecision> decision) {
            PolicyDecision made = decision.get();
            seen.add(surface + " " + made.allowed());
            return made;
        }

        @Override
        public CompletionStage<PolicyDecision> observeAsync(
                String surface, Supplier<CompletionStage<PolicyDecision>> decision) {
            seen.add(surface + " async");
            return decision.get();
        }
    }

    @Test
    void decision_ofPolicy_isObserved() {
        Recorder recorder = new Recorder();
        // The bean of the application replaces that of the starter.
        orders().withBean(DecisionObserver.class, () -> recorder).run(context -> {
            Orders orders = context.getBean(Orders.class);
            orders.order("ada");
            assertThat(orders.orderLater("ada")).isCompletedWithValue("order of ada");
            assertThat(recorder.seen).containsExactly("method true", "method async");
        });
    }

    static class Tenants {
        public String current() {
            return "acme";
        }
    }

    static class Quotes {
        @RateLimited(limit = "${quotes.limit:1/min}", key = "#user")
        public void byUser(@Nullable String user) {}

        @RateLimited(limit = "1/min", key = "{#tenant, #user}")
        public void byBoth(String tenant, String user) {}

        @RateLimited(limit = "1/min", key = "@tenants.current() + #root.args[0] + #root.method.name")
        public void byBean(String user) {}

        @RateLimited(limit = "1/min")
        public void overloaded(String text) {}

        @RateLimited(limit = "1/min")
        public void overloaded(int number) {}

        @RateLimited(limit = "1/min", name = "shared")
        public void first() {}

        @RateLimited(limit = "1/min", name = "shared")
        public void second() {}

        @RateLimited(limit = "3/min", permits = "#n")
        public void permits(Object n) {}
    }

    private ApplicationContextRunner quotes() {
        return runner.withBean("tenants", Tenants.class).withBean(Quotes.class);
    }

    @Test
    void limit_eachKey_hasItsOwnPermits() {
        quotes().run(context -> {
            Quotes quotes = context.getBean(Quotes.class);
            quotes.byUser("ada");
            quotes.byUser("bob");
            RateLimitedException denial = catchThrowableOfType(RateLimitedException.class, () -> quotes.byUser("ada"));
            assertThat(denial.limiter()).isEqualTo("RateLimitedTest.Quotes.byUser");
            assertThat(denial.key()).isEqualTo("ada");
        });
    }

    @Test
    void limit_keyIsNull_isNotCharged() {
        quotes().run(context -> {
            Quotes quotes = context.getBean(Quotes.class);
            for (int i = 0; i < 3; i++) {
                quotes.byUser(null);
            }
            quotes.byUser("null");
            assertThatThrownBy(() -> quotes.byUser("null")).isInstanceOf(RateLimitedException.class);
        });
    }

    @Test
    void limit_placeholder_isResolved() {
        quotes().withPropertyValues("quotes.limit=2/min").run(context -> {
            Quotes quotes = context.getBean(Quotes.class);
            quotes.byUser("ada");
            quotes.byUser("ada");
            assertThatThrownBy(() -> quotes.byUser("ada")).isInstanceOf(RateLimitedException.class);
        });
    }

    @Test
    void limit_listAsKey_isNotAmbiguous() {
        quotes().run(context -> {
            Quotes quotes = context.getBean(Quotes.class);
            quotes.byBoth("a,b", "c");
            quotes.byBoth("a", "b,c");
            quotes.byBoth("a\\", "b,c");
            assertThatThrownBy(() -> quotes.byBoth("a", "b,c")).isInstanceOf(RateLimitedException.class);
        });
    }

    @Test
    void limit_expressionWithBeanAndRoot_isTheKey() {
        quotes().run(context -> {
            Quotes quotes = context.getBean(Quotes.class);
            quotes.byBean("-ada-");
            assertThatThrownBy(() -> quotes.byBean("-ada-")).hasMessageContaining("\"acme-ada-byBean\"");
        });
    }

    @Test
    void limit_overloads_areApart_andSharedNamesTogether() {
        quotes().run(context -> {
            Quotes quotes = context.getBean(Quotes.class);
            quotes.overloaded("a");
            quotes.overloaded(1);
            assertThatThrownBy(() -> quotes.overloaded(1)).hasMessageContaining("Quotes.overloaded(int)");
            quotes.first();
            assertThatThrownBy(quotes::second).isInstanceOf(RateLimitedException.class);
        });
    }

    @Test
    void permits_notANumber_failsTheCall() {
        quotes().run(context -> {
            Quotes quotes = context.getBean(Quotes.class);
            quotes.permits(2L);
            assertThatThrownBy(() -> quotes.permits(-1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Quotes.permits(Object)")
                    .hasMessageContaining("-1");
            assertThatThrownBy(() -> quotes.permits("two")).isInstanceOf(IllegalArgumentException.class);
            quotes.permits(1);
            assertThatThrownBy(() -> quotes.permits(1)).isInstanceOf(RateLimitedException.class);
        });
    }

    static class Above {
        public final void cannotBeLimited() {}
    }

    @RateLimited(limit = "1/min", key = "#p0", fallback = "busy")
    static class Whole extends Above {
        public String one(String user) {
            return "one";
        }

        @RateLimited(limit = "2/min")
        public String own(String user) {
            return "own";
        }

        public String busy(String user) {
            return "busy " + user;
        }

        String notPublic() {
            return "not public";
        }
    }

    @Test
    void classLevel_limitsPublicMethods_andMethodsOverrideIt() {
        runner.withBean(Whole.class).run(context -> {
            Whole whole = context.getBean(Whole.class);
            assertThat(whole.one("ada")).isEqualTo("one");
            assertThat(whole.one("ada")).isEqualTo("busy ada");
            assertThat(whole.one("bob")).isEqualTo("one");
            whole.own("ada");
            whole.own("bob");
            assertThatThrownBy(() -> whole.own("eve")).isInstanceOf(RateLimitedException.class);
            assertThat(whole.busy("ada")).isEqualTo("busy ada");
            assertThat(whole.busy("ada")).isEqualTo("busy ada");
            whole.notPublic();
            whole.cannotBeLimited();
        });
    }

    @Retention(RetentionPolicy.RUNTIME)
    @RateLimited(limit = "1/min", key = "#p0")
    @interface PerUser {
        @AliasFor(annotation = RateLimited.class, attribute = "limit")
        String value() default "1/min";
    }

    static class Composed {
        @PerUser
        public void one(String user) {}

        @PerUser("2/min")
        public void two(String user) {}
    }

    @Test
    void metaAnnotation_withOverride_limits() {
        runner.withBean(Composed.class).run(context -> {
            Composed composed = context.getBean(Composed.class);
            composed.one("ada");
            assertThatThrownBy(() -> composed.one("ada")).isInstanceOf(RateLimitedException.class);
            composed.two("ada");
            composed.two("ada");
            assertThatThrownBy(() -> composed.two("ada")).isInstanceOf(RateLimitedException.class);
        });
    }

    @SuppressWarnings("UnusedMethod") // Found by its name or its annotation.
    static class Fallbacks {
        @RateLimited(limit = "blocked", fallback = "same")
        public Number sameParameters(String user, int n) {
            throw new AssertionError();
        }

        private Integer same(String user, int n) {
            return user.length() + n;
        }

        @RateLimited(limit = "blocked", fallback = "both")
        public String withDenial(String user) {
            throw new AssertionError();
        }

        private static String both(String user, RateLimitedException denial) {
            return user + " " + denial.decision().never();
        }

        @RateLimited(limit = "blocked", fallback = "only")
        public void onlyDenial(String user) {
            throw new AssertionError();
        }

        private void only(RateLimitedException denial) throws Exception {
            throw new IllegalStateException(denial.limiter());
        }
    }

    @Test
    void fallback_ofEachShape_answers() {
        runner.withBean(Fallbacks.class).run(context -> {
            Fallbacks fallbacks = context.getBean(Fallbacks.class);
            assertThat(fallbacks.sameParameters("ada", 2)).isEqualTo(5);
            assertThat(fallbacks.withDenial("ada")).isEqualTo("ada true");
            assertThatThrownBy(() -> fallbacks.onlyDenial("ada"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("RateLimitedTest.Fallbacks.onlyDenial");
        });
    }

    interface Partner {
        @RateLimited(limit = "1/min", key = "#p0")
        String ask(String question);
    }

    @Test
    void interfaceMethod_ofAProxy_isLimited() {
        Partner proxy = (Partner) java.lang.reflect.Proxy.newProxyInstance(
                Partner.class.getClassLoader(), new Class<?>[] {Partner.class}, (self, method, args) -> "answer");
        runner.withBean(Partner.class, () -> proxy).run(context -> {
            Partner partner = context.getBean(Partner.class);
            assertThat(partner.ask("a")).isEqualTo("answer");
            assertThatThrownBy(() -> partner.ask("a")).hasMessageContaining("RateLimitedTest.Partner.ask");
        });
    }

    @Test
    void policyWithSeveralKeyParts_oneValue_failsTheCall() {
        runner.withBean(Untyped.class)
                .withPropertyValues(MethodContexts.policy("per-user", "tenant", "2/min", "user"))
                .run(context -> {
                    Untyped untyped = context.getBean(Untyped.class);
                    untyped.call(Map.of("tenant", "acme", "user", "ada"));
                    assertThatThrownBy(() -> untyped.call("ada"))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("Untyped.call(Object)")
                            .hasMessageContaining("[tenant, user]");
                });
    }

    /** Each object would be a key of its own, and no call would ever be denied. */
    @Test
    void keyWithoutText_failsTheCall_andArraysAreTheirValues() {
        runner.withBean(Untyped.class)
                .withPropertyValues(MethodContexts.policy("per-user", "user", "1/min"))
                .run(context -> {
                    Untyped untyped = context.getBean(Untyped.class);
                    assertThatThrownBy(() -> untyped.call(new Untyped()))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("Untyped.call(Object): key")
                            .hasMessageContaining("toString()");
                    untyped.call(new int[] {1, 2});
                    assertThatThrownBy(() -> untyped.call(new int[] {1, 2})).isInstanceOf(RateLimitedException.class);
                });
    }

    static class Untyped {
        @RateLimited(policy = "per-user", key = "#key")
        public void call(Object key) {}
    }
}

package io.sluice.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.spring.NamedPolicies;
import io.sluice.spring.RateLimited;
import io.sluice.spring.SluiceSettingsException;
import io.sluice.testkit.ManualTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class RateLimitedStartTest {
    private final ApplicationContextRunner runner = MethodContexts.at(new ManualTime())
            .withPropertyValues(MethodContexts.policy("per-user", "tenant", "2/min", "user"));

    private void assertRefused(Class<?> bean, String... expected) {
        runner.withBean(bean).run(context -> {
            assertThat(context).hasFailed();
            Throwable cause = context.getStartupFailure();
            while (!(cause instanceof SluiceSettingsException) && cause.getCause() != null) {
                cause = cause.getCause();
            }
            assertThat(cause)
                    .isInstanceOf(SluiceSettingsException.class)
                    .hasMessageContaining(bean.getSimpleName() + ".m(");
            String all = cause.getMessage() + " / " + ((SluiceSettingsException) cause).action();
            assertThat(all).contains(expected);
        });
    }

    static class Unknown {
        @RateLimited("per-usr")
        public void m() {}
    }

    static class Both {
        @RateLimited(policy = "per-user", limit = "1/s")
        public void m() {}
    }

    static class Neither {
        @RateLimited(key = "#p0")
        public void m(String a) {}
    }

    static class NameOfPolicy {
        @RateLimited(policy = "per-user", name = "x")
        public void m() {}
    }

    @Test
    void policy_unknown_isRefusedWithTheNearest() {
        assertRefused(Unknown.class, "\"per-usr\"", "one of per-user", "Did you mean \"per-user\"?");
    }

    @Test
    void policyAndLimit_bothOrNeither_areRefused() {
        assertRefused(Both.class, "policy \"per-user\" and limit \"1/s\"");
        assertRefused(Neither.class, "neither a policy nor a limit");
        assertRefused(NameOfPolicy.class, "name only with limit");
    }

    /** The start tells, and not the first call. */
    @Test
    void policy_unknownInABeanThatDoesNotExistYet_isRefusedAtTheStart() {
        for (String scope : List.of("singleton", "prototype")) {
            runner.withBean(Unknown.class, Unknown::new, definition -> {
                        definition.setLazyInit(true);
                        definition.setScope(scope);
                    })
                    .run(context ->
                            assertThat(context.getStartupFailure()).isInstanceOf(SluiceSettingsException.class));
        }
    }

    static class Known {
        @RateLimited(policy = "per-user", key = "{tenant: 'a', user: 'b'}")
        public void m() {}
    }

    /** Otherwise the filters would charge the policy too, until somebody needs the bean. */
    @Test
    void policy_ofALazyBean_isNamedFromTheStart() {
        runner.withBean(Known.class, Known::new, definition -> definition.setLazyInit(true))
                .run(context -> {
                    assertThat(context.getBean(NamedPolicies.class).contains("per-user"))
                            .isTrue();
                    assertThat(context.getBeanFactory().containsSingleton("known"))
                            .isFalse();
                });
    }

    static final class FinalClass {
        @RateLimited(limit = "1/s")
        public void m() {}
    }

    @Test
    void finalClass_isRefusedWithTheMethod() {
        assertRefused(FinalClass.class, "the class is final", "kotlin-spring");
    }

    static class WrongLimit {
        @RateLimited(limit = "10/fortnight")
        public void m() {}
    }

    static class WrongWait {
        @RateLimited(limit = "10/s", maxWait = "soon")
        public void m() {}
    }

    static class NegativeWait {
        @RateLimited(limit = "10/s", maxWait = "-2s")
        public void m() {}
    }

    static class NameWithSpace {
        @RateLimited(limit = "10/s", name = "a b")
        public void m() {}
    }

    @Test
    void texts_thatCannotBeRead_areRefused() {
        assertRefused(WrongLimit.class, "10/fortnight");
        assertRefused(WrongWait.class, "maxWait = \"soon\"");
        assertRefused(NegativeWait.class, "maxWait = \"-2s\"");
        assertRefused(NameWithSpace.class, "without spaces");
    }

    static class Syntax {
        @RateLimited(limit = "10/s", key = "#a +")
        public void m(String a) {}
    }

    static class Variable {
        @RateLimited(limit = "10/s", key = "#user.name")
        public void m(String userr) {}
    }

    static class Nested {
        @RateLimited(limit = "10/s", permits = "#batch.?[#this > #least].size()")
        public void m(List<Integer> batch) {}
    }

    static class Bean {
        @RateLimited(limit = "10/s", key = "@tenants.current()")
        public void m() {}
    }

    static class Bare {
        @RateLimited(limit = "10/s", key = "user")
        public void m(String user) {}
    }

    static class BareCall {
        @RateLimited(limit = "10/s", key = "tenant()")
        public void m(String user) {}
    }

    static class Permits {
        @RateLimited(limit = "10/s", permits = "'two'")
        public void m() {}
    }

    static class Good {
        @RateLimited(
                limit = "10/s",
                key = "{'a': target, b: #x[user]}.toString() + (#x != null ? args.length : #a0)",
                permits = "#x.?[key == 'a'].size() + 1")
        public void m(Map<String, String> x) {}
    }

    @Test
    void expression_thatCannotWork_isRefused() {
        assertRefused(Syntax.class, "key = \"#a +\"", "is not an expression");
        assertRefused(Variable.class, "no parameter user (expected: #userr)", "Did you mean #userr?");
        assertRefused(Nested.class, "permits", "no parameter least");
        assertRefused(Bean.class, "no bean \"tenants\"");
        assertRefused(Bare.class, "Write #user for a parameter, or 'user' for a text.");
        assertRefused(BareCall.class, "#root.target.tenant()");
        assertRefused(Permits.class, "permits = \"'two'\"");
        runner.withBean(Good.class).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(Good.class).m(Map.of("user", "ada"));
        });
    }

    static class KeyOfOneValue {
        @RateLimited(policy = "per-user", key = "#user")
        public void m(String user) {}
    }

    @Test
    void key_ofOneValueForSeveralParts_isRefused() {
        assertRefused(KeyOfOneValue.class, "the key [tenant, user]", "{tenant: ...}");
    }

    static class NoFallback {
        @RateLimited(limit = "10/s", fallback = "cached")
        public void m() {}
    }

    static class OtherParameters {
        @RateLimited(limit = "10/s", fallback = "cached")
        public void m(String a) {}

        void cached(int a) {}
    }

    static class OtherResult {
        @RateLimited(limit = "10/s", fallback = "cached")
        public String m(String a) {
            return a;
        }

        int cached(String a) {
            return 0;
        }
    }

    static class Itself {
        @RateLimited(limit = "10/s", fallback = "m")
        public void m(String a) {}
    }

    @Test
    void fallback_ofWrongShape_isRefused() {
        assertRefused(NoFallback.class, "fallback \"cached\"", "no such method");
        assertRefused(OtherParameters.class, "other parameters");
        assertRefused(OtherResult.class, "returns int (expected: java.lang.String");
        assertRefused(Itself.class, "fallback \"m\"");
    }

    @SuppressWarnings("UnusedMethod") // Found by its name or its annotation.
    static class Private {
        @RateLimited(limit = "10/s")
        private void m() {}
    }

    static class Final {
        @RateLimited(limit = "10/s")
        public final void m() {}
    }

    static class OtherStage {
        @RateLimited(limit = "10/s")
        public CompletionStage<String> good() {
            return new CompletableFuture<>();
        }

        @RateLimited(limit = "10/s")
        public Own m() {
            return new Own();
        }
    }

    static class Own extends CompletableFuture<String> {}

    @Test
    void method_thatCannotBeLimited_isRefused() {
        assertRefused(Private.class, "private");
        assertRefused(Final.class, "final");
        assertRefused(OtherStage.class, "returns " + Own.class.getName());
    }

    static class OtherLimit {
        @RateLimited(limit = "10/s", name = "x")
        public void m() {}

        @RateLimited(limit = "20/s", name = "x")
        public void m(int i) {}
    }

    static class OneWaits {
        @RateLimited(limit = "10/s", name = "x", maxWait = "1s")
        public void m() {}

        @RateLimited(limit = "10/s", name = "x")
        public void m(int i) {}
    }

    static class Other {
        static class Same {
            @RateLimited(limit = "10/s", name = "RateLimitedStartTest.Same.m")
            public void m() {}
        }
    }

    static class Same {
        @RateLimited(limit = "10/s")
        public void m() {}
    }

    @Test
    void name_thatIsSharedInOtherWays_isRefused() {
        assertRefused(OtherLimit.class, "expected: the same limit");
        assertRefused(OneWaits.class, "maxWait = \"0s\"");
        runner.withBean("other", Other.Same.class)
                .withBean("same", Same.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasRootCauseInstanceOf(SluiceSettingsException.class)
                        .rootCause()
                        .hasMessageContaining("expected: a name of its own"));
    }

    static class Early {
        @RateLimited(limit = "1/s")
        public void m() {}
    }

    static class AfterEarly {
        final boolean engineExists;

        AfterEarly(ConfigurableListableBeanFactory beans) {
            engineExists = beans.containsSingleton("sluicePolicyEngine");
        }
    }

    @Test
    void annotatedBean_beforeTheEngine_doesNotCreateIt() {
        runner.withBean(Early.class)
                .withBean(AfterEarly.class)
                .run(context -> assertThat(context.getBean(AfterEarly.class).engineExists)
                        .isFalse());
    }
}

package io.sluice.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import io.sluice.memory.MemoryStore;
import io.sluice.spi.PolicyStore;
import io.sluice.spi.Publication;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A newer edition is published while an edition is put in force. */
class PolicyEngineOvertakenTest {
    private static final Map<String, String> REQUEST = Map.of("tenant", "acme");

    private final MemoryStore memory = MemoryStore.builder().build();
    private Runnable afterEnforcing = () -> {};

    /** The same limits; first the first policy is blocked, then the second. */
    private static String file(String limit, String first, String second) {
        return "version: 1\npolicies:\n  - { name: counted, limit: " + limit + " }\n  - { name: first, limit: " + first
                + " }\n  - { name: second, limit: " + second + " }\n";
    }

    private static final String ONE = file("10/h", "blocked", "unlimited");
    private static final String TWO = file("20/h", "unlimited", "blocked");

    /** A store that reports editions only to those who ask. */
    private PolicyStore store() {
        return proxy(PolicyStore.class, memory, (method, arguments) -> {
            Object answer = method.invoke(memory, arguments);
            if (method.getName().equals("enforce")) {
                Runnable then = afterEnforcing;
                afterEnforcing = () -> {};
                then.run();
            } else if (answer instanceof Publication publication) {
                return proxy(
                        Publication.class,
                        publication,
                        (asked, with) -> asked.getName().equals("follow")
                                ? (Runnable) () -> {}
                                : asked.invoke(publication, with));
            }
            return answer;
        });
    }

    private interface Call {
        Object run(Method method, Object[] arguments) throws ReflectiveOperationException;
    }

    private static <T> T proxy(Class<T> type, T instead, Call call) {
        return type.cast(Proxy.newProxyInstance(
                instead.getClass().getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getDeclaringClass() == Object.class) {
                        return method.invoke(instead, arguments);
                    }
                    try {
                        return call.run(method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private PolicyEngine engine() {
        return PolicyEngine.builder().store(store()).published().build();
    }

    @Test
    void publish_newerEditionIsPublished_usesTheNewerOne() {
        try (PolicyEngine engine = engine();
                PolicyEngine other = engine()) {
            afterEnforcing = () -> other.publish(TWO, 1);
            engine.publish(ONE, 0);
            assertThat(engine.version()).isEqualTo(2);
            assertThat(engine.check(REQUEST).violated()).isEqualTo(List.of("second"));
        }
    }

    @Test
    void build_newerEditionIsPublished_usesTheNewerOne() {
        try (PolicyEngine other = engine()) {
            other.publish(ONE, 0);
            afterEnforcing = () -> other.publish(TWO, 1);
            try (PolicyEngine engine = engine()) {
                assertThat(engine.version()).isEqualTo(2);
                assertThat(engine.check(REQUEST).violated()).isEqualTo(List.of("second"));
            }
        }
    }

    @Test
    void check_afterAnotherProcessChangedLimits_usesTheNewVersionOnly() {
        try (PolicyEngine engine = engine();
                PolicyEngine other = engine()) {
            engine.publish(ONE, 0);
            other.publish(TWO, 1);
            assertThat(engine.check(REQUEST).violated()).isEqualTo(List.of("second"));
            assertThat(engine.version()).isEqualTo(2);
        }
    }

    @Test
    void publish_newerEditionIsInvalid_keepsItsOwnVersion() {
        try (PolicyEngine engine = engine()) {
            afterEnforcing = () -> {
                memory.publication("policies").publish("version: 9\n", 1);
                memory.limiter("counted", Limit.parse("10/h")).update(Limit.parse("30/h"));
            };
            engine.publish(ONE, 0);
            assertThat(engine.check(REQUEST).violated()).isEqualTo(List.of("first"));
            assertThat(engine.check(REQUEST).results().get(0).limit()).hasToString("token-bucket 30/h");
        }
    }
}

package io.sluice.spring.autoconfigure;

import io.sluice.spring.SluiceProperties.StoreKind;
import java.util.List;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Conditions on the settings of the store. */
final class StoreConditions {
    private StoreConditions() {}

    static StoreKind kind(Environment environment) {
        return Binder.get(environment).bind("sluice.store", StoreKind.class).orElse(StoreKind.AUTO);
    }

    static boolean hasOwnRedis(Environment environment) {
        return !Binder.get(environment)
                .bind("sluice.redis.uri", Bindable.listOf(String.class))
                .orElse(List.of())
                .isEmpty();
    }

    /** The store may be Redis. */
    static final class NotMemory implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return kind(context.getEnvironment()) != StoreKind.MEMORY;
        }
    }

    /** {@code sluice.redis.uri} is set. */
    static final class OwnRedis implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return hasOwnRedis(context.getEnvironment());
        }
    }

    /** {@code sluice.redis.uri} is not set. */
    static final class NoOwnRedis implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !hasOwnRedis(context.getEnvironment());
        }
    }
}

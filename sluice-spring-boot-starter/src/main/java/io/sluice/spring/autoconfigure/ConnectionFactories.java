package io.sluice.spring.autoconfigure;

import java.util.List;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/** Finds the connection factories of an application, which may not have the class of them. */
final class ConnectionFactories {
    private static final String LETTUCE = "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory";

    private ConnectionFactories() {}

    /** The names of the Lettuce connection factories. */
    static List<String> names(ListableBeanFactory beans) {
        ClassLoader loader = ConnectionFactories.class.getClassLoader();
        return ClassUtils.isPresent(LETTUCE, loader)
                ? List.of(beans.getBeanNamesForType(ClassUtils.resolveClassName(LETTUCE, loader), true, false))
                : List.of();
    }
}

package io.sluice.spring.method;

import java.lang.reflect.Modifier;
import java.util.LinkedHashSet;
import java.util.Set;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/** Finds beans that do not exist when the application starts: lazy ones, and those of scopes such as prototype and request. */
final class UncreatedBeans {
    private UncreatedBeans() {}

    /** Their classes, as far as they are known. An interface or an abstract class says too little about the bean. */
    static Set<Class<?>> types(ConfigurableListableBeanFactory beans) {
        Set<Class<?>> types = new LinkedHashSet<>();
        for (String name : beans.getBeanDefinitionNames()) {
            if (!beans.containsSingleton(name) && !beans.getBeanDefinition(name).isAbstract()) {
                Class<?> type = beans.getType(name, false);
                if (type != null && !Modifier.isAbstract(type.getModifiers())) {
                    types.add(ClassUtils.getUserClass(type));
                }
            }
        }
        return types;
    }
}

package io.sluice.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.policy.PolicyEngine;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.Configurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.context.annotation.Import;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/** All auto-configurations of the starter, where one library after the other is missing. */
class OptionalLibrariesTest {
    /** Has classes of the starter of its own, so that these miss the libraries too, as in an application. */
    private static final class WithoutLibraries extends FilteredClassLoader {
        WithoutLibraries(String... packages) {
            super(packages);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("io.sluice.spring.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in =
                    getParent().getResourceAsStream(ClassUtils.convertClassNameToResourcePath(name) + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Imports by name, as Spring Boot does: so conditions are read before a class is loaded. */
    static final class Starter implements DeferredImportSelector {
        private static final String[] NAMES = Arrays.stream(Configurations.getClasses(AutoConfigurations.of(
                        ImportCandidates.load(org.springframework.boot.autoconfigure.AutoConfiguration.class, null)
                                .getCandidates()
                                .stream()
                                .filter(name -> name.startsWith("io.sluice."))
                                .map(name -> ClassUtils.resolveClassName(name, null))
                                .toArray(Class<?>[]::new))))
                .map(Class::getName)
                .toArray(String[]::new);

        @Override
        public String[] selectImports(AnnotationMetadata importing) {
            return NAMES;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Starter.class)
    static class Application {}

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.lettuce",
                "org.springframework.data.redis",
                "io.micrometer",
                "io.micrometer.core",
                "org.springframework.cloud.gateway",
                "org.springframework.security",
                "org.springframework.web.reactive org.springframework.cloud.gateway",
                "reactor org.springframework.web.reactive org.springframework.cloud.gateway",
                "reactor.netty",
                "org.springframework.web.servlet",
                "jakarta.servlet org.springframework.web.servlet",
                "org.springframework.boot.web.client org.springframework.boot.restclient",
                "com.fasterxml.jackson tools.jackson",
                "io.sluice.testkit org.springframework.test"
            })
    void application_withoutALibrary_starts(String packages) {
        String[] missing = packages.split(" ");
        assertStarts(new ApplicationContextRunner(), missing);
        if (!packages.contains("web.servlet")) {
            assertStarts(new WebApplicationContextRunner(), missing);
        }
        if (!packages.contains("web.reactive")) {
            assertStarts(new ReactiveWebApplicationContextRunner(), missing);
        }
    }

    private static void assertStarts(AbstractApplicationContextRunner<?, ?, ?> runner, String... missing) {
        WithoutLibraries loader = new WithoutLibraries(missing);
        runner.withUserConfiguration(Application.class)
                .withClassLoader(loader)
                .withPropertyValues("sluice.policies[0].name=a", "sluice.policies[0].limit=1/h")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(PolicyEngine.class));
    }
}

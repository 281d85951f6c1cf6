package io.sluice.spring.migrate;

import io.sluice.spring.RateLimited;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

// docs
@RateLimited("reports")
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface PerUser {
    @AliasFor(annotation = RateLimited.class)
    String key() default "";
}
// end

package io.sluice.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Adds Sluice to a test with manual time and without Redis: on {@code @SpringBootTest}, and on slices such as {@code
 * @WebMvcTest} and {@code @WebFluxTest}, which otherwise are without Sluice.
 *
 * <pre>{@code
 * @WebMvcTest(OrderController.class)
 * @AutoConfigureSluice
 * class OrderControllerTest {
 *     @Autowired MockMvc mvc;
 *     @Autowired ManualTime time;
 *
 *     @Test
 *     void thirdOrderOfAMinute_isDenied() throws Exception {
 *         ...
 *         time.advance(Duration.ofMinutes(1));
 *     }
 * }
 * }</pre>
 *
 * <ul>
 *   <li>Time stands still until the test moves the bean {@code ManualTime}. It needs {@code io.sluice:sluice-testkit} in scope
 *       test. If the application declares a {@code TimeSource} of its own, that one is used.
 *   <li>Permits are counted in the memory of the test, whatever {@code sluice.store} and {@code sluice.redis.uri} say. If the
 *       application declares a store as a bean, that one is used.
 *   <li>Each test method starts with fresh limits. For that, the manual time is moved forward before the method until every key
 *       is fresh. So read the time from the bean, and do not expect that it begins at a fixed date. This needs the bean {@code
 *       ManualTime} and the store in memory; otherwise limits stay used from one method to the next as long as the application
 *       context lives. Test methods that run at the same time on one application context share their limits.
 * </ul>
 *
 * <p>{@code @AutoConfigureSluice(enabled = false)}, or the property {@code sluice.enabled=false}, turns limits off: nothing is
 * limited, and there is no {@code PolicyEngine} and no store. A bean that needs one asks for an {@code
 * ObjectProvider<PolicyEngine>}, or the test declares one.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureSluice {
    /** Whether anything is limited. If false, {@code sluice.enabled} is set to false. */
    boolean enabled() default true;
}

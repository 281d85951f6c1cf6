package io.sluice.spring.method;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterNameDiscoverer;

/**
 * The variables of an expression: the parameters by name, and by index as {@code p0} and {@code a0}.
 *
 * @param names the names of the parameters; empty if they are not in the class file
 */
record Parameters(List<String> names, int count) {
    static Parameters of(Method method, ParameterNameDiscoverer discoverer) {
        @Nullable String[] names = discoverer.getParameterNames(method);
        List<String> known = new ArrayList<>();
        if (names != null) {
            for (String name : names) {
                known.add(name == null ? "" : name);
            }
        }
        return new Parameters(known, method.getParameterCount());
    }

    /** The index of the parameter; -1 if there is none. */
    int index(String variable) {
        int named = names.indexOf(variable);
        if (named >= 0) {
            return named;
        }
        for (int i = 0; i < count; i++) {
            if (variable.equals("p" + i) || variable.equals("a" + i)) {
                return i;
            }
        }
        return -1;
    }

    /** What to use instead of a variable that does not exist. */
    String expected() {
        if (count == 0) {
            return "no variable, because the method has no parameters";
        }
        return names.isEmpty()
                ? "#p0 to #p" + (count - 1) + ", because the class was compiled without -parameters"
                : names.stream().map(name -> "#" + name).collect(Collectors.joining(", "));
    }
}

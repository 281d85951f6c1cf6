package io.sluice.spring.method;

import io.sluice.policy.Suggestion;
import io.sluice.spring.SluiceSettingsException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;

/** Refuses expressions that would fail at every call: with unknown variables, beans, or names that are neither. */
final class ExpressionCheck {
    private final AnnotatedMethod method;
    private final String attribute;
    private final Parameters parameters;
    private final BeanFactory beans;

    ExpressionCheck(AnnotatedMethod method, String attribute, Parameters parameters, BeanFactory beans) {
        this.method = method;
        this.attribute = attribute;
        this.parameters = parameters;
        this.beans = beans;
    }

    void check(SpelExpression expression) {
        check(expression.getAST(), true, expression.getExpressionString());
    }

    /** @param onRoot whether a name without an object refers to {@code #root} */
    private void check(SpelNode node, boolean onRoot, String whole) {
        if (node instanceof VariableReference) {
            checkVariable(node.toStringAST().substring(1), whole);
        } else if (node instanceof FunctionReference) {
            throw refuse(
                    whole, "there is no function " + node.toStringAST(), "Call a method of a bean: @bean.method().");
        } else if (node instanceof BeanReference) {
            checkBean(node.toStringAST(), whole);
        } else if (onRoot && node instanceof PropertyOrFieldReference property) {
            checkProperty(property.getName(), whole);
        } else if (onRoot && node instanceof MethodReference call) {
            throw refuse(
                    whole,
                    call.getName() + "() is called on nothing",
                    "Write #root.target." + call.getName() + "() for a method of the annotated object, or @bean."
                            + call.getName() + "() for that of a bean.");
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            if (!(node instanceof InlineMap && i % 2 == 0)) {
                check(node.getChild(i), onRoot && isOnRoot(node, i), whole);
            }
        }
    }

    private static boolean isOnRoot(SpelNode parent, int child) {
        return !(parent instanceof CompoundExpression && child > 0)
                && !(parent instanceof Indexer)
                && !(parent instanceof Selection)
                && !(parent instanceof Projection);
    }

    private void checkVariable(String name, String whole) {
        if (!name.equals("root") && !name.equals("this") && parameters.index(name) < 0) {
            throw refuse(
                    whole,
                    "there is no parameter " + name + " (expected: " + parameters.expected() + ")",
                    suggestion(name));
        }
    }

    private String suggestion(String name) {
        @Nullable String nearest = Suggestion.nearest(name, parameters.names());
        return nearest == null ? "Use a parameter of the method." : "Did you mean #" + nearest + "?";
    }

    private void checkBean(String reference, String whole) {
        String name = reference.substring(1).replace("'", "");
        if (reference.startsWith("@") && !beans.containsBean(name)) {
            throw refuse(whole, "there is no bean \"" + name + "\"", "Declare the bean, or correct its name.");
        }
    }

    private void checkProperty(String name, String whole) {
        if (!CallRoot.PROPERTIES.contains(name)) {
            throw refuse(
                    whole,
                    name + " is neither a parameter nor a text",
                    "Write #" + name + " for a parameter, or '" + name + "' for a text.");
        }
    }

    private SluiceSettingsException refuse(String whole, String problem, String action) {
        return method.refuse(attribute + " = \"" + whole + "\": " + problem, action);
    }
}

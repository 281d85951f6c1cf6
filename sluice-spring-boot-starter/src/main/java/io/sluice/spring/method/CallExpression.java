package io.sluice.spring.method;

import java.lang.reflect.Modifier;
import java.util.Map;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** An expression over the arguments of a method. Thread-safe. */
final class CallExpression {
    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private final AnnotatedMethod method;
    private final String attribute;
    private final SpelExpression expression;
    private final BeanFactoryResolver beans;
    /** The index of the argument, if the expression is only that; else -1. */
    private final int argument;

    private CallExpression(
            AnnotatedMethod method, String attribute, SpelExpression expression, BeanFactory beans, int argument) {
        this.method = method;
        this.attribute = attribute;
        this.expression = expression;
        this.beans = new BeanFactoryResolver(beans);
        this.argument = argument;
    }

    /**
     * Reads an expression.
     *
     * @param attribute the attribute of the annotation that has it
     * @throws io.sluice.spring.SluiceSettingsException if it cannot be parsed, or uses what is not there
     */
    static CallExpression parse(AnnotatedMethod method, String attribute, String text, BeanFactory beans) {
        SpelExpression expression;
        try {
            expression = PARSER.parseRaw(text);
        } catch (ParseException | IllegalStateException e) {
            throw method.refuse(
                    attribute + " = \"" + text + "\" is not an expression: " + e.getMessage(),
                    "Write an expression of Spring (SpEL), such as #userId or #batch.size().");
        }
        Parameters parameters = Parameters.of(method.method(), NAMES);
        new ExpressionCheck(method, attribute, parameters, beans).check(expression);
        return new CallExpression(method, attribute, expression, beans, argument(expression.getAST(), parameters));
    }

    private static int argument(SpelNode node, Parameters parameters) {
        return node instanceof VariableReference
                ? parameters.index(node.toStringAST().substring(1))
                : -1;
    }

    /** Whether the value is known before any call. */
    boolean isLiteral() {
        return expression.getAST() instanceof Literal;
    }

    /** The value of a literal. */
    @Nullable
    Object literal() {
        return expression.getValue(new StandardEvaluationContext());
    }

    /** Whether it is certain before any call that the value is not a map. */
    boolean isNeverMap() {
        if (argument >= 0) {
            Class<?> type = method.method().getParameterTypes()[argument];
            return type.isPrimitive() || (Modifier.isFinal(type.getModifiers()) && !Map.class.isAssignableFrom(type));
        }
        return expression.getAST() instanceof Literal || expression.getAST() instanceof InlineList;
    }

    /** The value for a call. */
    @Nullable
    Object value(MethodInvocation invocation) {
        @Nullable Object[] arguments = invocation.getArguments();
        if (argument >= 0) {
            return arguments[argument];
        }
        CallRoot root = new CallRoot(invocation.getThis(), method.method(), arguments);
        MethodBasedEvaluationContext context =
                new MethodBasedEvaluationContext(root, method.method(), arguments, NAMES);
        context.setBeanResolver(beans);
        try {
            return expression.getValue(context);
        } catch (EvaluationException e) {
            throw new IllegalStateException(
                    "@RateLimited on " + method + ": " + attribute + " = \"" + expression.getExpressionString()
                            + "\" failed: " + e.getMessage(),
                    e);
        }
    }
}

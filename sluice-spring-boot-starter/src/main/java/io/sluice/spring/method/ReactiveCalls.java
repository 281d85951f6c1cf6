package io.sluice.spring.method;

import io.sluice.spring.web.RequestScope;
import java.lang.reflect.Method;
import java.util.Map;
import org.aopalliance.intercept.MethodInvocation;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/** Methods that return a {@link Mono} or a {@link Flux}. Each subscription is decided, and makes the call. Nothing blocks. */
final class ReactiveCalls implements ResultKind {
    private final RequestLookup requests;

    ReactiveCalls(RequestLookup requests) {
        this.requests = requests;
    }

    @Override
    public boolean handles(Class<?> returnType) {
        return returnType == Mono.class || returnType == Flux.class || returnType == Publisher.class;
    }

    @Override
    public boolean knowsRequestOf(Method method) {
        return true;
    }

    @Override
    public Object invoke(LimitedMethod method, MethodInvocation invocation) {
        // On the servlet stack, the thread of the subscription may not be that of the request.
        Map<String, String> ofThread = requests.attributes(invocation.getArguments());
        if (invocation.getMethod().getReturnType() == Mono.class) {
            return Mono.deferContextual(context -> {
                MethodInvocation call = copy(invocation);
                AdmissionFuture admission = admit(method, call, context, ofThread);
                return decided(admission)
                        .flatMap(admitted -> Mono.from(answer(method, call, admitted)))
                        .doOnTerminate(admission::leave)
                        .doFinally(signal -> admission.leave());
            });
        }
        return Flux.deferContextual(context -> {
            MethodInvocation call = copy(invocation);
            AdmissionFuture admission = admit(method, call, context, ofThread);
            return decided(admission)
                    .flatMapMany(admitted -> answer(method, call, admitted))
                    .doOnTerminate(admission::leave)
                    .doFinally(signal -> admission.leave());
        });
    }

    /** An invocation can proceed once, but there may be many subscriptions. */
    private static MethodInvocation copy(MethodInvocation invocation) {
        return invocation instanceof ProxyMethodInvocation proxied ? proxied.invocableClone() : invocation;
    }

    private static AdmissionFuture admit(
            LimitedMethod method, MethodInvocation call, ContextView context, Map<String, String> ofThread) {
        RequestScope scope = context.getOrDefault(RequestScope.class, null);
        return method.admitAsync(call, scope == null ? ofThread : scope.attributes());
    }

    private static Mono<Admission> decided(AdmissionFuture admission) {
        Mono<Admission> decided = Mono.fromFuture(admission);
        // Not on the thread that completes the decision: it may be that of the connection to Redis, and the method may
        // take long.
        return admission.isDone() ? decided : decided.publishOn(Schedulers.parallel());
    }

    @SuppressWarnings("unchecked")
    private static Publisher<Object> answer(LimitedMethod method, MethodInvocation call, Admission admission) {
        try {
            Object answer = method.answer(call, admission);
            return answer == null
                    ? Mono.error(new NullPointerException("the method returned null instead of a publisher"))
                    : (Publisher<Object>) answer;
        } catch (Throwable e) {
            return Mono.error(e);
        }
    }
}

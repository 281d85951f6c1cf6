package io.sluice.spring.servlet;

import io.sluice.spring.web.RequestScope;
import io.sluice.spring.web.RequestScope.End;
import io.sluice.spring.web.RequestScope.Ending;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * Ends the scope of a request that a handler continues after the filter has returned. The container calls {@code onComplete} last,
 * after a timeout or an error too.
 */
final class EndOfAsync implements AsyncListener {
    private final RequestScope scope;
    private final HttpServletResponse response;
    private volatile Ending ending = Ending.COMPLETED;
    private volatile @Nullable Throwable failure;

    EndOfAsync(RequestScope scope, HttpServletResponse response) {
        this.scope = scope;
        this.response = response;
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        ending = Ending.TIMED_OUT;
    }

    @Override
    public void onError(AsyncEvent event) {
        ending = Ending.FAILED;
        failure = event.getThrowable();
    }

    /** The handler starts asynchronous work again after a dispatch. The container has then forgotten the listeners. */
    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }

    @Override
    public void onComplete(AsyncEvent event) {
        scope.end(new End(ending, response.getStatus(), failure));
    }
}

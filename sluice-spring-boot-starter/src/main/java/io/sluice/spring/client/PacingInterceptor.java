package io.sluice.spring.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/** Paces the requests of a {@code RestClient} or {@code RestTemplate}. The thread waits interruptibly. */
record PacingInterceptor(PacedClient client) implements ClientHttpRequestInterceptor {

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        if (!client.paces(request.getURI())) {
            return execution.execute(request, body);
        }
        OutgoingRequest outgoing =
                new OutgoingRequest(request.getMethod().name(), request.getURI(), request.getHeaders());
        acquire(outgoing);
        ClientHttpResponse response = execution.execute(request, body);
        awaitPause(client.answered(outgoing, response.getStatusCode().value(), response.getHeaders()));
        return response;
    }

    private void acquire(OutgoingRequest request) throws IOException {
        Turn turn = client.turn(request);
        try {
            turn.taken().get();
            turn.use();
        } catch (InterruptedException e) {
            turn.cancel();
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException(
                    "interrupted while waiting for a permit of client \"" + client.name() + "\"");
            interrupted.initCause(e);
            throw interrupted;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        }
    }

    /** Waits until the store knows the pause, so that the next request of this thread meets it. */
    private static void awaitPause(CompletableFuture<Void> pause) {
        try {
            pause.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}

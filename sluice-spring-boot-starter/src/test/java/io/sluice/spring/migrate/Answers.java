package io.sluice.spring.migrate;

import io.sluice.spring.cost.ReactiveSluice;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;

// docs
@RestController
class Answers {
    /** Streams the parts of an answer, each with its cost. */
    interface Model {
        Flux<Part> answer();
    }

    record Part(String text, int tokens) {}

    private final Model model;
    private final ReactiveSluice sluice;

    Answers(Model model, ReactiveSluice sluice) {
        this.model = model;
        this.sluice = sluice;
    }

    @GetMapping(path = "/answers", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Flux<String> answer() {
        return sluice.cost()
                .flatMapMany(cost ->
                        model.answer().doOnNext(part -> cost.add(part.tokens())).map(Part::text));
    }
}
// end

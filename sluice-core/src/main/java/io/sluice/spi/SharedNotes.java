package io.sluice.spi;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Short texts that the processes on one store leave for each other, for a while. They are on pages, and a page is forgotten as
 * a whole. Nothing depends on them: they are for people who look.
 */
public interface SharedNotes {
    /**
     * Writes notes on a page, and replaces those of the same names.
     *
     * @param life how long the page is kept from now on
     */
    CompletionStage<?> put(String page, Map<String, String> notes, Duration life);

    /** The notes of a page, by name. */
    CompletionStage<Map<String, String>> read(String page);
}

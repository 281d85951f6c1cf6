package io.sluice.server.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckJsonTest {
    private final CheckJson json = new CheckJson(3, 10);

    private JsonInputException refused(String body) {
        return catchThrowableOfType(JsonInputException.class, () -> json.check(body.getBytes(UTF_8)));
    }

    private JsonInputException refusedBatch(String body) {
        return catchThrowableOfType(JsonInputException.class, () -> json.batch(body.getBytes(UTF_8), 3));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"attributes\":{\"a\":\"é\"},\"permits\":1}",
                "{\"permits\":1,\"attributes\":{\"a\":\"\\u00e9\"}}",
                " \n\r\t{ \"attributes\" :\n{ \"a\" : \"é\" } }\n "
            })
    void validCheck_isRead(String body) throws JsonInputException {
        assertThat(json.check(body.getBytes(UTF_8))).isEqualTo(new CheckRequest(Map.of("a", "é"), 1));
    }

    @Test
    void zeroPermits_areRead() throws JsonInputException {
        assertThat(json.check("{\"attributes\":{},\"permits\":0}".getBytes(UTF_8)))
                .isEqualTo(new CheckRequest(Map.of(), 0));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ``                                 | 0 |nothing (expected: {"attributes":{...}})
            []                                 | 0 |not a JSON object: "[]" (expected: {"attributes":{...}})
            {}                                 | 1 |no attributes (expected: {"attributes":{...}}, with {} for none)
            {"time_us":1,"attributes":{}}      | 1 |unknown field "time_us" (expected: attributes, permits)
            {"attributes":{},"permits":-1}     | 27|permits is -1 (expected: a whole number from 0 to 9007199254740991)
            {"attributes":{},"permits":1.5}    | 27|permits is 1.5 (expected: a whole number from 0 to 9007199254740991)
            {"attributes":{},"permits":"1"}    | 27|permits is "1" (expected: a whole number from 0 to 9007199254740991)
            {"attributes":{"a":1}}             | 19|attribute "a" is 1 (expected: a text, as in "1")
            {"attributes":{"a":[[[[[[[[]]]]]]]]}}| 19|attribute "a" is an array (expected: a text)
            {"attributes":{"a":"","a":""}}     | 22|attribute "a" a second time (expected: once)
            {"attributes":{}}x                 | 17|not JSON: unrecognized token 'x': was expecting (JSON String, Number, Array, Object or token 'null', 'true' or 'false')
            {"attributes":{}} {}               | 18|more after the check (expected: the end of the body)
            {"attributes":{}                   | 16|the body ends within the check (expected: all of it)
            {"attributes":{"a":"","b":"","c":"","d":""}}| 36|more than 3 attributes (expected: at most 3)
            {"attributes":{"a":"12345678901"}} | 19|attribute "a" has 11 bytes (expected: at most 10)
            {"attributes":{"a":"éééééé"}}      | 19|attribute "a" has 12 bytes (expected: at most 10)
            {"attributes":{"12345678901":""}}  | 15|the name of attribute "12345678901" has 11 bytes (expected: at most 10)
            """)
    void invalidCheck_isRefusedWithItsPlace(String body, int offset, String message) {
        assertThat(refused(body)).returns(offset, JsonInputException::offset).hasMessage(message);
    }

    @Test
    void bytesThatAreNotUtf8_areRefused() {
        byte[] body = "{\"attributes\":{\"a\":\"\u00ff\"}}".getBytes(ISO_8859_1);

        assertThat(catchThrowableOfType(JsonInputException.class, () -> json.check(body)))
                .returns(20, JsonInputException::offset)
                .hasMessage("byte 0xFF is not UTF-8 (expected: UTF-8 text)");
    }

    @Test
    void attribute_ofTenBytes_isRead() throws JsonInputException {
        for (String text : List.of("1234567890", "ééééé", "\uD83D\uDD11\uD83D\uDD1112")) {
            assertThat(json.check(("{\"attributes\":{\"" + text + "\":\"" + text + "\"}}").getBytes(UTF_8)))
                    .isEqualTo(new CheckRequest(Map.of(text, text), 1));
        }
    }

    @Test
    void batch_isReadInOrder() throws JsonInputException {
        assertThat(json.batch(
                        "{\"checks\":[{\"attributes\":{\"a\":\"1\"}},{\"attributes\":{},\"permits\":2}]}"
                                .getBytes(UTF_8),
                        2))
                .containsExactly(new CheckRequest(Map.of("a", "1"), 1), new CheckRequest(Map.of(), 2));
        assertThat(json.batch("{\"checks\":[]}".getBytes(UTF_8), 2)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                               |no checks (expected: {"checks":[{"attributes":{...}}]})
            {"checks":{}}                                    |checks is an object (expected: an array of checks)
            {"checks":[],"checks":[]}                        |checks a second time (expected: once)
            {"checks":[],"permits":1}                        |unknown field "permits" (expected: checks)
            {"checks":[1]}                                   |checks[0]: is 1 (expected: {"attributes":{...}})
            {"checks":[{"attributes":{}},{}]}                |checks[1]: no attributes (expected: {"attributes":{...}}, with {} for none)
            {"checks":[{"attributes":{},"permits":-1}]}      |checks[0].permits is -1 (expected: a whole number from 0 to 9007199254740991)
            {"checks":[{"attributes":{"a":null}}]}           |checks[0]: attribute "a" is null (expected: a text, or no such attribute)
            {"checks":[{"attributes":{}}]} 1                 |more after the checks (expected: the end of the body)
            {"checks":[{"attributes":{}}                     |the body ends within the checks (expected: all of it)
            """)
    void invalidBatch_isRefusedWithItsPlace(String body, String message) {
        assertThat(refusedBatch(body)).hasMessage(message);
    }

    @Test
    void tooLongBatch_isRefusedBeforeTheNextCheckIsRead() {
        String four = Collections.nCopies(3, "{\"attributes\":{}}").stream().collect(Collectors.joining(","));

        assertThat(refusedBatch("{\"checks\":[" + four + ",oops"))
                .hasMessageStartingWith("not JSON: unrecognized token 'oops'");
        assertThat(refusedBatch("{\"checks\":[" + four + ",{oops"))
                .hasMessage("more than 3 checks (expected: at most 3)");
    }

    @Test
    void deepNesting_isRefused() {
        String deep = IntStream.range(0, 30_000).mapToObj(i -> "[").collect(Collectors.joining());

        assertThat(refused("{\"attributes\":" + deep)).hasMessageStartingWith("attributes is an array");
        assertThat(refusedBatch("{\"checks\":" + deep)).hasMessageStartingWith("checks[0]: is an array");
    }
}

package io.sluice.policy.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryStore;
import io.sluice.policy.PolicyDecision;
import io.sluice.policy.PolicyEngine;
import io.sluice.policy.PolicyResult;
import io.sluice.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Configurations and calls from the documentation of envoyproxy/ratelimit with the documented answers, decided by an
 * engine.
 *
 * <p>A line is a call, {@code (key,value)(key,value); (key,value) -> answers}, perhaps repeated, or the time that
 * passes. Each descriptor has one answer: {@code ok}, {@code over}, {@code unlimited}, or {@code none} if no limit
 * applies (Envoy gets OK).
 */
class EnvoyMatchTest {
    private record Case(String name, String yaml, String calls) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final Pattern CALL = Pattern.compile("(?:(\\d+)x )?(.*\\)) -> (.*)");
    private static final Pattern ENTRY = Pattern.compile("\\(([^,()]*),([^()]*)\\)");

    static final List<Case> CASES = List.of(
            new Case("example 1: each value has its own limit, others have none", """
                    domain: mongo_cps
                    descriptors:
                    - {key: database, value: users, rate_limit: {unit: second, requests_per_unit: 500}}
                    - {key: database, value: default, rate_limit: {unit: second, requests_per_unit: 500}}
                    """, """
                    500x (database,users) -> ok
                    (database,users) -> over
                    500x (database,default) -> ok
                    (database,default) -> over
                    (database,other) -> none
                    (table,users) -> none
                    (Database,users) -> none
                    +PT1S
                    (database,users) -> ok
                    """),
            new Case("example 2: nested descriptors, a bucket for each value of a key without one", """
                    domain: messaging
                    descriptors:
                    - key: message_type
                      value: marketing
                      descriptors:
                      - {key: to_number, rate_limit: {unit: day, requests_per_unit: 5}}
                    - {key: to_number, rate_limit: {unit: day, requests_per_unit: 100}}
                    """, """
                    5x (message_type,marketing)(to_number,2061111111) -> ok
                    (message_type,marketing)(to_number,2061111111) -> over
                    5x (message_type,marketing)(to_number,2062222222) -> ok
                    (message_type,marketing)(to_number,2062222222) -> over
                    95x (to_number,2061111111) -> ok
                    5x (message_type,marketing)(to_number,2061111111); (to_number,2061111111) -> over,ok
                    (to_number,2061111111) -> over
                    100x (to_number,2062222222) -> ok
                    (to_number,2062222222) -> over
                    (message_type,marketing) -> none
                    (message_type,receipt)(to_number,2061111111) -> none
                    (to_number,2061111111)(message_type,marketing) -> none
                    +PT24H
                    (message_type,marketing)(to_number,2061111111); (to_number,2061111111) -> ok,ok
                    """),
            new Case("example 3: a value before the key alone, wherever it stands; 0 denies", """
                    domain: edge_proxy_per_ip
                    descriptors:
                    - {key: remote_address, rate_limit: {unit: second, requests_per_unit: 10}}
                    - {key: remote_address, value: 50.0.0.5, rate_limit: {unit: second, requests_per_unit: 0}}
                    """, """
                    10x (remote_address,50.0.0.1) -> ok
                    (remote_address,50.0.0.1) -> over
                    10x (remote_address,50.0.0.2) -> ok
                    (remote_address,50.0.0.5) -> over
                    +PT1S
                    (remote_address,50.0.0.1) -> ok
                    (remote_address,50.0.0.5) -> over
                    """),
            new Case("example 4: a descriptor with more entries than levels does not match", """
                    domain: example4
                    descriptors:
                    - {key: key, value: value, rate_limit: {unit: second, requests_per_unit: 300}}
                    """, """
                    (key,value)(subkey,subvalue) -> none
                    300x (key,value) -> ok
                    (key,value) -> over
                    """),
            new Case("example 4: as many levels as entries match", """
                    domain: example4
                    descriptors:
                    - key: key
                      value: value
                      descriptors: [{key: subkey, rate_limit: {requests_per_unit: 300, unit: second}}]
                    """, """
                    300x (key,value)(subkey,subvalue) -> ok
                    (key,value)(subkey,subvalue) -> over
                    (key,value)(subkey,another) -> ok
                    (key,value) -> none
                    """),
            new Case("example 5: unlimited", """
                    domain: internal
                    descriptors:
                    - {key: ldap, rate_limit: {unlimited: true}}
                    - {key: azure, rate_limit: {unit: minute, requests_per_unit: 100}}
                    """, """
                    200x (ldap,x) -> unlimited
                    100x (azure,x) -> ok
                    (azure,x) -> over
                    (other,x) -> none
                    """),
            new Case("example 6: a rule in shadow mode never denies", """
                    domain: example6
                    descriptors:
                    - key: service
                      descriptors:
                      - {key: user, value: user-a, shadow_mode: true, rate_limit: {requests_per_unit: 10, unit: second}}
                      - {key: user, value: user-b, rate_limit: {requests_per_unit: 20, unit: second}}
                    """, """
                    100x (service,auth-service)(user,user-a) -> ok
                    20x (service,auth-service)(user,user-b) -> ok
                    (service,auth-service)(user,user-b) -> over
                    20x (service,other-service)(user,user-b) -> ok
                    (service,auth-service)(user,user-c) -> none
                    """),
            new Case("example 7: a rule that is replaced does not count, and is not charged", """
                    domain: example7
                    descriptors:
                    - key: key_1
                      value: value_1
                      descriptors:
                      - {key: user, value: bkthomps, rate_limit: {name: specific_limit, requests_per_unit: 5, unit: second}}
                    - key: key_2
                      value: value_2
                      descriptors:
                      - key: user
                        value: bkthomps
                        rate_limit: {replaces: [{name: specific_limit}], requests_per_unit: 10, unit: second}
                    """, """
                    5x (key_1,value_1)(user,bkthomps) -> ok
                    (key_1,value_1)(user,bkthomps) -> over
                    10x (key_1,value_1)(user,bkthomps); (key_2,value_2)(user,bkthomps) -> none,ok
                    (key_2,value_2)(user,bkthomps); (key_1,value_1)(user,bkthomps) -> over,none
                    +PT1S
                    10x (key_2,value_2)(user,bkthomps); (key_1,value_1)(user,bkthomps) -> ok,none
                    (key_2,value_2)(user,bkthomps) -> over
                    5x (key_1,value_1)(user,bkthomps) -> ok
                    (key_1,value_1)(user,bkthomps) -> over
                    """),
            new Case("replaces: also by an unlimited rule, which is not replaced itself; each other", """
                    domain: replaces
                    descriptors:
                    - {key: a, rate_limit: {name: a, unit: day, requests_per_unit: 1}}
                    - {key: free, rate_limit: {name: free, replaces: [{name: a}], unlimited: true}}
                    - {key: b, rate_limit: {name: b, replaces: [{name: a}, {name: free}, {name: c}], unit: day, requests_per_unit: 9}}
                    - {key: c, rate_limit: {name: c, replaces: [{name: b}], unit: day, requests_per_unit: 9}}
                    """, """
                    5x (a,x); (free,x) -> none,unlimited
                    (b,x); (free,x) -> ok,unlimited
                    (b,x); (c,x) -> none,none
                    (a,x) -> ok
                    (a,x) -> over
                    """),
            new Case("example 8: detailed_metric changes nothing but statistics", """
                    domain: example8
                    descriptors:
                    - {key: key1, detailed_metric: true, rate_limit: {unit: minute, requests_per_unit: 10}}
                    - {key: key1, value: value1, rate_limit: {unit: minute, requests_per_unit: 20}}
                    """, """
                    10x (key1,unspecified_value) -> ok
                    (key1,unspecified_value) -> over
                    10x (key1,unspecified_value2) -> ok
                    20x (key1,value1) -> ok
                    (key1,value1) -> over
                    """),
            new Case("example 9: a wildcard, with a bucket for each value that is like it", """
                    domain: example9
                    descriptors:
                    - {key: key1, value: "value*", rate_limit: {unit: minute, requests_per_unit: 20}}
                    - {key: path, value: /api/*/action, rate_limit: {unit: minute, requests_per_unit: 20}}
                    - {key: route, value: /api/*/resource/*/action, rate_limit: {unit: minute, requests_per_unit: 20}}
                    """, """
                    20x (key1,value1) -> ok
                    (key1,value1) -> over
                    20x (key1,value2) -> ok
                    (key1,value2) -> over
                    (key1,valueXYZ) -> ok
                    (key1,value) -> ok
                    (key1,valu) -> none
                    (key1,a value) -> none
                    20x (path,/api/123/action) -> ok
                    (path,/api/123/action) -> over
                    (path,/api/user-id/action) -> ok
                    (path,/api/1/2/action) -> ok
                    (path,/api//action) -> ok
                    (path,/api/action) -> none
                    (path,/api/123/other) -> none
                    (route,/api/v1/resource/123/action) -> ok
                    (route,/api/v2/resource/456/action) -> ok
                    (route,/api/v2/456/action) -> none
                    """),
            new Case("order: value, then wildcards as they stand, then the key alone; never back", """
                    domain: order
                    descriptors:
                    - {key: k, rate_limit: {unit: hour, requests_per_unit: 1}}
                    - {key: k, value: "ab*", rate_limit: {unit: hour, requests_per_unit: 2}}
                    - {key: k, value: "a*", rate_limit: {unit: hour, requests_per_unit: 3}}
                    - {key: k, value: "abc*", rate_limit: {unit: hour, requests_per_unit: 4}}
                    - {key: k, value: abcd, rate_limit: {unit: hour, requests_per_unit: 5}}
                    - {key: k, value: free}
                    - {key: n, value: x, descriptors: [{key: m, value: y, rate_limit: {unit: hour, requests_per_unit: 1}}]}
                    - {key: n, descriptors: [{key: m, rate_limit: {unit: hour, requests_per_unit: 1}}]}
                    """, """
                    1x (k,z) -> ok
                    (k,z) -> over
                    2x (k,abcde) -> ok
                    (k,abcde) -> over
                    3x (k,ac) -> ok
                    (k,ac) -> over
                    5x (k,abcd) -> ok
                    (k,abcd) -> over
                    4x (k,abc*) -> ok
                    (k,abc*) -> over
                    9x (k,free) -> none
                    (n,x)(m,y) -> ok
                    (n,x)(m,z) -> none
                    (n,w)(m,z) -> ok
                    (k,) -> ok
                    (k,) -> over
                    """),
            new Case("a wildcard counts at every level, and a rule between does too", """
                    domain: rl
                    descriptors:
                    - key: foo
                      rate_limit: {unit: minute, requests_per_unit: 2}
                      descriptors:
                      - {key: bar, rate_limit: {unit: minute, requests_per_unit: 3}}
                      - {key: bar, value: banned, rate_limit: {unit: minute, requests_per_unit: 0}}
                      - {key: bar, value: "b*", rate_limit: {unit: minute, requests_per_unit: 1}}
                      - {key: bay, rate_limit: {unlimited: true}}
                    """, """
                    2x (foo,foo) -> ok
                    (foo,foo) -> over
                    3x (foo,foo)(bar,x) -> ok
                    (foo,foo)(bar,x) -> over
                    (foo,foo)(bar,banned) -> over
                    (foo,foo)(bar,bx) -> ok
                    (foo,foo)(bar,bx) -> over
                    (foo,other)(bar,bx) -> ok
                    (foo,foo)(bay,x) -> unlimited
                    (foo,foo)(bar,x)(bay,x) -> none
                    """),
            new Case("example 10: value_to_metric changes nothing but statistics", """
                    domain: example10
                    descriptors:
                    - key: user
                      value_to_metric: true
                      descriptors:
                      - key: action
                        value: read*
                        value_to_metric: true
                        descriptors: [{key: resource, rate_limit: {unit: minute, requests_per_unit: 100}}]
                    """, """
                    100x (user,alice)(action,readfile)(resource,documents) -> ok
                    (user,alice)(action,readfile)(resource,documents) -> over
                    (user,bob)(action,readfile)(resource,documents) -> ok
                    (user,alice)(action,readdir)(resource,documents) -> ok
                    (user,alice)(action,write)(resource,documents) -> none
                    """),
            new Case("example 11: share_threshold, one bucket for all that are like the wildcard", """
                    domain: example11
                    descriptors:
                    - {key: files, value: files/*, share_threshold: true, rate_limit: {unit: hour, requests_per_unit: 10}}
                    - {key: files_no_share, value: files_no_share/*, share_threshold: false, rate_limit: {unit: hour, requests_per_unit: 10}}
                    - key: route
                      value: api/*
                      share_threshold: true
                      descriptors: [{key: method, rate_limit: {unit: minute, requests_per_unit: 60}}]
                    - {key: file, value: test1, rate_limit: {unit: minute, requests_per_unit: 50}}
                    - {key: file, value: test*, share_threshold: true, rate_limit: {unit: minute, requests_per_unit: 1}}
                    """, """
                    5x (files,files/a.pdf) -> ok
                    5x (files,files/b.csv) -> ok
                    (files,files/c.txt) -> over
                    10x (files_no_share,files_no_share/a.pdf) -> ok
                    (files_no_share,files_no_share/a.pdf) -> over
                    10x (files_no_share,files_no_share/b.csv) -> ok
                    30x (route,api/v1)(method,GET) -> ok
                    30x (route,api/v2)(method,GET) -> ok
                    (route,api/v3)(method,GET) -> over
                    (route,api/v3)(method,POST) -> ok
                    50x (file,test1) -> ok
                    (file,test2) -> ok
                    (file,test3) -> over
                    """),
            new Case("a key at several levels, and keys that policies know otherwise", """
                    domain: keys
                    descriptors:
                    - key: files
                      descriptors: [{key: files, rate_limit: {unit: day, requests_per_unit: 1}}]
                    - {key: path, rate_limit: {unit: day, requests_per_unit: 1}}
                    - {key: envoy.rule, rate_limit: {unit: day, requests_per_unit: 1}}
                    - {key: a_b, rate_limit: {unit: day, requests_per_unit: 1}}
                    - {key: a, value: b, rate_limit: {unit: day, requests_per_unit: 2}}
                    """, """
                    (files,1)(files,2) -> ok
                    (files,2)(files,1) -> ok
                    (files,1)(files,2) -> over
                    (path,/a/../b) -> ok
                    (path,/b) -> ok
                    (path,/b) -> over
                    (envoy.rule,keys/path) -> ok
                    (envoy.rule,keys/path) -> over
                    (a_b,c) -> ok
                    (a_b,c) -> over
                    2x (a,b) -> ok
                    (a,b) -> over
                    (a,b_c) -> none
                    """),
            new Case(
                    "units are fixed lengths, in windows aligned to the epoch",
                    """
                    domain: units
                    descriptors:
                    - {key: minute, rate_limit: {unit: MINUTE, requests_per_unit: 1}}
                    - {key: week, rate_limit: {unit: week, requests_per_unit: 1}}
                    - {key: month, rate_limit: {unit: Month, requests_per_unit: 1}}
                    - {key: year, rate_limit: {unit: year, requests_per_unit: 4294967295}}
                    """,
                    // 2026-01-01 is a Thursday, as 1970-01-01 was; day 20454 = 681 * 30 + 24 = 56 * 365 + 14.
                    """
                    (minute,x) -> ok
                    (week,x) -> ok
                    (month,x) -> ok
                    (year,x) -> ok
                    +PT59S
                    (minute,x) -> over
                    +PT1S
                    (minute,x) -> ok
                    +PT143H58M
                    (month,x) -> over
                    +PT1M
                    (month,x) -> ok
                    (week,x) -> over
                    +PT24H
                    (week,x) -> ok
                    """),
            new Case("algorithm, an extension: the same numbers, counted otherwise", """
                    domain: extension
                    descriptors:
                    - {key: fixed, rate_limit: {unit: minute, requests_per_unit: 6}}
                    - {key: bucket, rate_limit: {unit: minute, requests_per_unit: 6, algorithm: token-bucket}}
                    - {key: log, rate_limit: {unit: minute, requests_per_unit: 6, algorithm: sliding-log}}
                    """, """
                    +PT55S
                    6x (fixed,x); (bucket,x); (log,x) -> ok,ok,ok
                    (fixed,x); (bucket,x); (log,x) -> over,over,over
                    +PT10S
                    6x (fixed,x) -> ok
                    (bucket,x); (log,x) -> ok,over
                    (bucket,x) -> over
                    +PT50S
                    6x (log,x) -> ok
                    (log,x) -> over
                    """));

    @ParameterizedTest
    @FieldSource("CASES")
    void calls_areAnsweredAsDocumented(Case each) {
        EnvoyConfig config = EnvoyConfig.parse(Map.of("test.yaml", each.yaml()));
        assertThat(config.policies().warnings()).isEmpty();
        ManualTime time = new ManualTime();
        try (PolicyEngine engine = PolicyEngine.builder()
                .policies(config.policies())
                .store(MemoryStore.builder().time(time).build())
                .time(time)
                .build()) {
            String domain = config.domains().iterator().next();
            each.calls().lines().forEach(line -> {
                if (line.startsWith("+")) {
                    time.advance(Duration.parse(line.substring(1)));
                } else {
                    check(config, engine, domain, line);
                    assertThat(config.matchAll("another", descriptors("(a,b)"))).containsExactly(Optional.empty());
                }
            });
        }
    }

    private static void check(EnvoyConfig config, PolicyEngine engine, String domain, String line) {
        MatchResult call = CALL.matcher(line).results().findFirst().orElseThrow();
        int times = call.group(1) == null ? 1 : Integer.parseInt(call.group(1));
        for (int i = 1; i <= times; i++) {
            String answers = config.matchAll(domain, descriptors(call.group(2))).stream()
                    .map(match -> answer(engine, match))
                    .collect(Collectors.joining(","));
            assertThat(answers).as("call %d of: %s", i, line).isEqualTo(call.group(3));
        }
    }

    private static String answer(PolicyEngine engine, Optional<EnvoyMatch> match) {
        if (match.isEmpty()) {
            return "none";
        }
        PolicyDecision decision = engine.check(match.get().attributes());
        assertThat(decision.results())
                .extracting(PolicyResult::policy)
                .containsExactly(match.get().rule().policy());
        if (match.get().rule().unlimited()) {
            return "unlimited";
        }
        return decision.allowed() ? "ok" : "over";
    }

    private static List<List<EnvoyEntry>> descriptors(String text) {
        List<List<EnvoyEntry>> descriptors = new ArrayList<>();
        for (String descriptor : text.split("; ", -1)) {
            descriptors.add(ENTRY.matcher(descriptor)
                    .results()
                    .map(entry -> new EnvoyEntry(entry.group(1), entry.group(2)))
                    .toList());
        }
        return descriptors;
    }
}

package io.sluice.benchmarks.local;

import com.alibaba.csp.sentinel.SphU;
import com.alibaba.csp.sentinel.slots.block.BlockException;
import com.alibaba.csp.sentinel.slots.block.RuleConstant;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRule;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRuleManager;
import java.util.List;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Sentinel: an entry with a flow rule, which also keeps statistics. */
public abstract class SentinelPeer {
    private static final String RESOURCE = "bench";

    SentinelPeer(double permitsInSecond) {
        FlowRule rule = new FlowRule(RESOURCE);
        rule.setGrade(RuleConstant.FLOW_GRADE_QPS);
        rule.setCount(permitsInSecond);
        FlowRuleManager.loadRules(List.of(rule));
    }

    final boolean tryAcquire() {
        try {
            SphU.entry(RESOURCE).exit();
            return true;
        } catch (BlockException e) {
            return false;
        }
    }

    @State(Scope.Benchmark)
    public static class Plenty extends SentinelPeer {
        public Plenty() {
            super(BenchmarkLimits.PLENTY);
        }
    }

    @State(Scope.Benchmark)
    public static class Drained extends SentinelPeer {
        public Drained() {
            // Its windows are one second long, so one permit per day is not possible.
            super(0);
        }
    }
}

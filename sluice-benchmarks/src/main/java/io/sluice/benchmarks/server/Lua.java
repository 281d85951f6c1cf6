package io.sluice.benchmarks.server;

/** Lua scripts for Redis and wrk. */
final class Lua {
    private Lua() {}

    /*
     * The same bucket as CL.THROTTLE, as an expert of Redis would write it: one GET, one SET, and no tables except the reply.
     */
    /** A Redis script that decides like {@code CL.THROTTLE key burst count period}. */
    static final String THROTTLE = """
            local time = redis.call('TIME')
            local now = time[1] * 1000000 + time[2]
            local limit = ARGV[1] + 1
            local each = ARGV[3] * 1000000 / ARGV[2]
            local full = tonumber(redis.call('GET', KEYS[1]) or now)
            if full < now then full = now end
            local after = full + each
            local most = limit * each
            if after - now > most then
              return {1, limit, math.floor((most - (full - now)) / each), math.ceil((after - now - most) / 1000000), math.ceil((full - now) / 1000000)}
            end
            redis.call('SET', KEYS[1], string.format('%.0f', after), 'PX', string.format('%.0f', math.ceil((after - now) / 1000)))
            return {0, limit, math.floor((most - (after - now)) / each), -1, math.ceil((after - now) / 1000000)}
            """;

    /** A wrk script that sends checks of a thousand tenants in turn. */
    static String checks(String body) {
        return """
                local requests = {}
                local next = 0
                init = function()
                  for i = 0, 999 do
                    local body = string.gsub('%s', 'TENANT', 'tenant-' .. i)
                    requests[i] = wrk.format('POST', '/v1/check', {['Content-Type'] = 'application/json'}, body)
                  end
                end
                request = function()
                  next = (next + 1) %% 1000
                  return requests[next]
                end
                """.formatted(body);
    }
}

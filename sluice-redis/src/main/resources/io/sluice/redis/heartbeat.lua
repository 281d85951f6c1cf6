-- heartbeat: notes that a process is alive, and says what has changed.
--
-- KEYS[1]  the configuration        KEYS[2]  the live processes: a sorted set, by the millisecond after which they count as dead
-- KEYS[3…] for each publication that the process follows: the processes that are ready; see ready.lua
-- ARGV     the id of the process, the milliseconds for which it counts as alive, for each publication the edition for which it is
--          ready
-- reply    the time in microseconds, the number of changes of the configuration, the number of live processes, the number of
--          changes of limits

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
redis.call('ZADD', KEYS[2], now + ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
for i = 3, #KEYS do
  redis.call('HSET', KEYS[i], ARGV[1], ARGV[i])
  redis.call('PEXPIRE', KEYS[i], 3600000)
end
return {
  string.format('%.0f', time[1] * 1000000 + time[2]),
  redis.call('HGET', KEYS[1], 'epoch') or '0',
  tostring(redis.call('ZCARD', KEYS[2])),
  redis.call('HGET', KEYS[1], 'limits') or '0',
}

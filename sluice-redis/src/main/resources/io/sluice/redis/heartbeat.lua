-- pulse: a process says that it lives, and hears what is new.
--
-- KEYS[1]  the configuration        KEYS[2]  the live processes: a sorted set by the millisecond they are taken for dead
-- KEYS[3…] of each publication that the process follows, who is ready; see ready.lua
-- ARGV     the process, for how many milliseconds it counts as alive, of each publication the edition that it is ready for
-- reply    the time in microseconds, how often the configuration has changed, how many processes live, how often limits have
--          changed

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

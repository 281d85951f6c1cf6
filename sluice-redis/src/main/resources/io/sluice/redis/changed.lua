-- changed: counts a change of limits: in epoch, which counts all changes, and in limits, which counts nothing else.

local function changed(config)
  for _, counter in ipairs({'epoch', 'limits'}) do
    -- If Redis has lost everything, the count must not reach a number that a process has seen before.
    if redis.call('HINCRBY', config, counter, 1) == 1 then
      redis.call('HSET', config, counter, redis.call('TIME')[1] .. '000000')
    end
  end
end

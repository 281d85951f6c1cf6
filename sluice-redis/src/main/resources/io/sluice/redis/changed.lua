-- changed: counts that limits have changed, for all who follow: in epoch, and in limits, which counts nothing else.

local function changed(config)
  for _, counter in ipairs({'epoch', 'limits'}) do
    -- After everything was lost, it must not come to a number that somebody has seen before.
    if redis.call('HINCRBY', config, counter, 1) == 1 then
      redis.call('HSET', config, counter, redis.call('TIME')[1] .. '000000')
    end
  end
end

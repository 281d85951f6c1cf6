-- Gives holds of concurrency limits back, and renews them.

local function holders()
  local v = {}

  -- Whether a hold was given back (LEAVE), or made (READMIT), by any limit of the key.
  function v.each(verb, key, id, now)
    local any = false
    for i, k in ipairs(key.limits) do
      if k.kind == CONCURRENCY then
        local s = key.states[i]
        local t = arrive(k, s, now)
        if verb == LEAVE then
          any = k.m.leave(s, id, t) or any
        elseif not k.m.holds(s, id) then
          k.m.enter(k, s, id, t)
          any = true
        end
      end
    end
    key.dirty = key.dirty or any
    return any and '\1' or '\0'
  end

  local function holds(key, id, now)
    local any = false
    for i, k in ipairs(key.limits) do
      if k.kind == CONCURRENCY then
        arrive(k, key.states[i], now)
        any = k.m.holds(key.states[i], id) or any
      end
    end
    return any
  end

  function v.renew(charges, ids, how, now)
    for i, key in ipairs(charges) do
      if not holds(key, ids[i], now) then
        return '\0'
      end
    end
    if how == RENEW_ALL then
      for j, key in ipairs(charges) do
        local id = ids[j]
        for i, k in ipairs(key.limits) do
          local s = key.states[i]
          if k.kind == CONCURRENCY and k.m.leave(s, id, s.at) then
            k.m.enter(k, s, id, s.at)
            key.dirty = true
          end
        end
      end
    end
    return '\1'
  end

  return v
end

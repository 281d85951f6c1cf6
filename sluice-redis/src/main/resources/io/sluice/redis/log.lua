-- The sliding log: the permits that were taken within the window, with one entry for each microsecond.
--
-- terms  a  the window

local function log()
  local function oldest(k, t)
    return t - k.a + 1
  end
  local m = ring(function(_, t) return t end, oldest)

  local take = m.take

  -- In debt, a log would grow with each charge. The newest entries that together exceed the capacity are enough.
  function m.take(k, s, n, t)
    take(k, s, n, t)
    if s.older > 0 and s.sum - s.base > k.cap then
      s.dead = m.first_with_sum(s, s.sum - k.cap)
      if s.dead > 0 then
        local _, sum = m.entry(s, s.dead - 1)
        s.below = sum
        m.settle(k, s, t)
      end
    end
  end

  function m.use(_, s)
    return s.sum - s.below
  end

  function m.wait(k, s, n)
    local needed = s.sum + n - k.cap
    if needed <= s.base then
      return 0
    end
    local mark = m.entry(s, m.first_with_sum(s, needed))
    return max(0, k.a - (s.t - mark))
  end

  m.due = m.wait

  function m.unused(k, s)
    return s.mark and max(0, k.a - (s.t - s.mark)) or 0
  end

  function m.adopt(k, s, other, old)
    if old.kind ~= k.kind or old.a ~= k.a then
      return false
    end
    m.copy(s, other)
    return true
  end

  return m
end

-- The sliding log: the permits that were taken within the window, with one entry for each microsecond.
--
-- terms  a  the window

local function log()
  local function oldest(k, t)
    return t - k.a + 1
  end
  local m = ring(function(_, t) return t end, oldest)

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

-- The token bucket that is refilled at the end of each period.
--
-- terms  a  the period        b  permits in a period
-- state  used, anchor  whole permits in use at the latest change, and the start of the period        u, begun  on arrival

local function interval()
  local m = {}

  function m.fresh(s)
    s.used, s.anchor = 0, 0
  end

  function m.void(s)
    return s.used == 0
  end

  function m.read(s, text, pos)
    s.used, s.anchor, pos = read('>I7I7', text, pos)
    return pos
  end

  function m.write(_, s)
    return pack('>I7I7', s.used, s.anchor)
  end

  function m.arrive(k, s, t)
    s.u, s.begun, s.t = s.used, s.anchor, t
    if s.used > 0 then
      local micros = t - s.anchor
      micros = micros - fmod(micros, k.a)
      local periods = micros / k.a
      s.u = periods >= div_up(s.used, k.b) and 0 or s.used - periods * k.b
      s.begun = s.anchor + micros
    end
  end

  function m.use(_, s)
    return s.u
  end

  local function back_in(k, s, permits)
    return permits <= 0 and 0 or max(0, div_up(permits, k.b) * k.a - (s.t - s.begun))
  end

  function m.wait(k, s, n)
    return back_in(k, s, s.u - (k.cap - n))
  end

  function m.unused(k, s)
    return back_in(k, s, s.u)
  end

  m.due = m.wait

  function m.settle(_, s, t)
    s.used, s.anchor, s.last = s.u, s.begun, t
  end

  function m.take(_, s, n, t)
    if s.u == 0 then
      s.begun = t
    end
    s.u = s.u + n
    s.used, s.anchor, s.last = s.u, s.begun, t
  end

  function m.give(_, s, n, t)
    s.u = max(0, s.u - n)
    s.used, s.anchor, s.last = s.u, s.begun, t
  end

  m.notes = true

  function m.adopt(k, s, other, old)
    if old.kind ~= k.kind or old.a ~= k.a then
      return false
    end
    s.used, s.anchor = min(other.u, k.most), other.begun
    return true
  end

  return m
end

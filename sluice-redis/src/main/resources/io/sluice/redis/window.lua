-- The fixed window, which is aligned to the epoch or begins with its first use.
--
-- terms  a  the window
-- state  opened, count  the start and the count of the latest window        c  the count on arrival; 0 if the window is over

local function window()
  local m = {}

  function m.fresh(s)
    s.opened, s.count = 0, 0
  end

  function m.void(s)
    return s.count == 0
  end

  function m.read(s, text, pos)
    s.opened, s.count, pos = read('>I7I7', text, pos)
    return pos
  end

  function m.write(_, s)
    return pack('>I7I7', s.opened, s.count)
  end

  function m.arrive(k, s, t)
    s.t = t
    s.c = t - s.opened < k.a and s.count or 0
  end

  function m.use(_, s)
    return s.c
  end

  function m.unused(k, s)
    return s.c > 0 and k.a - (s.t - s.opened) or 0
  end

  function m.wait(k, s, n)
    return n <= k.cap - s.c and 0 or m.unused(k, s)
  end

  m.due = m.wait

  function m.settle(_, s, t)
    s.last = t
  end

  function m.take(k, s, n, t)
    if s.c == 0 then
      s.opened = k.kind == FROM_FIRST and t or t - fmod(t, k.a)
    end
    s.c = s.c + n
    s.count, s.last = s.c, t
  end

  function m.give(_, s, n, t)
    s.c = max(0, s.c - n)
    s.count, s.last = s.c, t
  end

  function m.adopt(k, s, other, old)
    if old.kind ~= k.kind or old.a ~= k.a then
      return false
    end
    if other.c > 0 then
      s.opened, s.count = other.opened, other.c
    end
    return true
  end

  return m
end

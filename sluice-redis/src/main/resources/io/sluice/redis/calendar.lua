-- The fixed window of the calendar. Redis knows no time zones: the call brings the windows around the time of this server.
--
-- terms  a  a number for the calendar and its zone        windows  begin and end of each window that the call brings
-- state  opened, ends, count  the latest window and its count        c  the count on arrival; 0 if the window is over

local function calendar()
  local m = {}

  function m.fresh(s)
    s.opened, s.ends, s.count = 0, 0, 0
  end

  function m.void(s)
    return s.count == 0
  end

  function m.read(s, text, pos)
    s.opened, s.ends, s.count, pos = read('>I7I7I7', text, pos)
    return pos
  end

  function m.write(_, s)
    return pack('>I7I7I7', s.opened, s.ends, s.count)
  end

  function m.arrive(_, s, t)
    s.t = t
    s.c = t < s.ends and s.count or 0
  end

  function m.use(_, s)
    return s.c
  end

  function m.unused(_, s)
    return s.c > 0 and s.ends - s.t or 0
  end

  function m.wait(k, s, n)
    return n <= k.cap - s.c and 0 or m.unused(k, s)
  end

  m.due = m.wait

  function m.settle(_, s, t)
    s.last = t
  end

  local function open(k, s, t)
    local windows = k.windows or {}
    for i = 1, #windows, 2 do
      if windows[i] <= t and t < windows[i + 1] then
        s.opened, s.ends = windows[i], windows[i + 1]
        return
      end
    end
    -- Nothing is written. The client asks again, with the window of this time.
    wanted_window = t
  end

  function m.take(k, s, n, t)
    if s.c == 0 then
      open(k, s, t)
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
      s.opened, s.ends, s.count = other.opened, other.ends, other.c
    end
    return true
  end

  return m
end

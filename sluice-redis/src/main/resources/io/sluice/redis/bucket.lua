-- The greedy token bucket and the leaky bucket: permits in use that drain at a constant rate.
--
-- terms  a  the units in one permit        b  the units that drain in a microsecond
-- state  whole, part  permits and units in use at the latest change        w, p  at the time of arrival

local function bucket()
  local m = {}

  -- The least microseconds in which an amount drains.
  local function time_for(k, whole, part)
    local units = whole * k.a + part
    if units < EXACT then
      return k.b == 1 and units or div_up(units, k.b)
    end
    local micros, rest = mul_div(whole, k.a, k.b)
    return micros + div_up(rest + part, k.b)
  end

  -- The difference of two amounts, or nothing if the second is larger.
  local function minus(k, whole, part, less_whole, less_part)
    if less_whole > whole or (less_whole == whole and less_part >= part) then
      return 0, 0
    elseif less_part > part then
      return whole - less_whole - 1, part - less_part + k.a
    end
    return whole - less_whole, part - less_part
  end

  function m.fresh(s)
    s.whole, s.part = 0, 0
  end

  function m.void(s)
    return s.whole == 0 and s.part == 0
  end

  function m.read(s, text, pos)
    s.whole, s.part, pos = read('>I7I7', text, pos)
    return pos
  end

  function m.write(_, s)
    return pack('>I7I7', s.whole, s.part)
  end

  function m.arrive(k, s, t)
    local whole, part, micros = s.whole, s.part, t - s.last
    if micros > 0 and (whole > 0 or part > 0) then
      local units = whole * k.a + part
      if units < EXACT then
        units = units - micros * k.b
        if units <= 0 then
          whole, part = 0, 0
        else
          part = fmod(units, k.a)
          whole = (units - part) / k.a
        end
      elseif micros >= time_for(k, whole, part) then
        whole, part = 0, 0
      else
        whole, part = minus(k, whole, part, mul_div(micros, k.b, k.a))
      end
    end
    s.w, s.p = whole, part
  end

  function m.use(_, s)
    return s.p > 0 and s.w + 1 or s.w
  end

  function m.wait(k, s, n)
    local over = s.w - (k.cap - n)
    return over < 0 and 0 or time_for(k, over, s.p)
  end

  function m.unused(k, s)
    return time_for(k, s.w, s.p)
  end

  function m.delay(k, s)
    return k.kind == LEAKY and time_for(k, s.w, s.p) or 0
  end

  -- How long to wait before permits that are taken now may be used.
  function m.due(k, s, n)
    return k.kind == LEAKY and time_for(k, s.w, s.p) or m.wait(k, s, n)
  end

  function m.settle(_, s, t)
    s.whole, s.part, s.last = s.w, s.p, t
  end

  function m.take(_, s, n, t)
    s.w = s.w + n
    s.whole, s.part, s.last = s.w, s.p, t
  end

  local function give(k, s, whole, part, t)
    s.w, s.p = minus(k, s.w, s.p, whole, part)
    s.whole, s.part, s.last = s.w, s.p, t
  end

  function m.give(k, s, n, t)
    give(k, s, n, 0, t)
  end

  -- Gives back what has not drained yet of n permits that were taken with a receipt. Returns whether there was anything.
  function m.cancel(k, s, receipt, n, t)
    if receipt.w >= n then
      give(k, s, n, 0, t)
    elseif receipt.w > 0 or receipt.p > 0 then
      give(k, s, receipt.w, receipt.p, t)
    else
      return false
    end
    return true
  end

  function m.less(_, s, other)
    return s.w < other.w or (s.w == other.w and s.p < other.p)
  end

  m.notes = true

  function m.adopt(k, s, other, old)
    if old.kind ~= k.kind then
      return false
    end
    local part, rest = mul_div(other.p, k.a, old.a)
    if rest > 0 then
      part = part + 1
    end
    s.whole, s.part = other.w, part
    if part == k.a then
      s.whole, s.part = other.w + 1, 0
    end
    if s.whole >= k.most then
      s.whole, s.part = k.most, 0
    end
    return true
  end

  return m
end

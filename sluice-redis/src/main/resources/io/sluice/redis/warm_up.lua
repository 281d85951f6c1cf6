-- The rate that warms up: a request pays for the one after it, and costs more after an idle time.
--
-- terms  a  the units in one permit        b  the units that an idle microsecond stores        full  the most units stored
--        parts  2 * b * full, the parts in which a microsecond is counted
-- state  missing  the units that are missing in the store        free, part  when the next request is free: a microsecond, less
--        2^53, and parts of one        miss, f, p  the same on arrival
--
-- A receipt is never free. It has the units that were taken as missing units, and moved, moved_part: how far `free` was moved.
-- lacked: the units that were missing before; nil if the receipt comes from another limit.

local function warm_up()
  local m = {}
  -- 2^54, less 2^53
  local NEVER_FREE = 9007199254740992
  -- The same, and the receipt has `lacked`.
  local NEVER_FREE_LACKED = 9007199254740991
  -- Permits by force are paid ahead for this time at most (2^51), not counting that the limit is cold.
  local MOST_AHEAD = 2251799813685248

  function m.fresh(s)
    s.missing, s.free, s.part = 0, -EXACT, 0
  end

  function m.void(s)
    local late = s.last - EXACT - s.free
    return s.missing == 0 and (late > 0 or (late == 0 and s.part == 0))
  end

  function m.read(s, text, pos)
    s.missing, pos = read('>I7', text, pos)
    s.free, pos = read_end(text, pos)
    s.part, pos = read('>I7', text, pos)
    if s.free >= NEVER_FREE_LACKED then
      s.moved, s.moved_part, pos = read('>I7I7', text, pos)
    end
    if s.free == NEVER_FREE_LACKED then
      s.free = NEVER_FREE
      s.lacked, pos = read('>I7', text, pos)
    end
    return pos
  end

  function m.write(_, s)
    local receipt = s.free == NEVER_FREE
    return pack('>I7', s.missing) .. write_end(receipt and s.lacked and NEVER_FREE_LACKED or s.free) .. pack('>I7', s.part)
      .. (receipt and pack('>I7I7', s.moved, s.moved_part) or '')
      .. (receipt and s.lacked and pack('>I7', s.lacked) or '')
  end

  function m.arrive(k, s, t)
    local late = t - EXACT - s.free
    s.t = t - EXACT
    s.miss, s.f, s.p = s.missing, s.free, s.part
    if late > 0 then
      if late > div_up(s.missing, k.b) + 1 then
        s.miss = 0
      elseif s.missing > 0 then
        s.miss = max(0, s.missing - (late * k.b - div_up(s.part, 2 * k.full)))
      end
      s.f, s.p = s.t, 0
    end
  end

  local function is_free(s)
    return s.f < s.t or (s.f == s.t and s.p == 0)
  end

  -- While the request before is not paid, not even 0 permits are allowed.
  function m.use(k, s)
    return is_free(s) and 0 or k.cap + 1
  end

  -- The permits that are carried to a limit of another kind.
  function m.carried(k, s)
    return div_up(s.miss, k.a)
  end

  function m.wait(_, s)
    return is_free(s) and 0 or s.f - s.t + (s.p > 0 and 1 or 0)
  end

  m.due = m.wait

  function m.unused(k, s)
    local rest = fmod(s.miss, k.b)
    return s.f - s.t + (s.miss - rest) / k.b + div_up(s.p + rest * 2 * k.full, k.parts)
  end

  function m.settle(_, s, t)
    s.last = t
  end

  local function units(k, n)
    return n > (k.full - fmod(k.full, k.a)) / k.a and k.full or n * k.a
  end

  -- What n permits cost with so many units stored: microseconds, parts of one, and the units that they take.
  local function cost(k, n, stored)
    local takes = n > (stored - fmod(stored, k.a)) / k.a and stored or n * k.a
    local warm, rest = mul_div(n, k.a, k.b)
    local before = max(0, 2 * stored - k.full)
    local after = max(0, 2 * (stored - takes) - k.full)
    local cold, part = mul_div(before - after, before + after, k.parts)
    part = part + rest * 2 * k.full
    if part >= k.parts then
      return warm + cold + 1, part - k.parts, takes
    end
    return warm + cold, part, takes
  end

  local function store(s, t)
    s.missing, s.free, s.part, s.last = s.miss, s.f, s.p, t
  end

  function m.take(k, s, n, t)
    if s.miss == 0 and is_free(s) then
      -- Cold again, all earlier reservations are paid. Without the lockout, the key would have been forgotten.
      s.life, s.seq, s.notes = nil, nil, nil
    end
    local micros, part, takes = cost(k, n, k.full - s.miss)
    s.taken, s.moved, s.moved_part = takes, micros, part
    s.miss = s.miss + takes
    s.f, s.p = s.f + micros, s.p + part
    if s.p >= k.parts then
      s.f, s.p = s.f + 1, s.p - k.parts
    end
    store(s, t)
  end

  function m.takable(k, s, n)
    local ahead = MOST_AHEAD - m.wait(k, s)
    if ahead <= 0 then
      return 0
    elseif n * k.a <= ahead * k.b and n * k.a < EXACT then
      return n
    end
    -- ahead * b / a may be too large for an exact number: then n is smaller.
    local quotient = ahead / k.a * k.b
    return quotient > 2 * n and n or min(n, (mul_div(ahead, k.b, k.a)))
  end

  local function move_back(k, s, micros, part, t)
    s.f, s.p = s.f - micros, s.p - part
    if s.p < 0 then
      s.f, s.p = s.f - 1, s.p + k.parts
    end
    if s.f < s.t then
      s.f, s.p = s.t, 0
    end
    store(s, t)
  end

  function m.give(k, s, n, t)
    s.miss = max(0, s.miss - units(k, n))
    -- More permits than these cost more than there is to pay, and their price may not be exact.
    local ahead = s.f - s.t + 1
    if ahead / k.a * k.b < n / 2 then
      n = min(n, (mul_div(ahead, k.b, k.a)) + 1)
    end
    local micros, part = cost(k, n, k.full - s.miss)
    move_back(k, s, micros, part, t)
  end

  function m.receipt(s)
    return {
      last = s.last, missing = s.taken, free = NEVER_FREE, part = 0, moved = s.moved, moved_part = s.moved_part,
      lacked = s.miss - s.taken,
    }
  end

  function m.cancel(k, s, receipt, _, t)
    s.miss = max(0, s.miss - receipt.missing)
    move_back(k, s, receipt.moved, receipt.moved_part, t)
    return true
  end

  -- Gives back `part` of the n permits of a receipt: what the others would have taken and moved is kept. Under another limit, a
  -- part goes back as any permits do.
  function m.undo(k, s, receipt, part, t, n)
    if part >= n then
      return m.cancel(k, s, receipt, part, t)
    elseif not receipt.lacked then
      m.give(k, s, part, t)
      return true
    end
    local micros, moved_part, takes = cost(k, n - part, k.full - receipt.lacked)
    s.miss = max(0, s.miss - (receipt.missing - takes))
    micros, moved_part = receipt.moved - micros, receipt.moved_part - moved_part
    if moved_part < 0 then
      micros, moved_part = micros - 1, moved_part + k.parts
    end
    move_back(k, s, micros, moved_part, t)
    return true
  end

  function m.less()
    return false
  end

  -- Takes over permits of another kind, or the receipt of n such permits. They have moved nothing.
  function m.carry(k, s, use, t, n)
    s.missing, s.free, s.part = units(k, n and min(use, n) or use), n and NEVER_FREE or t - EXACT, 0
    s.moved, s.moved_part = 0, 0
  end

  function m.adopt(k, s, other, old)
    if old.kind ~= k.kind then
      return false
    end
    s.missing, s.free = units(k, div_up(other.miss, old.a)), other.f
    local part, rest = mul_div(other.p, k.parts, old.parts)
    s.part = rest > 0 and part + 1 or part
    if s.part == k.parts then
      s.free, s.part = s.free + 1, 0
    end
    if other.moved then
      s.moved, s.moved_part = other.moved, (mul_div(other.moved_part, k.parts, old.parts))
    end
    return true
  end

  return m
end

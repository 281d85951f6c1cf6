-- Reservations, penalties, pauses, and giving permits back.
--
-- A receipt says what was taken: I4 version, B count, the limit if it is the key's own (CALL_LIMIT_VERSION), then for each limit
-- a block as in state.lua. The block has the whole use right after taking (earlier use drains first, so these permits drain
-- last); for log and counter, it has the new entry alone. The key keeps notes of what others give back in between, so that a
-- receipt never gives back more than is left: the notes are the suffix minima of the use that was left. A key keeps at most 32
-- notes. With more, a cancel may give back less, but never more.

local function reservations()
  local v = {}
  local MOST_NOTES = 32
  -- if a process dies in between, its hold delays a lockout for this time at most
  local HELD_AT_MOST = 1000000
  -- 2^52
  local LONGEST = 4503599627370496
  -- 2^50
  local MOST_IN_WINDOW = 1125899906842624

  local function receipt(k, s, n)
    if not s.life then
      s.life, s.seq = nonce, 0
      nonce = nonce + 1
    end
    local r = s
    if k.m.receipt then
      r = k.m.receipt(s)
    elseif k.kind == LOG or k.kind == COUNTER then
      r = fresh(k)
      arrive(k, r, s.last)
      k.m.take(k, r, n, s.last)
    end
    return pack('>BBI7', 5, k.kind, s.last) .. k.m.write(k, r) .. pack('>I6I4', s.life, s.seq)
  end

  -- The most permits that may be in use, as EncodedLimit.java has it. A limit that is stored with its key does not say it.
  local function most_in_use(k)
    if k.kind == GREEDY or k.kind == LEAKY then
      return min(LONGEST, k.b >= k.a and LONGEST or (mul_div(LONGEST, k.b, k.a)))
    elseif k.kind == INTERVAL then
      local periods = (LONGEST - fmod(LONGEST, k.a)) / k.a
      return periods * k.b >= LONGEST and LONGEST or periods * k.b
    end
    return MOST_IN_WINDOW
  end

  -- How many of n permits can be taken even if they are not available.
  local function takable(k, s, n)
    k.most = k.most or most_in_use(k)
    if k.m.takable then
      return k.m.takable(k, s, n)
    end
    return max(0, min(n, k.most - k.m.use(k, s)))
  end

  -- Takes n permits even if they are not available, up to the most that a limit may owe. Returns the receipt if it is wanted.
  local function take_by_force(key, n, wants_receipt, id)
    local parts = { pack('>I4B', key.terms.version, #key.limits) .. (key.own or '') }
    for i, k in ipairs(key.limits) do
      local s, taken = key.states[i], 0
      if k.kind == CONCURRENCY and id and n > 0 then
        k.m.enter_all(k, s, id, key.places or 1, s.at)
        key.dirty = true
      elseif k.m and k.kind ~= CONCURRENCY and n > 0 then
        taken = takable(k, s, n)
        if taken > 0 then
          k.m.take(k, s, taken, s.at)
        else
          k.m.settle(k, s, s.at)
          if is_void(k, s) then
            key.states[i] = fresh(k)
          end
        end
        key.dirty = true
      end
      if wants_receipt then
        parts[#parts + 1] = taken > 0 and receipt(k, s, taken) or '\0'
      end
    end
    return wants_receipt and concat(parts)
  end

  -- Takes permits that were judged as allowed, and returns a receipt. `id` names the hold that concurrency limits get, which
  -- is not in the receipt.
  function v.hold(key, n, id)
    local text = take_by_force(key, n, true, id)
    for i, k in ipairs(key.limits) do
      local s = key.states[i]
      if k.lockout > 0 and n > 0 then
        local held = s.held and s.at < s.held_until and s.held or 0
        s.held, s.held_until = held + n, s.at + HELD_AT_MOST
      end
    end
    return text
  end

  -- Takes permits that were judged as allowed, or are taken with those that were. Returns a receipt.
  function v.keep(key, n)
    return take_by_force(key, n, true)
  end

  -- Ends a hold: the permits are kept, or were given back.
  function v.confirm(key, n)
    for _, s in ipairs(key.states) do
      if s.held then
        s.held = max(0, s.held - n)
        key.dirty = true
      end
    end
  end

  -- B outcome (Outcome.java), I7 wait, I2 length of the receipt, the receipt
  function v.reserve(key, n, at_most, now)
    local wait, lends, paused = 0, true, false
    for i, k in ipairs(key.limits) do
      local s = key.states[i]
      local t = arrive(k, s, now)
      if n > k.cap or k.kind == BLOCKED then
        wait = EXACT
      else
        wait = max(wait, k.m and k.m.due(k, s, n) or 0, lock_rest(s, t))
        lends = lends and (not k.m or (k.kind <= INTERVAL or k.kind == WARM_UP) and takable(k, s, n) == n)
        -- No reservation during a pause: all of them would be due at its end.
        paused = paused or rest_until(s.pause, t) > 0
      end
    end
    lends = lends and not paused
    if wait == 0 or (wait <= at_most and lends) then
      local text = n > 0 and take_by_force(key, n, true) or ''
      return pack('>BI7I2', ALLOWED, wait, #text) .. text
    end
    return pack('>BI7I2', paused and DENIED_BY_PAUSE or DENIED, wait, 0)
  end

  function v.penalize(key, n, now)
    if n > 0 then
      for i, k in ipairs(key.limits) do
        if k.m then
          arrive(k, key.states[i], now)
        end
      end
      take_by_force(key, n, false)
    end
  end

  -- As penalize, but with an amount for each limit.
  function v.owe(key, amounts, now)
    for i, k in ipairs(key.limits) do
      local s = key.states[i]
      if k.m and amounts[i] > 0 then
        arrive(k, s, now)
        local taken = takable(k, s, amounts[i])
        if taken > 0 then
          k.m.take(k, s, taken, s.at)
          key.dirty = true
        end
      end
    end
  end

  local function less(k, s, other)
    if k.m.less then
      return k.m.less(k, s, other)
    end
    return k.m.use(k, s) < k.m.use(k, other)
  end

  local function copy_of(s)
    local copy = {}
    for name, value in pairs(s) do
      copy[name] = value
    end
    copy.notes, copy.life, copy.lock, copy.doubled, copy.pause = nil, nil, nil, nil, nil
    return copy
  end

  local function gave_back(key, i, k, s, t)
    key.dirty = true
    if is_void(k, s) then
      key.states[i] = fresh(k)
    elseif s.life and k.m.notes then
      s.seq = s.seq + 1
      local note = copy_of(s)
      note.seq = s.seq
      local notes = s.notes or {}
      while #notes > 0 do
        local before = notes[#notes]
        arrive(k, before, t)
        if less(k, before, note) then
          break
        end
        notes[#notes] = nil
      end
      notes[#notes + 1] = note
      if #notes > MOST_NOTES then
        notes[1].seq = notes[2].seq
        table.remove(notes, 2)
      end
      s.notes = notes
    end
  end

  function v.refund(key, n, now)
    for i, k in ipairs(key.limits) do
      if k.m and n > 0 then
        local s = key.states[i]
        local t = arrive(k, s, now)
        if k.m.unused(k, s) > 0 then
          k.m.give(k, s, n, t)
          gave_back(key, i, k, s, t)
        end
      end
    end
  end

  -- `part` of n permits goes back to where it came from; without `part`, all n, newest use first.
  local function cancel(key, i, k, s, r, n, now, part)
    local m = k.m
    local t = arrive(k, s, now)
    arrive(k, r, t)
    for _, note in ipairs(s.notes or {}) do
      if note.seq > r.seq then
        arrive(k, note, t)
        if less(k, note, r) then
          r = note
        end
      end
    end
    -- A lockout may keep a key whose window was given back completely. The next use opens another window.
    local other_window = (k.kind == FROM_FIRST or k.kind == ALIGNED or k.kind == CALENDAR) and s.opened ~= r.opened
    if m.unused(k, s) == 0 or other_window then
      return
    elseif part and m.undo then
      if m.undo(k, s, r, part, t, n) then
        gave_back(key, i, k, s, t)
      end
    elseif m.cancel then
      if m.cancel(k, s, r, part or n, t) then
        gave_back(key, i, k, s, t)
      end
    else
      local back = min(part or n, (m.still_used or m.use)(k, r))
      if back > 0 then
        m.give(k, s, back, t)
        gave_back(key, i, k, s, t)
      end
    end
  end

  function v.cancel(key, n, text, now, part)
    local version, count, pos = read('>I4B', text)
    local blocks, own, old = {}, nil, nil
    if version == CALL_LIMIT_VERSION then
      local from = pos
      old, pos = read_own(text, from)
      own = string.sub(text, from, pos - 1)
    end
    for i = 1, count do
      blocks[i], pos = read_block(text, pos)
    end
    if own and key.own and own ~= key.own and blocks[1] then
      -- It is unknown when the key got another limit, so the receipt is converted as of now.
      blocks[1] = converted(old, blocks[1], key.limits[1], now, n)
    elseif version ~= key.terms.version then
      blocks = upgrade(blocks, version, key.terms, now, n)
    end
    for i, k in ipairs(key.limits) do
      local s, r = key.states[i], blocks[i]
      if k.m and r and s.life and s.life == r.life then
        cancel(key, i, k, s, r, n, now, part)
      end
    end
  end

  -- Denies all requests for n microseconds, or longer if the key is already paused for longer.
  function v.pause(key, n, now)
    if n == 0 then
      return
    end
    for i, k in ipairs(key.limits) do
      local s = key.states[i]
      local t = arrive(k, s, now)
      if k.m then
        k.m.settle(k, s, t)
      else
        s.last = t
      end
      s.pause = max(s.pause or -EXACT, t - EXACT + n)
    end
    key.dirty = true
  end

  -- How long the key is still paused.
  function v.paused(key, now)
    local rest = 0
    for i, k in ipairs(key.limits) do
      local s = key.states[i]
      rest = max(rest, rest_until(s.pause, arrive(k, s, now)))
    end
    return rest
  end

  function v.reset(key)
    for i, k in ipairs(key.limits) do
      key.states[i] = fresh(k)
    end
    key.dirty = true
  end

  return v
end

-- Converts a key that was written under older limits: the result is as if it had been converted when the limits changed.

local function conversion()
  -- A receipt of n permits may have the whole use. Of the one entry to which that is carried, it has n permits at most.
  local function convert(old, s, k, since, n)
    local t = max(since, s.last)
    if not old.m or not k.m then
      local c = rest_until(s.pause, t) > 0 and fresh(k) or nil
      if c then
        c.last, c.pause = t, s.pause
      end
      return c
    end
    s.at = nil
    arrive(old, s, t)
    local c = fresh(k)
    if not k.m.adopt(k, c, s, old) then
      local use = min((old.m.carried or old.m.use)(old, s), k.most or EXACT)
      if use > 0 and k.m.carry then
        k.m.carry(k, c, use, t, n)
        use = 0
      elseif n and (k.kind == LOG or k.kind == COUNTER) then
        use = min(use, n)
      end
      if use > 0 then
        arrive(k, c, t)
        k.m.take(k, c, use, t)
      end
    end
    c.last, c.at = t, nil
    -- A lockout that runs goes on, also where the new limit has none. So does a pause.
    local doubled = escalated_rest(s, t) > 0 and min(s.doubled, k.escalate or 0) or 0
    if k.kind ~= CONCURRENCY and (rest_until(s.lock, t) > 0 or doubled > 0) then
      c.lock, c.doubled = s.lock, doubled
    end
    c.pause = s.pause
    c.life, c.seq, c.held, c.held_until = s.life, s.seq, s.held, s.held_until
    if s.notes then
      c.notes = {}
      for i, note in ipairs(s.notes) do
        local left = convert(old, note, k, since) or fresh(k)
        left.seq, left.last = note.seq, max(t, left.last)
        c.notes[i] = left
      end
    end
    return c
  end

  -- Converts from limits that are not in the history: the use counts as used just now.
  local function salvage(s, k, now)
    local c = fresh(k)
    c.pause = s.pause
    if k.m and module_of(s.kind) then
      -- The limit is not known by which the missing units of a warm-up would be permits.
      local use = (s.missing or k.kind == CONCURRENCY or s.kind == CONCURRENCY) and 0 or s.whole and s.whole + (s.part > 0 and 1 or 0) or s.used or s.count or s.sum - s.base
      arrive(k, c, now)
      if s.kind == CONCURRENCY and k.kind == CONCURRENCY then
        k.m.adopt(k, c, s, k)
      elseif k.m.carry then
        k.m.carry(k, c, use, now)
      elseif use > 0 then
        k.m.take(k, c, min(use, k.most), now)
      end
      c.last = max(now, s.last)
      c.at = nil
    end
    return c
  end

  -- Converts blocks of a version to the version in force; nil where there is nothing to keep. The blocks are those of a key,
  -- or those of a receipt of n permits.
  local function upgrade_blocks(blocks, version, terms, now, n)
    local steps = terms.steps
    local first = terms.version - #steps + 1
    local from = version - first + 1
    if from < 1 then
      local salvaged = {}
      for i, k in ipairs(steps[1].limits) do
        salvaged[i] = blocks[i] and salvage(blocks[i], k, now) or nil
      end
      blocks, from = salvaged, 1
    end
    for i = from + 1, #steps do
      local step, old, converted = steps[i], steps[i - 1].limits, {}
      for j, k in ipairs(step.limits) do
        local source = step.from[j]
        local same = source >= SAME_LIMIT
        source = same and source - SAME_LIMIT or source
        local s = blocks[source]
        if s and not same then
          s = convert(old[source], s, k, step.since, n)
          if s and is_void(k, s) then
            s = nil
          end
        end
        converted[j] = s
      end
      blocks = converted
    end
    return blocks
  end

  return upgrade_blocks, convert
end

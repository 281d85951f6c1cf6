-- The quick way for the most frequent requests: CHECK, TRY and PEEK on greedy token buckets, one limit each, without lockout.
--
-- It decides exactly as main.lua does, but without functions and almost without tables, which make a script slow. The client
-- says when a batch is of this kind, and groups its requests by key. If a key has anything else (the life of a reservation,
-- another version, another limit than the request brings, a debt too large for one product), this fragment changes nothing,
-- and main.lua decides the batch.

if quick == 1 then
  local texts
  if #KEYS == 1 then
    texts = { call('GET', KEYS[1]) }
  else
    texts = call('MGET', unpack(KEYS))
  end
  local number, version, a, b, cap, unused = 0, 0, 0, 0, 0, 0
  -- The beginning of the stored state of a key with its own limit.
  local own = ''
  for j = 1, #KEYS do
    local which = read('>I2', ARGV[2], 2 * j - 1)
    if which ~= number then
      number = which
      version, unused, unused, unused, unused, a, b, cap = read('>I4BI2BBI7I7I7', ARGV[3 + number])
      own = version == CALL_LIMIT_VERSION and string.sub(ARGV[3 + number], 45) or ''
    end
    local text = texts[j]
    if text then
      local format, count, written, flags, kind, unused, whole, part
      if version > 0 and #text == 29 then
        format, count, written, flags, kind, unused, whole, part = read('>BBI4BBI7I7I7', text)
      elseif version == CALL_LIMIT_VERSION and #text == #own + 23 and string.sub(text, 1, #own) == own then
        format, count, written = FORMAT, 1, 0
        flags, kind, unused, whole, part = read('>BBI7I7I7', text, #own + 1)
      end
      if format ~= FORMAT or count ~= 1 or written ~= version or flags ~= 1 or kind ~= GREEDY or whole * a + part >= EXACT then
        quick = 0
        break
      end
    end
  end

  if quick == 1 then
    local answers, size = { pack('>BI7', DECIDED, now) }, 1
    local requests, pos = ARGV[3], 1
    local j, whole, part, last, changed = 0, 0, 0, 0, false
    while true do
      local verb, key, n, times
      if pos <= #requests then
        verb, key, n, times, pos = read('>BI2I7I2', requests, pos)
        if virtual then
          now, pos = read('>I7', requests, pos)
        end
      else
        key = 0
      end

      if key ~= j then
        if changed then
          local units = whole * a + part
          local rest = fmod(units, b)
          local fresh_at = last + (rest > 0 and (units - rest) / b + 1 or units / b)
          rest = fmod(fresh_at, 1000)
          local expire_at = rest > 0 and (fresh_at - rest) / 1000 + 1 or fresh_at / 1000
          local text = version == CALL_LIMIT_VERSION and own .. pack('>BBI7I7I7', 1, GREEDY, last, whole, part)
            or pack('>BBI4BBI7I7I7', FORMAT, 1, version, 1, GREEDY, last, whole, part)
          call('SET', KEYS[j], text, virtual and 'PX' or 'PXAT', virtual and HOUR_MS or expire_at)
        end
        if key == 0 then
          break
        end
        j, whole, part, last, changed = key, 0, 0, 0, false
        local which = read('>I2', ARGV[2], 2 * j - 1)
        if which ~= number then
          number = which
          version, unused, unused, unused, unused, a, b, cap = read('>I4BI2BBI7I7I7', ARGV[3 + number])
          own = version == CALL_LIMIT_VERSION and string.sub(ARGV[3 + number], 45) or ''
        end
        if texts[j] then
          unused, last, whole, part = read('>BI7I7I7', texts[j], version > 0 and 8 or #own + 2)
        end
      end

      local t = now > last and now or last
      local w, p = whole, part
      if t > last and (w > 0 or p > 0) then
        local units = w * a + p - (t - last) * b
        if units <= 0 then
          w, p = 0, 0
        else
          p = fmod(units, a)
          w = (units - p) / a
        end
      end
      local free = cap - w - (p > 0 and 1 or 0)

      local allowed = 0
      if n == 0 then
        allowed = free >= 0 and times or 0
      elseif free >= n then
        allowed = min(times, (free - fmod(free, n)) / n)
      end
      local looks = verb == PEEK
      if not looks then
        size = size + 1
        answers[size] = pack('>I2I2', allowed, allowed > 0 and 1 or 0)
      end
      for i = 1, allowed do
        local left = looks and free or free - i * n
        local units = (looks and w or w + i * n) * a + p
        local rest = fmod(units, b)
        local reset = rest > 0 and (units - rest) / b + 1 or units / b
        size = size + 1
        if i == 1 then
          answers[size] = pack('>BI7I7I7I7', ALLOWED, left, 0, 0, reset)
        else
          answers[size] = pack('>I7I7', 0, reset)
        end
      end
      if n > 0 and allowed > 0 and not looks then
        w = w + allowed * n
        free = free - allowed * n
        whole, part, last, changed = w, p, t, true
      end
      if allowed < times then
        local retry = EXACT
        if n <= cap then
          local units = max(0, w - (cap - n)) * a + p
          local rest = fmod(units, b)
          retry = rest > 0 and (units - rest) / b + 1 or units / b
        end
        local units = w * a + p
        local rest = fmod(units, b)
        local reset = rest > 0 and (units - rest) / b + 1 or units / b
        size = size + 1
        if free < 0 then
          answers[size] = pack('>BI7I7I7I7', DENIED + IN_DEBT, -free, retry, 0, reset)
        else
          answers[size] = pack('>BI7I7I7I7', DENIED, free, retry, 0, reset)
        end
      end
    end
    return concat(answers)
  end
end

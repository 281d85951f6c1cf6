-- The quick way for ENTER, LEAVE and PEEK on limiters with one concurrency limit.
--
-- As quick.lua, it decides exactly as main.lua does, and the client groups requests by key. It writes at the end: if a key has
-- anything else (a pause, another version, a clock that was set back, holds that last longer than new ones, times from 2^53 on), it
-- writes nothing, and main.lua decides the batch. The entries of a key begin at byte 21, with 15 bytes each; see concurrency.lua.

if quick == 2 then
  local find, sub = string.find, string.sub
  local started = now
  local texts
  if #KEYS == 1 then
    texts = { call('GET', KEYS[1]) }
  else
    texts = call('MGET', unpack(KEYS))
  end
  local writes, expires = {}, {}
  local answers, size = { pack('>BI7', DECIDED, now) }, 1
  local requests, pos = ARGV[3], 1
  local j, number, version, hold, cap, unused = 0, 0, 0, 0, 0, 0
  local text, first, last, live, seen, newest, changed = '', 21, 0, 0, 0, 0, false
  local cut, cuts, added, more
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
        local parts, from = {}, first
        if cut then
          if cuts[2] then
            table.sort(cuts)
          end
          for i = 1, #cuts do
            parts[i] = sub(text, from, cuts[i] - 1)
            from = cuts[i] + 15
          end
        end
        parts[#parts + 1] = sub(text, from)
        if more > 0 then
          parts[#parts + 1] = concat(added)
        end
        local held = live + more
        if held > 0 then
          local entries = concat(parts)
          local lapse = more > 0 and newest or read('>I7', entries, #entries - 6)
          local rest = fmod(lapse, 1000)
          writes[j] = pack('>BBI4BBBI7I4', FORMAT_MORE, 1, version, WITH_HOLDS, 1, CONCURRENCY, last, held) .. entries
          expires[j] = rest > 0 and (lapse - rest) / 1000 + 1 or lapse / 1000
        elseif texts[j] then
          writes[j] = ''
        end
      end
      if key == 0 then
        break
      end
      j, text, first, last, live, seen, more, cut, changed = key, texts[key] or '', 21, 0, 0, 0, 0, nil, false
      local which = read('>I2', ARGV[2], 2 * j - 1)
      if which ~= number then
        number = which
        version, unused, unused, unused, unused, hold, unused, cap = read('>I4BI2BBI7I7I7', ARGV[3 + number])
      end
      if #text > 20 then
        local format, count, written, further, flags, kind
        format, count, written, further, flags, kind, last, live = read('>BBI4BBBI7I4', text)
        if format ~= FORMAT_MORE or count ~= 1 or written ~= version or further ~= WITH_HOLDS or flags ~= 1
            or kind ~= CONCURRENCY or read('>I7', text, #text - 6) >= EXACT then
          quick = 0
          break
        end
      elseif text ~= '' then
        quick = 0
        break
      end
    end

    local t = now > last and now or last
    if t < seen or (more > 0 and t >= read('>I7', added[1], 9)) then
      quick = 0
      break
    elseif t > seen then
      seen = t
      while first < #text and read('>I7', text, first + 8) <= t do
        if cut and cut[first] then
          quick = 0
          break
        end
        first = first + 15
        live = live - 1
      end
      if quick == 0 then
        break
      end
    end

    if verb == LEAVE then
      for i = 1, times do
        local id = sub(requests, pos, pos + 7)
        pos = pos + 8
        local at = find(text, id, first, true)
        while at and (at - 21) % 15 ~= 0 do
          at = find(text, id, at + 1, true)
        end
        size = size + 1
        if at and not (cut and cut[at]) then
          if not cut then
            cut, cuts = {}, {}
          end
          cut[at] = true
          cuts[#cuts + 1] = at
          live = live - 1
          last, changed = t, true
          answers[size] = '\1'
        else
          answers[size] = '\0'
          if more > 0 then
            quick = 0
          end
        end
      end
      if quick == 0 then
        break
      end
    else
      local allowed = 0
      if verb == ENTER or verb == TRY_ENTER then
        allowed = max(0, min(times, cap - live - more))
        size = size + 1
        answers[size] = pack('>I2I2', allowed, allowed > 0 and 1 or 0)
        if allowed > 0 then
          local lapse = t + hold
          if lapse >= EXACT or (first < #text and read('>I7', text, #text - 6) > lapse) then
            quick = 0
            break
          end
          size = size + 1
          answers[size] = pack('>BI7I7I7I7', ALLOWED, cap - live - more - 1, 0, 0, hold)
          if allowed > 1 then
            size = size + 1
            answers[size] = string.rep(pack('>I7I7', 0, hold), allowed - 1)
          end
          if more == 0 then
            added = {}
          end
          local ends, at = pack('>I7', lapse), pos
          for i = more + 1, more + allowed do
            added[i] = sub(requests, at, at + 7) .. ends
            at = at + 8
          end
          more = more + allowed
          newest, last, changed = lapse, t, true
        end
        pos = pos + 8 * times
      end
      if verb == PEEK or allowed < times then
        local held, asked = live + more, n > 0 and 1 or 0
        local over = held + asked - cap
        local retry, reset = 0, 0
        if over > held then
          retry = EXACT
        elseif over > live then
          retry = read('>I7', added[over - live], 9) - t
        elseif over > 0 then
          local at = first
          while true do
            if not (cut and cut[at]) then
              over = over - 1
              if over == 0 then
                break
              end
            end
            at = at + 15
          end
          retry = read('>I7', text, at + 8) - t
        end
        if more > 0 then
          reset = newest - t
        elseif live > 0 then
          local at = #text - 14
          while cut and cut[at] do
            at = at - 15
          end
          reset = read('>I7', text, at + 8) - t
        end
        local outcome = retry == 0 and ALLOWED or DENIED
        size = size + 1
        if held > cap then
          answers[size] = pack('>BI7I7I7I7', outcome + IN_DEBT, held - cap, retry, 0, reset)
        else
          answers[size] = pack('>BI7I7I7I7', outcome, cap - held, retry, 0, reset)
        end
      end
    end
  end

  if quick == 2 then
    for i, value in pairs(writes) do
      if value == '' then
        call('DEL', KEYS[i])
      else
        call('SET', KEYS[i], value, virtual and 'PX' or 'PXAT', virtual and HOUR_MS or expires[i])
      end
    end
    return concat(answers)
  end
  now = started
end

-- Reservations that are kept in Redis until they are settled.
--
-- A record says what the charges of one request have taken on one slot: B step (RESERVED), 8 bytes of a digest of the request's
-- charges, I7 when its time is over, I7 the estimate (the permits of each charge), B count, then for each charge I2 length and the
-- receipt (see reserve.lua; length 0: the charge took nothing, and is not settled). A record whose charges are on several slots
-- becomes a mark while these are settled: B step (BEING_SETTLED), digest, end, I7 what was really used.
--
-- `records` has the records that the script has read or written, by name: the text (false for none), and if it changed, the rest
-- of its time, or 0 to delete it.

local function settlements(records)
  local v = {}

  local function record(name)
    local found = records[name]
    if not found then
      found = { text = call('GET', name) }
      records[name] = found
    end
    return found
  end

  -- Keeps receipts under a name.
  function v.keep(name, ttl, digest, estimate, receipts, now)
    local parts = { pack('>Bc8I7I7B', RESERVED, digest, now + ttl, estimate, #receipts) }
    for i, receipt in ipairs(receipts) do
      parts[i + 1] = pack('>I2', #receipt) .. receipt
    end
    records[name] = { text = concat(parts), rest = ttl }
  end

  -- Replaces the estimate by what was really used. Returns the answer, or nil and the status of a call that must be repeated.
  function v.settle(charges, kept, actual, name, digest, how, now)
    local found = record(name)
    local ended = pack('B', RESERVATION_ENDED)
    if not found.text then
      return ended
    end
    local step, of, ends, estimate, pos = read('>Bc8I7I7', found.text)
    if of ~= digest or now >= ends then
      return ended
    elseif step == BEING_SETTLED then
      if how == SETTLE_LAST then
        found.text, found.rest = false, 0
      end
      return pack('>BI7', SETTLING, estimate)
    elseif how == SETTLE_LAST then
      return ended
    end
    local receipts = {}
    pos = pos + 1
    for i, key in ipairs(charges) do
      local length
      length, pos = read('>I2', found.text, pos)
      receipts[i] = string.sub(found.text, pos, pos + length - 1)
      pos = pos + length
      local version = key and length > 0 and read('>I4', receipts[i]) or key and key.terms.version
      if not key then
        receipts[i] = ''
      elseif version > key.terms.version or (version < key.terms.version and not key.terms.steps) then
        return nil, pack('>BI7I2I4', version > key.terms.version and NEWER_VERSION or NEEDS_HISTORY, now, key.number, version)
      end
    end
    local answers = { pack('>BI7', SETTLED, estimate) }
    for i, key in ipairs(charges) do
      if receipts[i] ~= '' and actual > estimate then
        reserving().penalize(key, actual - estimate, now)
      elseif receipts[i] ~= '' and actual < estimate then
        reserving().cancel(key, estimate, receipts[i], now, estimate - actual)
      end
      if key then
        judge(key, 0, now, kept[i])
        answers[#answers + 1] = (receipts[i] ~= '' and '\1' or '\0') .. decision(key, 0, kept[i])
      end
    end
    if how == SETTLE_FIRST then
      found.text = pack('>Bc8I7I7', BEING_SETTLED, digest, ends, actual)
      found.rest = ends - now
    else
      found.text, found.rest = false, 0
    end
    return concat(answers)
  end

  -- Writes what changed.
  function v.write()
    for name, found in pairs(records) do
      if found.text and found.rest then
        call('SET', name, found.text, 'PX', virtual and HOUR_MS or div_up(found.rest, 1000))
      elseif found.rest then
        call('DEL', name)
      end
    end
  end

  return v
end

-- Exact arithmetic.

-- x / y, rounded up
local function div_up(x, y)
  local rest = fmod(x, y)
  return rest > 0 and (x - rest) / y + 1 or x / y
end

-- The whole part and the rest of x * y / z, for x up to 2^52, y and z up to 2^50, where the whole part is below 2^53.
local function mul_div(x, y, z)
  local product = x * y
  if product < EXACT then
    local rest = fmod(product, z)
    return (product - rest) / z, rest
  end
  -- Long multiplication and division at once, two bits of y at a time: no intermediate result reaches 8 * 2^50.
  local x_rest = fmod(x, z)
  local whole, part, rest = (x - x_rest) / z * y, 0, 0
  local digit = 1125899906842624 -- 4^25
  while digit >= 1 do
    local bits = (y - fmod(y, digit)) / digit
    y = y - bits * digit
    rest = rest * 4 + bits * x_rest
    local kept = fmod(rest, z)
    part = part * 4 + (rest - kept) / z
    rest = kept
    digit = digit / 4
  end
  return whole + part, rest
end

-- A time in the future may be after 2^53, where doubles are not exact. So it is the time minus 2^53, read and written in two
-- parts, of which the lower one has 32 bits.

local END_LOW = 4294967296
local END_HIGH = 2097152

local function read_end(text, pos)
  local high, low
  high, low, pos = read('>I3I4', text, pos)
  return (high - END_HIGH) * END_LOW + low, pos
end

local function write_end(ends)
  local low = ends % END_LOW
  return pack('>I3I4', (ends - low) / END_LOW + END_HIGH, low)
end

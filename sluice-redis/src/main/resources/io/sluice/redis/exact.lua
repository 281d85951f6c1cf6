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

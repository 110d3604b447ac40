// Formatted numbers: few digits, round ticks, SI prefixes.

/** A few digits, without the noise of binary fractions. */
function short(value, digits = 4) {
  if (value === null || !Number.isFinite(value)) return "–";
  return String(Number(value.toPrecision(digits))).replaceAll("-", "−");
}

const PREFIXES = { "-9": "n", "-6": "µ", "-3": "m", 0: "", 3: "k", 6: "M", 9: "G" };

/** The power of a thousand in which values up to `largest` are read best. */
function handyPower(largest) {
  if (!largest || !Number.isFinite(largest) || (largest >= 1e-2 && largest < 1e4)) return 0;
  const power = 3 * Math.floor(Math.log10(largest) / 3 + 1e-9);
  return power in PREFIXES ? power : 0;
}

/** A value with an SI prefix: "12.5 kPa". */
function withUnit(value, unit, power = handyPower(Math.abs(value))) {
  return `${short(value / 10 ** power)} ${PREFIXES[power]}${unit}`.trim();
}

/** Round values between two ends, about `count` of them. */
function niceTicks(low, high, count) {
  const raw = (high - low) / Math.max(count, 1);
  if (!(raw > 0) || !Number.isFinite(raw)) return [low];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((m) => m * power >= raw * (1 - 1e-9)) * power;
  const ticks = [];
  const slack = 1e-9 * step;
  for (let n = Math.ceil((low - slack) / step); n * step <= high + slack; n++) ticks.push(n === 0 ? 0 : n * step);
  return ticks;
}

/** 1, 10, 100, … between two ends; with 2 and 5 where these are few. */
function logTicks(low, high) {
  const steps = high / low < 1e3 ? [1, 2, 5] : [1], ticks = [];
  for (let p = Math.floor(Math.log10(low)); p <= Math.ceil(Math.log10(high)); p++) {
    for (const s of steps) if (s * 10 ** p >= low * 0.999 && s * 10 ** p <= high * 1.001) ticks.push(s * 10 ** p);
  }
  return ticks;
}

/** Index of the value nearest to `wanted` in an increasing array. */
function nearest(values, wanted) {
  let low = 0, high = values.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (values[middle] <= wanted) low = middle; else high = middle;
  }
  return Math.abs(values[low] - wanted) <= Math.abs(values[high] - wanted) ? low : high;
}

function least(values) { return values.reduce((a, b) => (b < a ? b : a), Infinity); }
function greatest(values) { return values.reduce((a, b) => (b > a ? b : a), -Infinity); }

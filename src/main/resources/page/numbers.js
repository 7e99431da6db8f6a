// How numbers and times are written.

const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

export function count(value) {
  return WHOLE.format(value ?? 0);
}

/** At most four digits, for small places: 12,345 is 12.3k. */
export function short(value) {
  if (value < 10_000) {
    return value > 0 && value < 10 && value % 1 ? value.toFixed(1) : count(value);
  }
  return value < 1_000_000 ? `${trim(value / 1_000)}k` : `${trim(value / 1_000_000)}M`;
}

function trim(value) {
  return value < 100 ? value.toFixed(1) : value.toFixed(0);
}

export function bytes(value) {
  let unit = 0;
  let left = value;
  while (left >= 1_000 && unit < UNITS.length - 1) {
    left /= 1_000;
    unit += 1;
  }
  return `${unit === 0 ? count(left) : trim(left)} ${UNITS[unit]}`;
}

/** A value with its unit, as a bar shows it. */
export function withUnit(value, unit) {
  if (unit === 'bytes') {
    return bytes(value);
  }
  if (unit === 's') {
    return `${value < 10 ? value.toFixed(1) : count(value)} s`;
  }
  return unit ? `${short(value)} ${unit}` : short(value);
}

/** How long ago, in words. */
export function ago(fromMs, nowMs) {
  const seconds = Math.max(0, Math.round((nowMs - fromMs) / 1_000));
  if (seconds < 60) {
    return `${seconds} s ago`;
  }
  return seconds < 3_600 ? `${Math.floor(seconds / 60)} min ago` : `${Math.floor(seconds / 3_600)} h ago`;
}

export function clock(ms) {
  return new Date(ms).toLocaleTimeString('en-GB');
}

/** A time of the service as the reader's own, with UTC beside; no milliseconds. Null stays null. */
export function moment(text) {
  if (!text) {
    return null;
  }
  const at = new Date(text);
  const utc = `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return at.getTimezoneOffset() === 0 ? utc : `${at.toLocaleString('sv-SE')} (${utc})`;
}

/** The first characters of an id, which are enough to tell a few apart. */
export function brief(id) {
  return id ? id.slice(0, 8) : 'unknown';
}

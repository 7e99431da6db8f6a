// Frames carry totals; this keeps those of the last minute and takes differences. No page, no time of its own.

const KEPT_MS = 60_000;
const LATELY_MS = 1_000;
const FALL_MS = 3_000;

function difference(now, before) {
  const all = {};
  for (const [name, value] of Object.entries(now)) {
    const more = value - (before[name] ?? 0);
    if (more > 0) {
      all[name] = more;
    }
  }
  return all;
}

/** The histogram between two frames. */
function between(now, before) {
  return {
    count: now.count - before.count,
    bounds: now.bounds_ms,
    counts: now.counts.map((value, i) => value - (before.counts[i] ?? 0)),
  };
}

/**
 * The value below which this share of a histogram is; null where it is empty. Within a bucket values are taken as
 * spread evenly; `over` says that it is above the last bound, which is what is given then.
 */
export function percentile(histogram, share) {
  if (!histogram || histogram.count <= 0 || histogram.bounds.length === 0) {
    return null;
  }
  const rank = share * histogram.count;
  let below = 0;
  let lower = 0;
  for (let i = 0; i < histogram.bounds.length; i += 1) {
    if (histogram.counts[i] >= rank) {
      const within = histogram.counts[i] - below;
      const part = within > 0 ? (rank - below) / within : 1;
      return { ms: lower + part * (histogram.bounds[i] - lower), over: false };
    }
    below = histogram.counts[i];
    lower = histogram.bounds[i];
  }
  return { ms: lower, over: true };
}

export class History {
  #frames = [];

  /** Adds a frame. Totals that fell are those of another process: what was before it is forgotten. */
  add(frame) {
    const last = this.last();
    if (last && (frame.grants < last.grants || frame.placing.count < last.placing.count
        || frame.instance !== last.instance || frame.at <= last.at)) {
      this.#frames = [];
    }
    this.#frames.push(frame);
    while (this.#frames[0].at < frame.at - KEPT_MS) {
      this.#frames.shift();
    }
  }

  last() {
    return this.#frames[this.#frames.length - 1];
  }

  frames() {
    return this.#frames;
  }

  /** The oldest frame that is at most so much older than the one at an index. */
  #from(index, ms) {
    let from = index;
    while (from > 0 && this.#frames[index].at - this.#frames[from - 1].at <= ms + 100) {
      from -= 1;
    }
    return this.#frames[from];
  }

  /** What was counted per second up to the frame at an index: grants, refusals by reason, events by type. */
  ratesAt(index) {
    const now = this.#frames[index];
    const before = this.#from(index, LATELY_MS);
    const seconds = (now.at - before.at) / 1_000;
    const per = (value) => (seconds > 0 ? value / seconds : 0);
    const perEach = (all) => Object.fromEntries(Object.entries(all).map(([name, value]) => [name, per(value)]));
    return {
      grants: per(now.grants - before.grants),
      refusals: perEach(difference(now.refusals, before.refusals)),
      events: perEach(difference(now.events ?? {}, before.events ?? {})),
    };
  }

  rates() {
    return this.ratesAt(this.#frames.length - 1);
  }

  /** How many units of a SKU went per second lately; 0 where it did not fall. */
  fallPerS(skuId) {
    const now = this.last();
    const before = this.#from(this.#frames.length - 1, FALL_MS);
    const left = (frame) => (frame.skus ?? []).find((sku) => sku.sku_id === skuId)?.available;
    const fell = (left(before) ?? 0) - (left(now) ?? 0);
    return fell > 0 && now.at > before.at ? (1_000 * fell) / (now.at - before.at) : 0;
  }

  /** A percentile of the time to a yes, of so many milliseconds up to the frame at an index. */
  latencyAt(index, share, ms) {
    return percentile(between(this.#frames[index].placing, this.#from(index, ms).placing), share);
  }

  latency(share, ms) {
    return this.latencyAt(this.#frames.length - 1, share, ms);
  }
}

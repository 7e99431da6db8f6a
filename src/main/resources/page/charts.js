// The charts of the last minute. They are drawn by Chart.js; their numbers stand beside them as text as well.

const MINUTE_S = 60;
const AXIS_PX = 46;

/** The colour of each refusal; a reason that is not here is grey. */
const REASONS = [
  ['sold-out', '--grey'],
  ['limit-reached', '--orange'],
  ['not-open', '--sky'],
  ['too-many-requests', '--pink'],
  ['busy', '--red'],
  ['unavailable', '--ink'],
  ['other', '--green'],
];

export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export function reasonColour(reason) {
  return (REASONS.find(([name]) => name === reason) ?? ['', '--green'])[1];
}

/** The word under which a reason is drawn. */
export function reasonGroup(reason) {
  return REASONS.some(([name]) => name === reason) ? reason : 'other';
}

function line(name, variable, more) {
  return { label: name, variable, data: [], borderWidth: 1.5, pointRadius: 0, fill: false, ...more };
}

function make(id, datasets, y) {
  return new globalThis.Chart(document.getElementById(id), {
    type: 'line',
    data: { datasets },
    options: {
      animation: false,
      parsing: false,
      normalized: true,
      responsive: true,
      maintainAspectRatio: false,
      events: [],
      plugins: { legend: { display: false }, tooltip: { enabled: false } },
      scales: {
        x: { type: 'linear', min: -MINUTE_S, max: 0, display: false },
        y: {
          min: 0,
          border: { display: false },
          ticks: { maxTicksLimit: 3, font: { size: 10 }, padding: 4 },
          // The same for all, so that one instant stands above itself.
          afterFit: (axis) => {
            axis.width = AXIS_PX;
          },
          ...y,
        },
      },
    },
  });
}

export class Charts {
  #all;
  #drawn = 0;

  constructor() {
    this.#all = {
      stock: make('stock-chart', [line('left', '--blue', { fill: 'origin', stepped: 'before' })], {}),
      grants: make('grants-chart', [line('grants', '--blue', { fill: 'origin' })], { suggestedMax: 5 }),
      refusals: make('refusals-chart', REASONS.map(([name, variable], i) =>
        line(name, variable, { fill: i === 0 ? 'origin' : '-1', borderWidth: 1 })), { stacked: true, suggestedMax: 5 }),
      latency: make('latency-chart', [line('p50', '--blue'), line('p99', '--red', { borderDash: [5, 3] })],
        { suggestedMax: 20, ticks: { maxTicksLimit: 4, font: { size: 10 }, padding: 4 } }),
    };
    this.recolour();
  }

  /** After a change of theme. */
  recolour() {
    for (const chart of Object.values(this.#all)) {
      for (const dataset of chart.data.datasets) {
        dataset.borderColor = colour(dataset.variable);
        dataset.backgroundColor = `${colour(dataset.variable)}55`;
      }
      chart.options.scales.y.ticks.color = colour('--quiet');
      chart.options.scales.y.grid = { color: colour('--line') };
      chart.update('none');
    }
  }

  /** Draws the history; the charts of a page that nobody sees are not drawn. */
  draw(history, skuId) {
    const now = performance.now();
    if (document.hidden || now - this.#drawn < 200) {
      return;
    }
    this.#drawn = now;
    const frames = history.frames();
    const last = frames[frames.length - 1].at;
    const points = frames.map((frame, index) => ({ x: (frame.at - last) / 1_000, frame, index }));
    const rates = points.map(({ x, index }) => ({ x, rates: history.ratesAt(index) }));
    this.#stock(points, skuId);
    this.#set('grants', [rates.map(({ x, rates: per }) => ({ x, y: per.grants }))]);
    this.#set('refusals', REASONS.map(([name]) => rates.map(({ x, rates: per }) => ({ x, y: of(per.refusals, name) }))));
    this.#set('latency', [0.5, 0.99].map((share) => points.map(({ x, index }) =>
      ({ x, y: history.latencyAt(index, share, 5_000)?.ms ?? NaN }))));
  }

  #stock(points, skuId) {
    let total = 0;
    const left = points.map(({ x, frame }) => {
      const sku = (frame.skus ?? []).find((one) => one.sku_id === skuId);
      total = Math.max(total, sku?.total ?? 0);
      return { x, y: sku ? sku.available : NaN };
    });
    this.#all.stock.options.scales.y.suggestedMax = total;
    this.#set('stock', [left]);
  }

  #set(name, series) {
    const chart = this.#all[name];
    series.forEach((data, i) => {
      chart.data.datasets[i].data = data;
    });
    chart.update('none');
  }
}

function of(refusals, group) {
  return Object.entries(refusals).filter(([reason]) => reasonGroup(reason) === group).reduce((sum, [, value]) => sum + value, 0);
}

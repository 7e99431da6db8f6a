// The first screen: everything that a frame has, in one place.

import { drawChanges } from './changes.js';
import { Charts, colour, reasonColour, reasonGroup } from './charts.js';
import { byId, fill, h, say } from './dom.js';
import { drawBars, drawHealth } from './health.js';
import { brief, count, short } from './numbers.js';
import { chosen, drawFlow, drawStock } from './stock.js';
import { drawSales } from './sales.js';
import { drawStatus } from './status.js';

const LATENCY_MS = 5_000;

export class Overview {
  #charts = new Charts();
  #history;
  #seen = new Set();

  constructor(history) {
    this.#history = history;
    byId('stock-sku').addEventListener('change', (event) => {
      event.target.dataset.wanted = event.target.value;
      this.draw();
    });
  }

  recolour() {
    this.#charts.recolour();
    byId('reasons-legend').dataset.key = '';
  }

  draw() {
    const frame = this.#history.last();
    if (!frame) {
      return;
    }
    const rates = this.#history.rates();
    drawStatus(frame);
    drawStock(frame, this.#history.fallPerS(chosen(frame)?.sku_id));
    this.#drawRates(rates);
    this.#drawLatency();
    drawFlow(frame, rates);
    drawBars(frame);
    drawHealth(frame);
    drawChanges(frame);
    drawSkus(frame);
    drawSales(frame);
    say(byId('instance'), frame.instance ? `instance ${brief(frame.instance)}` : '');
    this.#charts.draw(this.#history, chosen(frame)?.sku_id);
  }

  #drawRates(rates) {
    say(byId('grants'), short(rates.grants));
    const refused = Object.entries(rates.refusals);
    say(byId('refused'), short(refused.reduce((sum, [, per]) => sum + per, 0)));
    const groups = new Map();
    refused.forEach(([reason, per]) => groups.set(reason, (groups.get(reason) ?? 0) + per));
    refused.forEach(([reason]) => this.#seen.add(reason));
    const reasons = [...this.#seen].sort();
    const legend = byId('reasons-legend');
    if (reasons.length === 0) {
      fill(legend, 'none', () => [h('li', { class: 'quiet' }, 'No refusal while you watched')]);
      return;
    }
    fill(legend, JSON.stringify(reasons), () => reasons.map((reason) => {
      const swatch = h('span', { class: 'swatch', 'aria-hidden': 'true' });
      swatch.style.background = colour(reasonColour(reasonGroup(reason)));
      return h('li', {}, swatch, h('span', {}, reason), h('b', {}));
    }));
    reasons.forEach((reason, i) => say(legend.children[i].lastChild, short(groups.get(reason) ?? 0)));
  }

  #drawLatency() {
    [['p50', 0.5], ['p99', 0.99]].forEach(([id, share]) => {
      const value = this.#history.latency(share, LATENCY_MS);
      say(byId(id), value === null ? '\u2013' : `${value.over ? 'over ' : ''}${value.ms < 10 ? value.ms.toFixed(1) : count(value.ms)} ms`);
    });
  }
}

function drawSkus(frame) {
  const skus = frame.skus ?? [];
  const cells = (sku) => [sku.state.toLowerCase(), count(sku.total), count(sku.available), count(sku.held), count(sku.sold)];
  fill(byId('skus'), JSON.stringify(skus.map((sku) => [sku.sku_id, sku.name])), () => [
    h('thead', {}, h('tr', {}, ['SKU', 'state', 'total', 'left', 'held', 'sold'].map((name, i) => h('th', { scope: 'col', class: i > 1 ? 'n' : null }, name)))),
    h('tbody', {}, skus.map((sku) => h('tr', {},
      h('td', {}, h('a', { href: `#/sku/${sku.sku_id}` }, sku.sku_id), sku.name ? ` ${sku.name}` : null), cells(sku).map((cell, i) => h('td', { class: i > 0 ? 'n' : null }))))),
  ]);
  skus.forEach((sku, i) => {
    const row = byId('skus').tBodies[0].rows[i];
    cells(sku).forEach((value, at) => say(row.cells[at + 1], value));
  });
}

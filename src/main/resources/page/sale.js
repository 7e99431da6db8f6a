// A sale: its terms, what it waits for, its units and orders, its SKUs, and what can be done with it.

import { buttons } from './ask.js';
import { download, read, token } from './calls.js';
import { facts, h, pager, table } from './dom.js';
import { count, moment } from './numbers.js';

const SKUS = 50;
const EVERY_MS = 3_000;
const COUNT_EVERY_MS = 15_000;

/** Orders are counted again after so many times of what it took: those of a large sale take long. */
const REST = 60;

const ACTIONS = {
  SCHEDULED: ['openSale', 'closeSale', 'freezeSale', 'endSale'],
  OPEN: ['closeSale', 'followSale', 'freezeSale', 'endSale'],
  CLOSED: ['openSale', 'followSale', 'freezeSale', 'endSale'],
  FROZEN: ['unfreezeSale'],
  ENDED: ['archiveSale'],
};

const WAITS = {
  ledger: 'the last change is taken over, some at a time',
  unfreeze: 'frozen on their own; unfreeze them',
  'take-back': 'a restock takes units back',
  payment: 'orders wait for their payment or their time-out',
  owner: 'the owners of their partitions take them out of Redis',
  archive: 'orders are being moved to the archive',
};

export function saleView(id) {
  const path = `/admin/sales/${encodeURIComponent(id)}`;
  const orders = new Orders(`${path}/report?format=json`);
  const itsReport = report(path, id);
  let after = 0;
  return {
    title: `Sale ${id}`,
    everyMs: EVERY_MS,
    async load(frame, again) {
      const sale = await read(`${path}?limit=${SKUS}&after=${after}`);
      orders.ask(again);
      const turn = (to) => {
        after = to;
        again();
      };
      return [
        h('p', {}, h('b', {}, sale.name)),
        terms(sale),
        buttons(ACTIONS[sale.state] ?? [], id, again),
        ...waits(sale.waits_for),
        h('h2', {}, 'Units'),
        units(sale.totals),
        h('h2', {}, 'Orders'),
        ...orders.nodes(),
        itsReport,
        h('h2', {}, `Its SKUs, ${count(sale.sku_count)} in all`),
        skus(sale.skus),
        pager(SKUS, after, sale.next_after, 0, turn),
      ];
    },
  };
}

function terms(sale) {
  return facts([
    ['State', h('span', { class: 'tag' }, sale.state)],
    ['Opens', moment(sale.opens_at)],
    ['Closes', moment(sale.closes_at)],
    ['Ends by itself', moment(sale.ends_at)],
    ['Time to pay', `${count(sale.payment_window_s)} s`],
    ['Carts', sale.carts ? 'yes' : 'no'],
    ['Tickets', sale.ticket ? 'needed' : 'not needed'],
    ['SKUs by state', Object.entries(sale.states).map(([state, skus]) => `${state} ${count(skus)}`).join(', ') || 'none'],
    ['SKUs that change now', count(sale.behind)],
  ]);
}

function waits(all) {
  return all.length === 0 ? [] : [
    h('h2', {}, 'What it waits for'),
    h('ul', { class: 'lines', 'aria-label': 'What it waits for' }, all.map(({ what, skus, held }) => h('li', {},
      skus > 0
        ? `${count(skus)} ${skus === 1 ? 'SKU' : 'SKUs'}${held > 0 ? `, with ${count(held)} held ${held === 1 ? 'unit' : 'units'}` : ''}: ${WAITS[what] ?? what}`
        : 'Its SKUs are done; the sale itself is being written'))),
  ];
}

function units(totals) {
  return facts([
    ['On sale', count(totals.allotted)],
    ['Left', count(totals.available)],
    ['Held', count(totals.held)],
    ['Sold', count(totals.sold)],
  ]);
}

function skus(all) {
  return table('SKUs of the sale', ['SKU', 'name', 'state', 'on sale', 'left', 'held', 'sold', 'limit'], all.map((sku) => [
    h('a', { href: `#/sku/${sku.sku_id}` }, sku.sku_id), sku.name, sku.state.toLowerCase(),
    count(sku.allotted), count(sku.available), count(sku.held), count(sku.sold), sku.limit_per_user || 'none',
  ]));
}

/** A browser sends no token where it follows a link; with one, the page fetches the report, and keeps it as a file. */
function report(path, id) {
  const href = `${path}/report?format=html`;
  const answer = h('span', { role: 'status' });
  return h('p', {}, h('a', {
    href,
    target: '_blank',
    rel: 'noopener',
    onclick: async (event) => {
      if (token()) {
        event.preventDefault();
        answer.textContent = ' Being made\u2026';
        try {
          await download(href, `report-${id}.html`);
          answer.textContent = ' Among your downloads.';
        } catch (error) {
          answer.textContent = ` ${error.message}`;
        }
      }
    },
  }, 'Its report, with charts'), answer);
}

/** Its orders by status. The ledger counts them for the report, beside everything else and seldom. */
class Orders {
  #path;
  #seen = null;
  #problem = null;
  #isAsked = false;
  #nextAt = 0;

  constructor(path) {
    this.#path = path;
  }

  async ask(done) {
    const begun = performance.now();
    if (this.#isAsked || begun < this.#nextAt) {
      return;
    }
    this.#isAsked = true;
    try {
      this.#seen = await read(this.#path);
      this.#problem = null;
    } catch (error) {
      this.#problem = error.message;
    }
    const now = performance.now();
    this.#isAsked = false;
    this.#nextAt = now + Math.max(COUNT_EVERY_MS, REST * (now - begun));
    done();
  }

  nodes() {
    const problem = this.#problem ? h('p', { class: 'problem' }, `They cannot be counted now: ${this.#problem}`) : null;
    if (!this.#seen) {
      return [problem ?? h('p', { class: 'quiet' }, 'Being counted\u2026')];
    }
    const { orders, made_at: at } = this.#seen;
    // Counted one after the other while the sale goes on.
    const pending = Math.max(0, orders.granted - orders.paid - orders.canceled - orders.timed_out);
    return [
      facts([
        ['Granted', count(orders.granted)],
        ['Pending', count(pending)],
        ['Confirmed', count(orders.paid)],
        ['Canceled', count(orders.canceled)],
        ['Timed out', count(orders.timed_out)],
        ['Refunded', count(orders.refunded)],
        ['Paid too late', count(orders.paid_late)],
      ]),
      h('p', { class: 'quiet' }, `Counted at ${moment(at)}`),
      problem,
    ];
  }
}

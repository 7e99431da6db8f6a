// A SKU: its numbers in Redis and in the ledger, bucket by bucket, its first orders, and what can be done with it.

import { buttons } from './ask.js';
import { maySeeBuyers, read } from './calls.js';
import { facts, h, table } from './dom.js';
import { count, moment } from './numbers.js';
import { orderTable } from './order.js';

const ORDERS = 20;

export function skuView(id) {
  const path = encodeURIComponent(id);
  return {
    title: `SKU ${id}`,
    async load(frame, again) {
      const [sku, page] = await Promise.all([
        read(`/admin/skus/${path}`),
        maySeeBuyers() ? read(`/admin/orders?sku_id=${path}&limit=${ORDERS}`).catch(() => null) : undefined,
      ]);
      return [numbers(sku), what(sku, again), h('h2', {}, 'Buckets'), buckets(sku), h('h2', {}, 'Its first orders'), orders(page)];
    },
  };
}

/** An id that the browser has rounded may be another SKU's. */
function what(sku, again) {
  return Number.isSafeInteger(sku.sku_id)
    ? buttons(actions(sku), sku.sku_id, again)
    : h('p', { class: 'quiet' }, 'Its id is above 2^53 - 1, which browsers round: change it by the calls of the port');
}

function numbers(sku) {
  const { totals } = sku;
  return facts([
    ['Name', sku.name],
    ['State', h('span', { class: 'tag' }, sku.state)],
    ['Sale', sku.sale_id ? h('a', { href: `#/sales/${encodeURIComponent(sku.sale_id)}` }, sku.sale_id) : 'on its own'],
    ['Total', count(sku.total_stock)],
    ['Available', count(totals.available)],
    ['Held', count(totals.held)],
    ['Sold', count(totals.sold)],
    ['In flight', totals.in_flight === null ? null : count(totals.in_flight)],
    ['Drift', totals.drift === null ? null : count(totals.drift)],
    ['Rows and counters', sku.audit ? (sku.audit.agrees ? 'agree' : 'DISAGREE') : null],
    ['Opens', moment(sku.opens_at)],
    ['Closes', moment(sku.closes_at)],
    ['Limit per buyer', sku.limit_per_user || 'none'],
    ['Time to pay', `${count(sku.payment_window_s)} s`],
  ]);
}

function actions({ state }) {
  const named = { FROZEN: ['unfreeze', 'restock', 'rebuild'], ENDING: [], ENDED: ['archive'], ARCHIVED: [] };
  return named[state] ?? [state === 'OPEN' ? 'close' : 'open', 'follow', 'freeze', 'restock', 'rebuild', 'end'];
}

function buckets(sku) {
  return table('Buckets', ['bucket', 'partition', 'Redis', 'left', 'allotted', 'held', 'sold', 'unbooked', 'drift'],
    sku.per_bucket.map(({ bucket, partition, redis, ledger, drift }) => [
      bucket,
      h('a', { href: `#/partition/${partition}` }, partition),
      redis.code,
      redis.available === undefined ? null : count(redis.available),
      count(ledger.allotted), count(ledger.held), count(ledger.sold),
      redis.unbooked === undefined ? null : count(redis.unbooked),
      drift,
    ]));
}

/** @param page null where it cannot be read, undefined where it was not asked for */
function orders(page) {
  if (page === undefined) {
    return h('p', { class: 'quiet' }, 'The roles support and operator see them');
  }
  if (!page || page.orders.length === 0) {
    return h('p', { class: 'quiet' }, page ? 'None is booked yet' : 'They cannot be read now');
  }
  return orderTable(page.orders);
}

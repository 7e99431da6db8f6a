// An order, and all that happened to it.

import { buttons } from './ask.js';
import { read } from './calls.js';
import { facts, h, table } from './dom.js';
import { count, moment } from './numbers.js';

/** What its status allows; an archived one is refused. */
const ACTIONS = {
  PENDING: ['confirmOrder', 'extendOrder', 'cancelOrder'],
  CONFIRMED: ['refundOrder'],
};

export function orderView(token) {
  return {
    title: 'An order',
    async load(frame, again) {
      const order = await read(`/admin/orders/${encodeURIComponent(token)}`);
      return [
        facts([
          ['Status', h('span', { class: 'tag' }, order.status)],
          order.lines ? ['SKUs', order.lines.length] : ['SKU', sku(order)],
          ['Units', order.units],
          ['Buyer', h('a', { href: `#/buyer/${encodeURIComponent(order.user_id)}` }, order.user_id)],
          ['Reference', order.reference],
          ['To be paid before', moment(order.pay_before)],
        ]),
        h('p', { class: 'quiet' }, order.order_token),
        buttons(ACTIONS[order.status] ?? [], order.order_token, again),
        ...lines(order.lines),
        h('h2', {}, 'Its story'),
        h('ol', { class: 'story' }, order.story.map(chapter)),
      ];
    },
  };
}

/** A table of orders, each with a way to it and to its buyer. */
export function orderTable(orders) {
  return table('Orders', ['order', 'buyer', 'status', 'units', 'lines', 'reference'], orders.map((order) => [
    h('a', { href: `#/order/${order.order_token}` }, order.order_token),
    h('a', { href: `#/buyer/${encodeURIComponent(order.user_id)}` }, order.user_id),
    order.status, order.units, order.lines?.map((line) => `${line.qty} of ${line.sku_id}`).join(', '), order.reference,
  ]));
}

function sku({ sku_id: id, name }) {
  return h('span', {}, h('a', { href: `#/sku/${id}` }, id), name ? ` ${name}` : null);
}

/** @param all undefined of an order of one SKU */
function lines(all) {
  return all
    ? [h('h2', {}, 'Its lines'), table('Lines of the order', ['SKU', 'units', 'paid back'], all.map((line) => [sku(line), line.qty, line.refunded_qty ?? 0]))]
    : [];
}

function chapter({ what, at, after_ms: after, qty, sku_id: id, reason, reference }) {
  const more = [qty > 0 ? `${qty} ${qty === 1 ? 'unit' : 'units'}` : null, id ? `SKU ${id}` : null, reason, reference].filter(Boolean).join(' \u00b7 ');
  return h('li', {}, h('b', {}, what), ` ${more} `, h('div', { class: 'quiet' }, `${moment(at)}${after > 0 ? `, ${count(after)} ms later` : ''}`));
}

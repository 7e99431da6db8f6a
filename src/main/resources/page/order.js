// An order, and all that happened to it.

import { read } from './calls.js';
import { facts, h } from './dom.js';
import { count } from './numbers.js';

export function orderView(token) {
  return {
    title: 'An order',
    async load() {
      const order = await read(`/admin/orders/${encodeURIComponent(token)}`);
      return [
        facts([
          ['Status', h('span', { class: 'tag' }, order.status)],
          ['SKU', h('a', { href: `#/sku/${order.sku_id}` }, order.sku_id)],
          ['Units', order.qty],
          ['Buyer', h('a', { href: `#/buyer/${encodeURIComponent(order.user_id)}` }, order.user_id)],
          ['Reference', order.reference],
          ['To be paid before', order.pay_before],
        ]),
        h('p', { class: 'quiet' }, token),
        h('h2', {}, 'Its story'),
        h('ol', { class: 'story' }, order.story.map(chapter)),
      ];
    },
  };
}

function chapter({ what, at, after_ms: after, qty, reason, reference }) {
  const more = [qty > 0 ? `${qty} ${qty === 1 ? 'unit' : 'units'}` : null, reason, reference].filter(Boolean).join(' \u00b7 ');
  return h('li', {}, h('b', {}, what), ` ${more} `, h('div', { class: 'quiet' }, `${at}${after > 0 ? `, ${count(after)} ms later` : ''}`));
}

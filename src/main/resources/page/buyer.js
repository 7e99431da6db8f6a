// A buyer: banned or not, his last orders, and the buttons for him.

import { buttons } from './ask.js';
import { CallFailed, read } from './calls.js';
import { facts, h } from './dom.js';
import { moment } from './numbers.js';
import { orderTable } from './order.js';

const ORDERS = 20;

export function buyerView(id) {
  const path = encodeURIComponent(id);
  return {
    title: `Buyer ${id}`,
    async load(frame, again) {
      const [ban, { orders }] = await Promise.all([banOf(path), read(`/admin/orders?user_id=${path}&limit=${ORDERS}`)]);
      const isKnown = ban !== null || orders.length > 0;
      return [
        ban
          ? facts([['State', h('span', { class: 'tag' }, 'BANNED')], ['Since', moment(ban.since)], ['Until', moment(ban.until)], ['Reason', ban.reason], ['By', ban.by]])
          : h('p', {}, 'This buyer is not banned.'),
        // An id that was mistyped is not banned.
        isKnown ? buttons([ban ? 'lift' : 'ban'], id, again) : null,
        h('h2', {}, 'The last orders'),
        orders.length > 0 ? orderTable(orders) : h('p', { class: 'quiet' }, 'None is known of a buyer with this id'),
      ];
    },
  };
}

async function banOf(path) {
  try {
    return await read(`/admin/blacklist/${path}`);
  } catch (error) {
    if (error instanceof CallFailed && error.status === 404) {
      return null;
    }
    throw error;
  }
}

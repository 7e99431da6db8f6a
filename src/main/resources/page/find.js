// What somebody looks for by a word: orders that have it as their name, as a payment, or as their buyer.

import { CallFailed, read } from './calls.js';
import { h } from './dom.js';
import { orderTable } from './order.js';

const ORDERS = 20;
const BY = { reference: 'Orders that the shop calls so', payment_ref: 'Orders with this payment', user_id: 'Orders of this buyer' };

export function findView(word) {
  const path = encodeURIComponent(word);
  return {
    title: `Found by ${word}`,
    isLive: false,
    async load() {
      const found = await Promise.all(Object.entries(BY).map(async ([by, title]) => [title, await ordersBy(by, path)]));
      const nodes = found.filter(([, orders]) => orders.length > 0).map(([title, orders]) => [h('h2', {}, title), orderTable(orders)]);
      return [
        nodes.length > 0 ? nodes.flat() : h('p', {}, 'No order has this name, payment or buyer; an order is found once its event was sent.'),
        h('p', {}, h('a', { href: `#/buyer/${path}` }, `The buyer ${word}`)),
      ];
    },
  };
}

/** What cannot be such a name at all is the name of none. */
async function ordersBy(by, path) {
  try {
    return (await read(`/admin/orders?${by}=${path}&limit=${ORDERS}`)).orders;
  } catch (error) {
    if (error instanceof CallFailed && error.status === 400) {
      return [];
    }
    throw error;
  }
}

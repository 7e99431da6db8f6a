// The sales: all of them in pages, and those that have not ended on the first screen.

import { read } from './calls.js';
import { byId, fill, h, pager, say, table } from './dom.js';
import { moment } from './numbers.js';
import { saleView } from './sale.js';

const SALES = 50;
const EVERY_MS = 3_000;

/** The sale that an address names, or all where it names none. */
export function salesView(id) {
  return id ? saleView(id) : allView();
}

function allView() {
  let after = '';
  return {
    title: 'Sales',
    everyMs: EVERY_MS,
    async load(frame, again) {
      const { sales, next_after: next } = await read(`/admin/sales?limit=${SALES}&after=${encodeURIComponent(after)}`);
      const turn = (to) => {
        after = to;
        again();
      };
      return [
        sales.length === 0
          ? h('p', { class: 'quiet' }, after ? 'There are no more' : 'There is no sale yet; SKUs can be sold without one')
          : table('Sales', ['sale', 'name', 'state', 'opens', 'closes'], sales.map((sale) =>
            [link(sale.sale_id), sale.name, sale.state.toLowerCase(), moment(sale.opens_at), moment(sale.closes_at)])),
        pager(SALES, after, next, '', turn),
      ];
    },
  };
}

function link(id) {
  return h('a', { href: `#/sales/${encodeURIComponent(id)}` }, id);
}

export function drawSales(frame) {
  const sales = frame.sales ?? [];
  byId('sales-going').hidden = sales.length === 0;
  fill(byId('sales'), JSON.stringify(sales.map((sale) => [sale.sale_id, sale.name])), () => sales.map((sale) =>
    h('li', {}, link(sale.sale_id), ' ', h('span', { class: 'tag' }), ` ${sale.name}`)));
  sales.forEach((sale, i) => say(byId('sales').children[i].children[1], sale.state));
  byId('sales-more').hidden = !frame.more_sales;
}

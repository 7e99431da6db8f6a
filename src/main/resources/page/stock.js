// The stock of one SKU as it falls, with a strip of its buckets, and what orders came of it.

import { byId, fill, h, say } from './dom.js';
import { count, short } from './numbers.js';

const STAGES = [
  { name: 'RESERVED', hint: 'granted, not booked yet', sum: 'unbooked', event: null },
  { name: 'PENDING', hint: 'booked, waiting to be paid', sum: 'held', event: 'ORDER_BOOKED' },
  { name: 'CONFIRMED', hint: 'paid', sum: 'sold', event: 'ORDER_CONFIRMED' },
  { name: 'CANCELED', hint: 'ended unpaid since this instance started', sum: null, event: 'ORDER_CANCELED' },
  { name: 'REFUNDED', hint: 'paid back since this instance started', sum: null, event: 'ORDER_REFUNDED' },
];

/** The SKU to show: the chosen one while it is followed, else the one that sells most lately. */
export function chosen(frame) {
  const skus = frame.skus ?? [];
  const wanted = byId('stock-sku').dataset.wanted;
  return skus.find((sku) => String(sku.sku_id) === wanted) ?? skus[0];
}

/** When nothing will be left, at the rate of the last seconds; empty where it does not fall. */
function outlook(sku, perS) {
  if (perS <= 0 || sku.available === 0 || sku.state !== 'OPEN') {
    return '';
  }
  const seconds = sku.available / perS;
  return seconds < 3_600 ? ` \u00b7 sold out in about ${seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.round(seconds / 60)} min`}` : '';
}

export function drawStock(frame, fallsPerS) {
  const select = byId('stock-sku');
  const skus = [...(frame.skus ?? [])].sort((a, b) => a.sku_id - b.sku_id);
  const sku = chosen(frame);
  select.hidden = skus.length === 0;
  fill(select, JSON.stringify(skus.map((one) => [one.sku_id, one.name])), () =>
    skus.map((one) => h('option', { value: one.sku_id }, `SKU ${one.sku_id}${one.name ? ` ${one.name}` : ''}`)));
  const more = byId('stock-more');
  more.hidden = !sku;
  if (!sku) {
    say(byId('stock-left'), '\u2013');
    say(byId('stock-of'), frame.skus ? 'There is no SKU yet' : 'Looking for SKUs');
    return;
  }
  select.value = String(sku.sku_id);
  more.href = `#/sku/${sku.sku_id}`;
  say(byId('stock-left'), count(sku.available));
  say(byId('stock-of'), `of ${count(sku.total)} left \u00b7 ${sku.state.toLowerCase()}${sku.from === 'ledger' ? ' \u00b7 by the ledger' : ''}${outlook(sku, fallsPerS)}`);
  strip(sku);
}

/** One cell for each bucket, filled by what is left of its units. */
function strip(sku) {
  const node = byId('strip');
  fill(node, `${sku.sku_id}/${sku.buckets.length}`, () => sku.buckets.map(() => h('span', { class: 'cell' }, h('i', {}))));
  let shut = 0;
  sku.buckets.forEach(([bucket, partition, available, allotted, code], i) => {
    const cell = node.children[i];
    const served = code === 'OK' || code === 'LEDGER';
    shut += served ? 0 : 1;
    cell.className = served ? 'cell' : 'cell shut';
    cell.title = `Bucket ${bucket}, partition ${partition}: ${available} of ${allotted} left${served ? '' : `, ${code}`}`;
    cell.firstChild.style.setProperty('--fill', `${allotted > 0 ? (100 * available) / allotted : 0}%`);
  });
  const empty = sku.buckets.filter(([, , available]) => available === 0).length;
  node.setAttribute('aria-label',
    `${sku.buckets.length} buckets: ${empty} empty, ${shut} being loaded, ${count(sku.available)} units left`);
}

export function drawFlow(frame, rates) {
  const skus = frame.skus ?? [];
  const node = byId('stages');
  fill(node, 'stages', () => STAGES.map(({ name, hint, sum }, i) =>
    h('li', { class: `stage${i < 2 ? ' leads' : ''}${sum ? '' : ' ends'}`, title: hint },
      h('span', { class: 'name' }, name), h('b', {}), h('span', { class: 'rate' }))));
  STAGES.forEach(({ sum, event }, i) => {
    const value = sum ? skus.reduce((all, sku) => all + sku[sum], 0) : frame.events?.[event] ?? 0;
    const per = event ? rates.events[event] ?? 0 : rates.grants;
    say(node.children[i].children[1], short(value));
    say(node.children[i].children[2], per > 0 ? `+${short(per)}/s` : '\u00a0');
  });
  say(byId('flow-note'), frame.more_skus ? `units of ${skus.length} SKUs that sell most` : 'units, and new ones per second');
  const all = frame.units;
  byId('flow-all').hidden = !all;
  say(byId('flow-all'), all ? `All fast SKUs, when last compared: ${count(all.free)} left, ${count(all.held)} held, ${count(all.sold)} sold` : '');
}

// What operators have changed lately, each change as a sentence.

import { byId, fill, h } from './dom.js';
import { clock } from './numbers.js';

const sku = ({ sku_id: id }) => `SKU ${id}`;
const sale = ({ sale_id: id }) => `sale ${id}`;
const webhook = ({ webhook_id: id }) => `webhook ${id}`;
const buyer = () => 'a buyer';
const toItsTimes = (what) => (of) => `${what(of)} to its times`;

const COMMANDS = {
  confirm: ['confirm', 'confirmed'],
  cancel: ['cancel', 'canceled'],
  extend: ['extend', 'extended'],
  refund: ['refund', 'refunded'],
};

/** By the name of the call: its verb, the same in the past, and what it is done to. */
const SENTENCES = {
  admin_put: ['save', 'saved', sku],
  admin_restock: ['change', 'changed', ({ sku_id: id, qty }) => `the stock of SKU ${id}${qty ? ` by ${qty} ${/^-?1$/.test(qty) ? 'unit' : 'units'}` : ''}`],
  admin_open: ['open', 'opened', sku],
  admin_close: ['close', 'closed', sku],
  admin_follow: ['return', 'returned', toItsTimes(sku)],
  admin_freeze: ['freeze', 'froze', sku],
  admin_unfreeze: ['unfreeze', 'unfroze', sku],
  admin_rebuild: ['rebuild', 'rebuilt', sku],
  admin_end: ['end', 'ended', sku],
  admin_archive: ['archive', 'archived', sku],
  admin_put_sale: ['save', 'saved', sale],
  admin_open_sale: ['open', 'opened', sale],
  admin_close_sale: ['close', 'closed', sale],
  admin_follow_sale: ['return', 'returned', toItsTimes(sale)],
  admin_freeze_sale: ['freeze', 'froze', sale],
  admin_unfreeze_sale: ['unfreeze', 'unfroze', sale],
  admin_end_sale: ['end', 'ended', sale],
  admin_archive_sale: ['archive', 'archived', sale],
  admin_delete: ['delete', 'deleted', sku],
  admin_delete_sale: ['delete', 'deleted', sale],
  admin_command: (of) => [...(COMMANDS[of.command] ?? ['change', 'changed']), () => 'an order'],
  admin_put_job: ['start', 'started', (of) => `job ${of.job_id}${of.action ? ` (${of.action} of ${of.sale_id ? sale(of) : sku(of)})` : ''}`],
  admin_stop_job: ['stop', 'stopped', ({ job_id: id }) => `job ${id}`],
  admin_reconcile: ['compare', 'compared', () => 'all partitions with Redis'],
  admin_reset: ['reset', 'reset', ({ partition }) => `partition ${partition}`],
  admin_ban: ['ban', 'banned', buyer],
  admin_lift: ['lift', 'lifted', () => 'the ban of a buyer'],
  admin_forget: ['forget', 'forgot', buyer],
  admin_webhook_put: ['save', 'saved', webhook],
  admin_webhook_delete: ['delete', 'deleted', webhook],
  admin_webhook_replay: ['replay', 'replayed', webhook],
};

/** An answered call of an operator: who did what to what, and how it went if it was not simply done. */
export function sentence({ operator, call, of, status }) {
  const who = operator === 'loopback' ? 'Somebody on this machine' : operator;
  const known = SENTENCES[call] ?? ['call', 'called', () => call];
  const [verb, past, what] = typeof known === 'function' ? known(of) : known;
  if (status >= 400) {
    return `${who} tried to ${verb} ${what(of)}, but ${status < 500 ? 'was refused' : 'got no certain answer'} (${status})`;
  }
  return status === 202 ? `${who} asked to ${verb} ${what(of)}, which was not finished at once` : `${who} ${past} ${what(of)}`;
}

export function drawChanges(frame) {
  fill(byId('changes'), JSON.stringify(frame.changes), () => frame.changes.length === 0
    ? [h('li', { class: 'quiet' }, 'None on this instance since its start')]
    : frame.changes.map((one) => h('li', {}, h('span', { class: 'quiet' }, clock(one.at)), ` ${sentence(one)}.`)));
}

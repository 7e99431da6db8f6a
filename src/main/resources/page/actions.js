// What the buttons do. Each says what will happen, asks, calls, and shows the answer and its line in the operator log.

import { CallFailed, call } from './calls.js';
import { byId, h } from './dom.js';

const sku = (id, call_) => `/admin/skus/${id}/${call_}`;

/** By name; `will` is told before, `fields` are asked for, `grave` marks what buyers notice. */
export const ACTIONS = {
  open: (id) => ({
    title: `Open SKU ${id}`,
    button: 'Open',
    will: 'It sells from now on, whatever its opening time is. A closing time that has passed is removed.',
    method: 'POST',
    path: sku(id, 'open'),
  }),
  close: (id) => ({
    title: `Close SKU ${id}`,
    button: 'Close',
    grave: true,
    will: 'New requests are answered "not open". Orders that exist can still be paid, canceled and refunded.',
    method: 'POST',
    path: sku(id, 'close'),
  }),
  freeze: (id) => ({
    title: `Freeze SKU ${id}`,
    button: 'Freeze',
    grave: true,
    will: 'Buyers are answered "busy" until it is unfrozen. Use it where you doubt its numbers.',
    method: 'POST',
    path: sku(id, 'freeze'),
  }),
  unfreeze: (id) => ({
    title: `Unfreeze SKU ${id}`,
    button: 'Unfreeze',
    will: 'It goes back to the state that it had before it was frozen. Repair the ledger first where an alarm froze it.',
    method: 'POST',
    path: sku(id, 'unfreeze'),
  }),
  restock: (id) => ({
    title: `Restock SKU ${id}`,
    button: 'Restock',
    will: 'Adds units, spread over its buckets; a negative number takes unsold units back. The same restock id again changes nothing.',
    method: 'POST',
    path: sku(id, 'restock'),
    fields: [
      { name: 'qty', label: 'Units (negative to take back)', value: '100', number: true },
      { name: 'restock_id', label: 'Restock id', value: `page-${Date.now().toString(36)}` },
    ],
  }),
  rebuild: (id) => ({
    title: `Rebuild SKU ${id}`,
    button: 'Rebuild',
    grave: true,
    will: 'Each of its buckets is loaded into Redis from the ledger. Buyers of a bucket are answered "busy" until it is loaded.',
    method: 'POST',
    path: sku(id, 'rebuild'),
  }),
  reconcile: () => ({
    title: 'Reconcile all partitions',
    button: 'Reconcile',
    will: 'Each owner compares its buckets with Redis now, and rebuilds those that differ. It waits for the reports, up to 30 s.',
    method: 'POST',
    path: '/admin/reconcile',
  }),
  reset: (partition) => ({
    title: `Reset partition ${partition}`,
    button: 'Reset',
    grave: true,
    will: 'Only for a partition whose log lost records. It goes on where its log is, and commands that were lost are skipped. Booked orders stay.',
    method: 'POST',
    path: `/admin/partitions/${partition}/reset`,
  }),
  ban: (buyer) => ({
    title: `Ban ${buyer}`,
    button: 'Ban',
    grave: true,
    will: 'All requests for orders of this buyer are refused, on every instance within a second. Orders that exist stay.',
    method: 'PUT',
    path: `/admin/blacklist/${encodeURIComponent(buyer)}`,
    fields: [
      { name: 'ban_s', label: 'Seconds', value: '600', number: true },
      { name: 'reason', label: 'Reason', value: 'by an operator' },
    ],
  }),
  lift: (buyer) => ({
    title: `Lift the ban of ${buyer}`,
    button: 'Lift the ban',
    will: 'The buyer may order again, on every instance within a second.',
    method: 'DELETE',
    path: `/admin/blacklist/${encodeURIComponent(buyer)}`,
  }),
};

/** A button for an action; `done` is called when its dialog is closed. */
export function button(name, id, done) {
  const action = ACTIONS[name](id);
  return h('button', { type: 'button', class: action.grave ? 'grave' : null, 'data-action': name, onclick: () => ask(ACTIONS[name](id), done) }, action.button);
}

function bodyOf(action, form) {
  if (!action.fields) {
    return undefined;
  }
  return Object.fromEntries(action.fields.map(({ name, number }) => {
    const text = form.elements[name].value.trim();
    return [name, number && /^-?\d+$/.test(text) ? Number(text) : text];
  }));
}

function ask(action, done) {
  const dialog = byId('ask');
  const answer = h('p', { role: 'status' });
  const confirm = h('button', { type: 'submit', class: action.grave ? 'grave' : 'main' }, action.title);
  const leave = h('button', { type: 'button', onclick: () => dialog.close() }, 'Do nothing');
  dialog.addEventListener('close', () => done?.(), { once: true });
  const form = h('form', { method: 'dialog' },
    h('h2', { id: 'ask-title' }, action.title),
    h('p', {}, action.will),
    (action.fields ?? []).map(({ name, label, value }) =>
      h('label', {}, label, h('input', { name, value, autocomplete: 'off', maxlength: 200 }))),
    h('p', { class: 'quiet' }, 'Its line in the operator log, after your name:'),
    h('code', {}, `method="${action.method}" path="${action.path}"`),
    answer,
    h('div', { class: 'buttons' }, leave, confirm));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    confirm.disabled = true;
    answer.className = 'quiet';
    answer.textContent = 'Asked. Waiting for the answer\u2026';
    try {
      const { status } = await call(action.method, action.path, bodyOf(action, form));
      answer.textContent = status === 202 ? 'Taken, and not finished yet: look again in a moment.' : `Done, and logged with status ${status}.`;
      confirm.remove();
      leave.textContent = 'Back';
      leave.focus();
    } catch (error) {
      answer.className = 'problem';
      answer.textContent = error instanceof CallFailed ? error.message : 'The page failed; look at the browser\u2019s console.';
      confirm.disabled = false;
    }
  });
  dialog.replaceChildren(form);
  dialog.showModal();
  leave.focus();
}

/** Asks for the operator's token; resolves with it, or null where the dialog was left. */
export function askToken(why) {
  const dialog = byId('ask');
  return new Promise((resolve) => {
    const input = h('input', { name: 'token', type: 'password', autocomplete: 'off' });
    const form = h('form', { method: 'dialog' },
      h('h2', { id: 'ask-title' }, 'Who are you?'),
      h('p', {}, why),
      h('label', {}, 'Token of admin.tokens', input),
      h('p', { class: 'quiet' }, 'Kept in this tab until it is closed. A reader may look; an operator may use the buttons.'),
      h('div', { class: 'buttons' },
        h('button', { type: 'button', onclick: () => dialog.close() }, 'Not now'),
        h('button', { type: 'submit', class: 'main' }, 'Use it')));
    let given = null;
    form.addEventListener('submit', () => {
      given = input.value.trim();
    });
    dialog.addEventListener('close', () => resolve(given), { once: true });
    dialog.replaceChildren(form);
    if (!dialog.open) {
      dialog.showModal();
    }
    input.focus();
  });
}

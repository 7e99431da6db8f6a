// The dialogs: what a button will do, its answer and its line in the operator log; and who somebody is.

import { ACTIONS } from './actions.js';
import { CallFailed, call, mayChange } from './calls.js';
import { byId, h } from './dom.js';

/** The buttons of these actions; none for who may only look. `done` is called when the dialog of one is closed. */
export function buttons(names, id, done) {
  return mayChange() && names.length > 0 ? h('div', { class: 'buttons' }, names.map((name) => button(name, id, done))) : null;
}

function button(name, id, done) {
  const action = ACTIONS[name](id);
  return h('button', { type: 'button', class: action.grave ? 'grave' : null, 'data-action': name, onclick: () => ask(ACTIONS[name](id), done) }, action.button);
}

function bodyOf(action, form) {
  if (!action.fields) {
    return action.body;
  }
  return { ...action.body, ...Object.fromEntries(action.fields.map(({ name, number }) => {
    const text = form.elements[name].value.trim();
    return [name, number && /^-?\d+$/.test(text) ? Number(text) : text];
  })) };
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
    h('p', { class: 'quiet' }, 'The call, which the operator log will have under your name:'),
    h('code', {}, `${action.method} ${action.path}`),
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
      h('p', { class: 'quiet' }, 'Kept in this tab until it is closed. A reader may look, support sees buyers as well; an operator may use the buttons.'),
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

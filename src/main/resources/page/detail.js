// One level down: shows what an address names, reads it again while it is shown, and says so where it cannot.

import { byId, h } from './dom.js';
import { alarmView } from './alarm.js';
import { buyerView } from './buyer.js';
import { CallFailed } from './calls.js';
import { findView } from './find.js';
import { orderView } from './order.js';
import { partitionView } from './partition.js';
import { salesView } from './sales.js';
import { skuView } from './sku.js';

/** By the first word of the address. A view is `title`, `load(frame, again)` that resolves with its nodes, and how often. */
const VIEWS = {
  alarm: alarmView,
  buyer: buyerView,
  find: findView,
  order: orderView,
  partition: partitionView,
  sales: salesView,
  sku: skuView,
};

const EVERY_MS = 1_500;

export class Detail {
  #frame;
  #timer;
  #shown = 0;

  /** @param frame the last frame, or undefined */
  constructor(frame) {
    this.#frame = frame;
  }

  /** Shows what an address names; false where it names nothing. */
  show(address) {
    clearTimeout(this.#timer);
    this.#shown += 1;
    const [, name, ...rest] = address.split('/');
    const view = VIEWS[name]?.(decode(rest.join('/')));
    byId('overview').hidden = Boolean(view);
    byId('detail').hidden = !view;
    if (!view) {
      return false;
    }
    const heading = h('h1', { tabindex: '-1' }, view.title);
    const body = h('div', { class: 'panel' }, 'Reading\u2026');
    byId('detail').replaceChildren(h('nav', { 'aria-label': 'Back' }, h('a', { href: '#/' }, '\u2190 Overview')), heading, body);
    heading.focus();
    this.#load(view, body, this.#shown);
    return true;
  }

  async #load(view, body, shown) {
    const again = () => this.#load(view, body, shown);
    let nodes;
    let isRefused = false;
    try {
      nodes = await view.load(this.#frame(), again);
    } catch (error) {
      // Another token shows it anew.
      isRefused = error instanceof CallFailed && error.status === 403;
      nodes = [h('p', { class: 'problem', role: 'alert' }, error.message)];
    }
    if (shown !== this.#shown) {
      return;
    }
    clearTimeout(this.#timer);
    if (!byId('ask').open) {
      replace(body, nodes.flat().filter(Boolean));
    }
    if (view.isLive !== false && !isRefused) {
      this.#timer = setTimeout(again, view.everyMs ?? EVERY_MS);
    }
  }
}

/** Puts these in the place of what is there; what had the focus has it again. */
function replace(body, nodes) {
  const focused = body.contains(document.activeElement) ? nameOf(document.activeElement) : null;
  body.replaceChildren(...nodes);
  if (focused) {
    [...body.querySelectorAll('a, button, [tabindex]')].find((node) => nameOf(node) === focused)?.focus();
  }
}

function nameOf(node) {
  return node.dataset.action ?? node.getAttribute('href') ?? node.getAttribute('aria-label');
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of what somebody looks for: a whole number is a SKU, a token has two dots, all else is looked for. */
export function addressOf(text) {
  const word = text.trim();
  if (word === '') {
    return '#/';
  }
  if (/^\d{1,19}$/.test(word)) {
    return `#/sku/${word}`;
  }
  return /^\d+\.\d+\.[\w-]{22}$/.test(word) ? `#/order/${word}` : `#/find/${encodeURIComponent(word)}`;
}

// Makes elements. Whatever comes from the service is put in as text; nothing here reads markup.

const SVG = 'http://www.w3.org/2000/svg';

function grow(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith('on')) {
      node.addEventListener(name.slice(2), value);
    } else if (value !== undefined && value !== null && value !== false) {
      node.setAttribute(name, value === true ? '' : String(value));
    }
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined).map(asNode));
  return node;
}

function asNode(child) {
  return child instanceof Node ? child : document.createTextNode(String(child));
}

/** An element; children are nodes or texts, a handler is given as `onclick`. */
export function h(tag, attributes, ...children) {
  return grow(document.createElement(tag), attributes, children);
}

/** An element of a drawing. */
export function svg(tag, attributes, ...children) {
  return grow(document.createElementNS(SVG, tag), attributes, children);
}

export function byId(id) {
  return document.getElementById(id);
}

/** Sets a text, only where it differs: a screen reader is told of changes. */
export function say(node, text) {
  const value = String(text);
  if (node.textContent !== value) {
    node.textContent = value;
  }
}

/** Puts these children in the place of all others, only where the key differs from the last time. */
export function fill(node, key, children) {
  if (node.dataset.key !== key) {
    node.dataset.key = key;
    node.replaceChildren(...children().flat());
  }
}

/** A list of names with their values. */
export function facts(pairs) {
  return h('dl', { class: 'facts' }, pairs.map(([name, value]) =>
    h('div', {}, h('dt', {}, name), h('dd', {}, value ?? '\u2013'))));
}

/** A table; columns of numbers are flush right. */
export function table(caption, head, rows) {
  const kind = (column) => (rows.every((row) => /^[\d,.]*$/.test(String(row[column]?.textContent ?? row[column] ?? ''))) ? 'n' : null);
  const kinds = head.map((name, column) => kind(column));
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    h('table', {},
      h('thead', {}, h('tr', {}, head.map((name, i) => h('th', { scope: 'col', class: kinds[i] }, name)))),
      h('tbody', {}, rows.map((row) => h('tr', {}, row.map((cell, i) => h('td', { class: kinds[i] }, cell ?? '\u2013')))))));
}

/** A button to the next page, or from the last one back to the first; none where there is only one. */
export function pager(size, after, next, first, turn) {
  if (next === null && after === first) {
    return null;
  }
  const isLast = next === null;
  return h('div', { class: 'buttons' },
    h('button', { type: 'button', 'data-action': 'more', onclick: () => turn(isLast ? first : next) }, isLast ? 'Back to the first' : `More, ${size} at a time`));
}

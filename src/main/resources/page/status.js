// The word, with a shape of its own for those who do not see its colour, and the reasons for it.

import { byId, fill, h, say, svg } from './dom.js';

const SHAPES = {
  SELLING: ['M14 10 L32 20 L14 30 Z'],
  WAITING: ['M13 11 h5 v18 h-5 Z', 'M22 11 h5 v18 h-5 Z'],
  DEGRADED: ['M20 8 L33 31 H7 Z M18.6 16 h2.8 l-.4 8 h-2 Z M18.6 26 h2.8 v2.6 h-2.8 Z'],
  STOPPED: ['M12 12 h16 v16 h-16 Z'],
};

export function drawStatus(frame) {
  const { word, reasons } = frame.status;
  byId('status').dataset.word = word;
  say(byId('word'), word);
  document.title = `${word} \u00b7 Sluice`;
  fill(byId('badge'), word, () => [svg('svg', { viewBox: '0 0 40 40' },
    svg('circle', { cx: 20, cy: 20, r: 18.5, fill: 'none', stroke: 'currentColor', 'stroke-width': 2 }),
    (SHAPES[word] ?? []).map((d) => svg('path', { d, fill: 'currentColor', 'fill-rule': 'evenodd' })))]);
  fill(byId('reasons'), JSON.stringify(reasons), () => reasons.map(line));
}

/** What is so, as a link to what the runbook says of it, and what still works. */
function line({ text, alarm, works }) {
  return h('li', {},
    alarm ? h('a', { href: `#/alarm/${encodeURIComponent(alarm)}` }, text) : text,
    works ? h('span', { class: 'quiet' }, ` Still works: ${works}`) : null);
}

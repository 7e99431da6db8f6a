// A buyer: banned or not, and the buttons for it.

import { button } from './actions.js';
import { CallFailed, read } from './calls.js';
import { facts, h } from './dom.js';

export function buyerView(id) {
  return {
    title: `Buyer ${id}`,
    async load(frame, again) {
      let ban = null;
      try {
        ban = await read(`/admin/blacklist/${encodeURIComponent(id)}`);
      } catch (error) {
        if (!(error instanceof CallFailed) || error.status !== 404) {
          throw error;
        }
      }
      return [
        ban
          ? facts([['State', h('span', { class: 'tag' }, 'BANNED')], ['Since', ban.since], ['Until', ban.until], ['Reason', ban.reason], ['By', ban.by]])
          : h('p', {}, 'This buyer is not banned.'),
        h('div', { class: 'buttons' }, button(ban ? 'lift' : 'ban', id, again)),
      ];
    },
  };
}

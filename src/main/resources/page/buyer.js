// A buyer: banned or not, and the buttons for it.

import { buttons } from './ask.js';
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
        buttons([ban ? 'lift' : 'ban'], id, again),
      ];
    },
  };
}

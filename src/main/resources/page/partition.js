// A partition: its owner, what it has to do, and its last comparison with Redis.

import { buttons } from './ask.js';
import { read } from './calls.js';
import { facts, h, table } from './dom.js';
import { ago, count, moment } from './numbers.js';

export function partitionView(number) {
  return {
    title: `Partition ${number}`,
    async load(frame, again) {
      const one = (frame?.partitions ?? []).find(({ partition }) => String(partition) === number);
      if (!one) {
        return [h('p', { class: 'problem' }, frame?.partitions ? 'There is no partition of this number.' : 'It is known once the service is connected.')];
      }
      const drift = await read('/admin/drift');
      return [
        facts([
          ['Owner', one.owner ? `${one.owner}${one.owner === frame.instance ? ' (this instance)' : ''}` : 'not heard of'],
          ['Last heard', `${one.silent_s.toFixed(1)} s ago`],
          ['Term', count(one.term)],
          ['Not booked', `${count(one.backlog)} records`],
          ['Oldest unbooked grant', `${one.unbooked_s.toFixed(1)} s`],
          ['Compared', one.compared_at ? `${count(one.compared)} buckets, ${ago(one.compared_at, frame.at)}` : 'not yet'],
          ['Drift', one.compared_at ? count(one.drift) : null],
        ]),
        buttons(['reconcile', 'reset'], number, again),
        h('h2', {}, 'Last corrections, of all partitions'),
        corrections(drift.corrections),
      ];
    },
  };
}

function corrections(made) {
  return made.length === 0
    ? h('p', { class: 'quiet' }, 'None: Redis and the ledger have always agreed')
    : table('Corrections', ['bucket', 'at', 'why', 'before', 'after'], made.slice(0, 20).map((one) =>
      [one.what, moment(one.at), one.why, one.before, one.after]));
}

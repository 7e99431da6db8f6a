// Whether the books agree, the last alarms, and which instance has which partitions.

import { byId, fill, h, say } from './dom.js';
import { ago, bytes, brief, count, withUnit } from './numbers.js';

export function drawBars(frame) {
  const node = byId('bars');
  fill(node, JSON.stringify(frame.bounds.map(({ name }) => name)), () => frame.bounds.map(({ name }) =>
    h('li', { class: 'bar' },
      h('span', { class: 'name' }, name),
      h('div', { class: 'track', role: 'meter', 'aria-label': name, 'aria-valuemin': 0, 'aria-valuenow': 0 }, h('i', {})),
      h('span', { class: 'value' }))));
  frame.bounds.forEach(({ value, limit, unit, over }, i) => {
    const item = node.children[i];
    const [, track, text] = item.children;
    if (value === null) {
      say(text, '\u2013');
      return;
    }
    const part = limit > 0 ? Math.min(1, value / limit) : 0;
    const words = limit > 0 ? pair(value, limit, unit) : `${withUnit(value, unit)}, no limit`;
    item.className = over ? 'bar over' : 'bar';
    track.setAttribute('aria-valuemax', limit > 0 ? limit : Math.max(1, value));
    track.setAttribute('aria-valuenow', limit > 0 ? Math.min(value, limit) : value);
    track.setAttribute('aria-valuetext', over ? `${words}, high` : words);
    track.firstChild.style.setProperty('--fill', `${100 * part}%`);
    say(text, words);
  });
}

function pair(value, limit, unit) {
  if (unit === 'bytes') {
    return `${bytes(value)} / ${bytes(limit)}`;
  }
  return unit === 's' ? `${value.toFixed(1)} / ${count(limit)} s` : `${count(value)} / ${count(limit)}`;
}

export function drawHealth(frame) {
  drift(frame);
  alarms(frame);
  instances(frame);
}

function drift(frame) {
  const seen = (frame.partitions ?? []).filter((one) => one.compared_at);
  const now = seen.reduce((sum, one) => sum + one.drift, 0);
  const compared = seen.reduce((sum, one) => sum + one.compared, 0);
  const last = Math.max(0, ...seen.map((one) => one.compared_at));
  const words = seen.length === 0
    ? 'not compared yet'
    : `${count(compared)} buckets compared, last ${ago(last, frame.at)}${frame.drifted > 0 ? `; ${count(frame.drifted)} differed since the start` : ''}`;
  fill(byId('drift'), `${now}/${words}`, () => ['Drift ', h('b', {}, seen.length === 0 ? '\u2013' : count(now)), ' ', h('span', { class: 'quiet' }, words)]);
}

function alarms(frame) {
  const minute = Math.floor(frame.at / 10_000);
  fill(byId('alarms'), JSON.stringify([frame.alarms, frame.alarms.length > 0 ? minute : 0]), () => frame.alarms.length === 0
    ? [h('li', {}, 'No alarm since the start')]
    : frame.alarms.slice(0, 3).map((alarm) => h('li', {},
      h('a', { href: `#/alarm/${encodeURIComponent(alarm.word)}` }, alarm.word),
      ` ${ago(alarm.at, frame.at)}${alarm.times > 1 ? `, ${alarm.times} times` : ''}`)));
}

/** Each running instance with its partitions; partitions of which no owner was heard stand apart. */
function instances(frame) {
  const partitions = frame.partitions ?? [];
  const running = frame.instances ?? [];
  const ids = [...new Set([frame.instance, ...running, ...partitions.map(({ owner }) => owner)])].filter(Boolean);
  const key = JSON.stringify([ids, running, partitions.map((one) => [one.owner, silent(one)])]);
  fill(byId('instances'), key, () => [
    ...ids.map((id) => row(id === frame.instance ? `this one (${brief(id)})` : `${brief(id)}${isGone(id, running) ? ', gone' : ''}`,
      partitions.filter(({ owner }) => owner === id))),
    ...(partitions.some(({ owner }) => !owner) ? [row('owner not heard of', partitions.filter(({ owner }) => !owner))] : []),
  ]);
}

/** The ledger lists 20 at most, and none before it was read. */
function isGone(id, running) {
  return running.length > 0 && running.length < 20 && !running.includes(id);
}

function silent(partition) {
  return partition.silent_s > 20;
}

function row(name, partitions) {
  return h('li', {}, `${name} `, partitions.length === 0
    ? h('span', { class: 'quiet' }, 'owns no partition')
    : h('span', { class: 'chips' }, partitions.map((one) => h('a', {
      class: silent(one) ? 'chip silent' : 'chip',
      href: `#/partition/${one.partition}`,
      'aria-label': `partition ${one.partition}${silent(one) ? ', silent' : ''}`,
    }, silent(one) ? `${one.partition}!` : one.partition))));
}

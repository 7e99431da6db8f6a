// An alarm, with its chapter of the runbook: docs/runbook.md of this very release, shown as text.

import { h } from './dom.js';
import { ago, clock } from './numbers.js';

export function alarmView(word) {
  return {
    title: `Alarm ${word}`,
    isLive: false,
    async load(frame) {
      const alarm = (frame?.alarms ?? []).find((one) => one.word === word);
      if (!alarm) {
        return [h('p', {}, 'It was not raised on this instance since its start.')];
      }
      return [
        h('p', {}, h('b', {}, alarm.text)),
        h('p', { class: 'quiet' }, `Last at ${clock(alarm.at)}, ${ago(alarm.at, frame.at)}; ${alarm.times} in all on this instance. The lines of its log have the details.`),
        h('h2', {}, 'From the runbook (docs/runbook.md)'),
        ...(await chapter(alarm.text)),
      ];
    },
  };
}

async function chapter(text) {
  const response = await fetch('/page/runbook.md');
  const lines = response.ok ? (await response.text()).split('\n') : [];
  const from = lines.findIndex((line) => line.startsWith('#') && line.includes(text));
  if (from < 0) {
    return [h('p', {}, 'It is not in this build; look into docs/runbook.md under the text of the alarm.')];
  }
  const rest = lines.slice(from + 1);
  const to = rest.findIndex((line) => line.startsWith('#'));
  return paragraphs(to < 0 ? rest : rest.slice(0, to)).map((words) => h('p', {}, words));
}

/** Joins the lines of a paragraph or a list item, without the marks of emphasis and code. */
function paragraphs(lines) {
  const all = [''];
  for (const line of lines) {
    if (line.trim() === '' || line.startsWith('- ')) {
      all.push('');
    }
    all[all.length - 1] += ` ${line.replace(/^- /, '').trim()}`;
  }
  return all.map((words) => words.replace(/\*\*|`/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').trim()).filter(Boolean);
}

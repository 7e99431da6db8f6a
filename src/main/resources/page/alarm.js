// An alarm, with its chapter of the runbook: docs/runbook.md of this very release, shown as text.

import { h } from './dom.js';
import { ago, clock } from './numbers.js';

export function alarmView(word) {
  let isShown = false;
  return {
    title: `Alarm ${word}`,
    get isLive() {
      return !isShown;
    },
    async load(frame) {
      if (!frame) {
        return [h('p', { class: 'quiet' }, 'Waiting for what the service shows\u2026')];
      }
      isShown = true;
      const raised = frame.alarms.find((one) => one.word === word);
      const reason = frame.status.reasons.find((one) => one.alarm === word);
      const text = raised?.text ?? reason?.title;
      if (!text) {
        return [h('p', {}, 'It was not raised on this instance since its start.')];
      }
      const works = reason?.works ?? raised.works;
      return [
        h('p', {}, h('b', {}, text)),
        works ? h('p', {}, `Still works: ${works}.`) : null,
        h('p', { class: 'quiet' }, raised
          ? `Last at ${clock(raised.at)}, ${ago(raised.at, frame.at)}; ${raised.times} in all on this instance. The lines of its log have the details.`
          : 'It was not raised on this instance since its start.'),
        h('h2', {}, 'From the runbook (docs/runbook.md)'),
        ...(await chapter(text)),
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

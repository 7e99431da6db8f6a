// The text of the page of an alarm that was raised.
(async () => {
  const { alarmView } = await import('/page/alarm.js');
  const text = 'ALARM: two orders claim one seq: Redis granted a unit twice; the second order is dead-lettered and the bucket is rebuilt';
  const frame = { at: Date.now(), status: { reasons: [] }, alarms: [{ word: 'seq-granted-twice', text, works: 'all else', times: 2, at: Date.now() }] };
  const nodes = await alarmView('seq-granted-twice').load(frame);
  return nodes.map((node) => node.textContent).join('\n');
})()

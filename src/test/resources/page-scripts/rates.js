// What rates.js makes of a few frames, as JSON.
(async () => {
  const { History, percentile } = await import('/page/rates.js');
  const history = new History();
  const frame = (at, grants, count) => ({ at, grants, refusals: { busy: grants / 2 }, instance: 'a',
    placing: { count, bounds_ms: [10, 20], counts: [count / 2, count] } });
  [[0, 0, 0], [500, 100, 4], [1000, 300, 8]].forEach((one) => history.add(frame(...one)));
  const rates = history.rates();
  const after = new History();
  [[0, 900, 9], [500, 100, 4]].forEach((one) => after.add(frame(...one)));
  return JSON.stringify([rates.grants, rates.refusals.busy, history.latency(0.5, 5000).ms,
    history.latency(0.99, 5000).ms, percentile({ count: 2, bounds: [5], counts: [0] }, 0.5).over,
    percentile({ count: 0, bounds: [5], counts: [0] }, 0.5), after.frames().length]);
})()

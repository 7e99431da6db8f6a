// Draws a frame as no service of ours would send it, in which HOSTILE stands for markup; what is shown then, as JSON.
(async () => {
  const bad = 'HOSTILE';
  const now = Date.now();
  const frame = {
    at: now, grants: 1, refusals: { [bad]: 1 }, placing: { count: 0, bounds_ms: [], counts: [] }, drifted: 0,
    status: { word: 'DEGRADED', reasons: [{ text: bad, alarm: bad, works: bad }] }, bounds: [{ name: bad, value: 1, limit: 2, unit: bad, over: true }],
    alarms: [{ word: bad, text: bad, times: 1, at: now }],
    changes: [{ at: now, operator: bad, call: bad, of: {}, status: 200 }],
    instance: bad, instances: [bad], partitions: [], events: {},
    skus: [{ sku_id: bad, state: bad, total: 1, available: 1, held: 0, sold: 0, unbooked: 0, from: bad, buckets: [] }],
    sales: [{ sale_id: bad, name: bad, state: bad, opens_at: 0, closes_at: 0 }], more_sales: true,
  };
  const { drawStatus } = await import('/page/status.js');
  const { drawHealth, drawBars } = await import('/page/health.js');
  const { drawChanges } = await import('/page/changes.js');
  const { drawSales } = await import('/page/sales.js');
  const { drawStock } = await import('/page/stock.js');
  [drawStatus, drawHealth, drawBars, drawChanges, drawSales, drawStock].forEach((draw) => draw(frame));
  const shown = ['reasons', 'bars', 'alarms', 'changes', 'sales', 'stock-sku']
    .map((id) => document.getElementById(id).textContent.includes(bad));
  return JSON.stringify([...shown, document.querySelectorAll('main img, main script').length]);
})()

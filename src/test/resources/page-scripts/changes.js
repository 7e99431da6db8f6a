// What the page says of changes by CALLS, a list of names, each done, taken and refused; a line each.
(async () => {
  const { sentence } = await import('/page/changes.js');
  const of = { sku_id: '7', sale_id: 'rain', partition: '3', job_id: 'j1', webhook_id: 'shop', qty: '-5', action: 'refund-paid', command: 'refund' };
  return CALLS.flatMap((call) => [200, 202, 409, 503].map((status) => sentence({ operator: 'olga', call, of, status }))).join('\n');
})()

// What the service answers to the call of a button that this page does not show.
(async () => {
  const { call } = await import('/page/calls.js');
  return call('PUT', '/admin/blacklist/alice', { ban_s: 600, reason: 'x' }).then(() => 'done', (error) => error.message);
})()

// Calls of the management port, with the operator's token where there is one. It is kept for this tab only.

const KEY = 'sluice-token';

export function token() {
  return sessionStorage.getItem(KEY) ?? '';
}

export function keepToken(value) {
  if (value) {
    sessionStorage.setItem(KEY, value);
  } else {
    sessionStorage.removeItem(KEY);
  }
}

let role = null;

/** What the service says that who watches may do: operator, support or reader. */
export function keepRole(name) {
  role = name;
}

/** Whether there are buttons. The service decides about each call again. */
export function mayChange() {
  return role === 'operator';
}

/** Whether orders and bans may be asked for; a reader sees no buyer. Not known before the first frame. */
export function maySeeBuyers() {
  return role === 'operator' || role === 'support';
}

export function headers(more) {
  return token() ? { Authorization: `Bearer ${token()}`, ...more } : { ...more };
}

/** What a refused call was told, or that there was no answer. */
export class CallFailed extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

export async function failure(response) {
  let detail = `The service answered ${response.status}`;
  try {
    const problem = await response.json();
    detail = problem.detail ?? problem.title ?? detail;
  } catch {
    // Not of the service, but of something between.
  }
  return new CallFailed(response.status, detail);
}

/** The answer; `unheard` is what is told where there is none. */
async function answer(path, options, unheard) {
  const response = await fetch(path, { ...options, signal: AbortSignal.timeout(60_000) }).catch(() => {
    throw new CallFailed(0, unheard);
  });
  if (!response.ok) {
    throw await failure(response);
  }
  return response;
}

/** Calls, and returns the answer's JSON. */
export async function call(method, path, body) {
  const response = await answer(path, {
    method,
    headers: headers(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    body: body === undefined ? undefined : JSON.stringify(body),
  }, 'The service did not answer. Whether it did what was asked is not known: look before you repeat it.');
  return { status: response.status, json: await response.json() };
}

/** Keeps what a call answers as a file. */
export async function download(path, name) {
  const response = await answer(path, { headers: headers() }, 'The service did not answer.');
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export async function read(path) {
  return (await call('GET', path)).json;
}

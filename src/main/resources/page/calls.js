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

/** Calls, and returns the answer's JSON. */
export async function call(method, path, body) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: headers(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    });
  } catch {
    throw new CallFailed(0, 'The service did not answer. Whether it did what was asked is not known: look before you repeat it.');
  }
  if (!response.ok) {
    throw await failure(response);
  }
  return { status: response.status, json: await response.json() };
}

export async function read(path) {
  return (await call('GET', path)).json;
}

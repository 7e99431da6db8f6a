// Reads the frames of /admin/live: server-sent events over fetch, because an EventSource carries no token.

import { failure, headers, keepRole } from './calls.js';

const SILENT_MS = 4_000;
const RETRY_MS = 500;
const RETRY_MAX_MS = 5_000;

/** Calls `frame` for each event of a body; ends when the body does. */
export async function readEvents(body, frame) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return;
    }
    text += value;
    let end = text.indexOf('\n\n');
    while (end >= 0) {
      const data = text.slice(0, end).split('\n').filter((line) => line.startsWith('data: ')).map((line) => line.slice(6));
      if (data.length > 0) {
        frame(JSON.parse(data.join('\n')));
      }
      text = text.slice(end + 2);
      end = text.indexOf('\n\n');
    }
  }
}

export class Stream {
  #on;
  #stop = new AbortController();
  #pause = RETRY_MS;

  /** @param on `frame(json)`, `live()`, `lost(why)`, and `refused(problem)` after which it waits for `restart` */
  constructor(on) {
    this.#on = on;
  }

  restart() {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#pause = RETRY_MS;
    this.#run(this.#stop);
  }

  async #run(stop) {
    while (!stop.signal.aborted) {
      const why = await this.#once(stop);
      if (stop.signal.aborted || why === null) {
        return;
      }
      this.#on.lost(why);
      await new Promise((resume) => setTimeout(resume, this.#pause * (0.75 + Math.random() / 2)));
      this.#pause = Math.min(RETRY_MAX_MS, this.#pause * 2);
    }
  }

  /** One connection; why it ended, or null where trying again would not help. */
  async #once(stop) {
    const one = new AbortController();
    const end = () => one.abort();
    stop.signal.addEventListener('abort', end);
    let watch = setTimeout(end, SILENT_MS);
    try {
      const response = await fetch('/admin/live', { headers: headers(), signal: one.signal, cache: 'no-store' });
      if (response.status === 401 || response.status === 403) {
        this.#on.refused(await failure(response));
        return null;
      }
      if (!response.ok) {
        return (await failure(response)).message;
      }
      keepRole(response.headers.get('Sluice-Role'));
      await readEvents(response.body, (frame) => {
        clearTimeout(watch);
        watch = setTimeout(end, SILENT_MS);
        this.#pause = RETRY_MS;
        this.#on.live();
        this.#on.frame(frame);
      });
      return 'The stream has ended';
    } catch (error) {
      return one.signal.aborted ? 'No frame arrived for 4 s' : `The stream broke (${error.message})`;
    } finally {
      clearTimeout(watch);
      stop.signal.removeEventListener('abort', end);
      one.abort();
    }
  }
}

// Starts the page: the stream of frames, the first screen, what is one level down, the token, the theme.

import { askToken } from './ask.js';
import { keepToken, token } from './calls.js';
import { Detail, addressOf } from './detail.js';
import { byId, say } from './dom.js';
import { clock } from './numbers.js';
import { Overview } from './overview.js';
import { History } from './rates.js';
import { Stream } from './stream.js';

const THEME = 'sluice-theme';

const history = new History();
const overview = new Overview(history);
const detail = new Detail(() => history.last());

const stream = new Stream({
  frame(frame) {
    history.add(frame);
    if (!byId('overview').hidden) {
      overview.draw();
    }
  },
  live() {
    state('live', 'live');
    byId('notice').hidden = true;
    document.body.classList.remove('old');
  },
  lost(why) {
    state('lost', 'trying again');
    const last = history.last();
    notice(`${why}. ${last ? `What you see is of ${clock(last.at)}. ` : ''}Trying again\u2026`);
    document.body.classList.toggle('old', Boolean(last));
  },
  async refused(problem) {
    state('lost', 'not signed in');
    notice(problem.message);
    document.body.classList.toggle('old', Boolean(history.last()));
    await signIn(problem.message);
  },
});

function state(name, words) {
  byId('link').dataset.state = name;
  say(byId('link'), words);
}

function notice(text) {
  byId('notice').hidden = false;
  say(byId('notice'), text);
}

async function signIn(why) {
  const given = await askToken(why);
  if (given !== null) {
    keepToken(given);
    stream.restart();
    route();
  }
}

function theme(name) {
  document.documentElement.dataset.theme = name;
  say(byId('theme'), name === 'dark' ? 'Light' : 'Dark');
}

function route() {
  const isDetail = detail.show(window.location.hash.replace(/^#/, ''));
  if (!isDetail) {
    overview.draw();
  }
}

byId('theme').addEventListener('click', () => {
  const name = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  localStorage.setItem(THEME, name);
  theme(name);
  overview.recolour();
  overview.draw();
});
byId('sign-in').addEventListener('click', () =>
  signIn(token() ? 'You use a token now. Give another one, or an empty one to use none.' : 'Give the token that your configuration has for you.'));
byId('find').addEventListener('submit', (event) => {
  event.preventDefault();
  window.location.hash = addressOf(byId('find-text').value);
});
window.addEventListener('hashchange', route);

theme(localStorage.getItem(THEME) ?? (window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
overview.recolour();
route();
stream.restart();

// The search of the guide. It loads the index when the field is first used, and looks for all words in every passage.

interface Entry {
  readonly page: string;
  readonly title: string;
  readonly address: string;
  readonly text: string;
}

const MAX_RESULTS = 12;
const form = document.querySelector<HTMLFormElement>('form[role=search]');
const field = form?.querySelector('input');
const panel = form?.querySelector<HTMLElement>('.results');
const status = panel?.querySelector('p');
const list = panel?.querySelector('ul');

let index: Promise<Entry[]> | undefined;

const load = async (address: string): Promise<Entry[]> => {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return (await response.json()) as Entry[]; // written by the build
};

/** How well an entry fits; 0 if one of the words is missing. A word in a heading counts more than one in the text. */
function scoreOf({ page, title, text }: Entry, words: readonly string[]): number {
  const [heading, name, body] = [title.toLowerCase(), page.toLowerCase(), text.toLowerCase()];
  let score = 0;
  for (const word of words) {
    const found = (heading.includes(word) ? 8 : 0) + (name.includes(word) ? 3 : 0) + (body.includes(word) ? 1 : 0);
    if (found === 0) return 0;
    score += found;
  }
  return score;
}

function around(text: string, word: string): string {
  const at = text.toLowerCase().indexOf(word);
  const from = Math.max(0, at - 40);
  return `${from > 0 ? '…' : ''}${text.slice(from, from + 140)}${from + 140 < text.length ? '…' : ''}`;
}

function resultOf(entry: Entry, words: readonly string[], root: string): HTMLLIElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = new URL(entry.address, root).href;
  const title = document.createElement('strong');
  title.textContent = entry.title === entry.page ? entry.page : `${entry.page} › ${entry.title}`;
  const excerpt = document.createElement('span');
  excerpt.textContent = around(entry.text, words[0] ?? '');
  link.append(title, excerpt);
  item.append(link);
  return item;
}

if (form && field && panel && status && list) {
  const address = new URL(form.dataset['index'] ?? '', location.href).href;
  form.hidden = false;
  const show = async (): Promise<void> => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    panel.hidden = words.length === 0;
    if (words.length === 0) return;
    try {
      const entries = await (index ??= load(address));
      const found = entries.map((entry) => ({ entry, score: scoreOf(entry, words) })).filter(({ score }) => score > 0);
      const best = found.toSorted((one, other) => other.score - one.score).slice(0, MAX_RESULTS);
      // The words may have changed while the index was being loaded.
      if (words.join(' ') !== field.value.toLowerCase().split(/\s+/).filter(Boolean).join(' ')) return;
      list.replaceChildren(...best.map(({ entry }) => resultOf(entry, words, address)));
      status.textContent = found.length === 0 ? 'Nothing found.' : `${found.length} found`;
    } catch {
      index = undefined;
      list.replaceChildren();
      status.textContent = 'The search could not be loaded. Type again to retry.';
    }
  };
  field.addEventListener('input', () => void show());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    list.querySelector('a')?.click();
  });
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    field.value = '';
    panel.hidden = true;
    field.focus();
  });
  const closeOutside = (target: EventTarget | null): void => {
    if (target instanceof Node && !form.contains(target)) panel.hidden = true;
  };
  // Safari does not focus a link that is clicked: then nothing gets the focus, and the panel must stay.
  form.addEventListener('focusout', ({ relatedTarget }) => closeOutside(relatedTarget));
  document.addEventListener('pointerdown', ({ target }) => closeOutside(target));
  field.addEventListener('focus', () => void show());
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target !== document.body) return;
    event.preventDefault();
    field.focus();
  });
}

/**
 * Lets readers choose between light and dark, and remembers it. Stands in the head, so that the colours are right
 * before anything is drawn; the button that it serves is shown only where this has run. Who chooses what the system
 * prefers follows the system again.
 */
const root = document.documentElement;
const system = matchMedia('(prefers-color-scheme: dark)');
const bars = Array.from(document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]'));
const papers = bars.map(({ content }) => content);

const stored = (): string | null => {
  try {
    return localStorage.getItem('scheme');
  } catch {
    return null;
  }
};
let chosen = stored();

const isDark = (): boolean => (chosen === null ? system.matches : chosen === 'dark');

function show(): void {
  root.dataset.scheme = chosen ?? 'auto';
  for (const [index, bar] of bars.entries()) {
    bar.content = papers[chosen === null ? index : Number(isDark())] ?? '';
  }
  document.querySelector('.scheme')?.setAttribute('aria-pressed', String(isDark()));
}

function flip(): void {
  const next = isDark() ? 'light' : 'dark';
  chosen = (next === 'dark') === system.matches ? null : next;
  try {
    if (chosen === null) localStorage.removeItem('scheme');
    else localStorage.setItem('scheme', chosen);
  } catch {
    // Then it holds for this page.
  }
  show();
}

show();
system.addEventListener('change', show);
document.addEventListener('DOMContentLoaded', () => {
  show();
  document.querySelector('.scheme')?.addEventListener('click', flip);
});
// Another tab, or a page that was left and is returned to, may have been told something else.
const recall = (): void => {
  chosen = stored();
  show();
};
addEventListener('storage', recall);
addEventListener('pageshow', ({ persisted }) => persisted && recall());

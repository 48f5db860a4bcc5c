/**
 * Lets readers switch between light and dark, and remembers the choice. Runs in the head, so that colours are correct
 * at the first paint. The button is shown only if this script has run. Choosing the system's current scheme follows the
 * system again.
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
    // Without storage, the choice applies to this page only.
  }
  show();
}

show();
system.addEventListener('change', show);
document.addEventListener('DOMContentLoaded', () => {
  show();
  document.querySelector('.scheme')?.addEventListener('click', flip);
});
// The choice may have changed in another tab, or before a return to this page from the back/forward cache.
const recall = (): void => {
  chosen = stored();
  show();
};
addEventListener('storage', recall);
addEventListener('pageshow', ({ persisted }) => persisted && recall());

/** A click on a heading's link also copies its address, and says so. Inlined, so it is small. */
const script = document.currentScript;

if (script instanceof HTMLElement && 'clipboard' in navigator) {
  const { copied = '' } = script.dataset;
  const status = document.createElement('p');
  status.className = 'copy-status';
  status.role = 'status';
  if (script.lang) status.lang = script.lang;
  document.querySelector('main')?.append(status);
  let timer: number | undefined;
  document.addEventListener('click', async ({ target }) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('.prose .anchor') : null;
    if (!link) return;
    try {
      // Without the query, which may tell where this reader comes from.
      await navigator.clipboard.writeText(location.origin + location.pathname + link.hash);
    } catch {
      return;
    }
    status.textContent = copied;
    clearTimeout(timer);
    timer = setTimeout(() => status.replaceChildren(), 3000);
  });
}

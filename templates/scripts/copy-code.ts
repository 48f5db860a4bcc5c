/** Gives each code block a copy button. Inlined in the page, so it must be small. */
const said = 'Copied';

if ('clipboard' in navigator) {
  for (const block of document.querySelectorAll<HTMLElement>('.prose pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.lang = 'en';
    button.textContent = 'Copy';
    button.setAttribute('aria-live', 'polite');
    button.setAttribute('aria-label', 'Copy code');
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.textContent ?? '');
      button.textContent = said;
      button.setAttribute('aria-label', said);
      setTimeout(() => {
        button.textContent = 'Copy';
        button.setAttribute('aria-label', 'Copy code');
      }, 2000);
    });
    const frame = document.createElement('div');
    frame.className = 'copyable';
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

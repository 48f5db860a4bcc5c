/**
 * Gives each code block a copy button, whose words are in the data of this script's element. Inlined, so it is small.
 */
const script = document.currentScript;

if (script instanceof HTMLElement && 'clipboard' in navigator) {
  const { copy = '', name = '', copied = '' } = script.dataset;
  for (const block of document.querySelectorAll<HTMLElement>('.prose pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    if (script.lang) button.lang = script.lang;
    button.textContent = copy;
    button.setAttribute('aria-live', 'polite');
    button.setAttribute('aria-label', name);
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.textContent ?? '');
      button.textContent = copied;
      button.setAttribute('aria-label', copied);
      setTimeout(() => {
        button.textContent = copy;
        button.setAttribute('aria-label', name);
      }, 2000);
    });
    const frame = document.createElement('div');
    frame.className = 'copyable';
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

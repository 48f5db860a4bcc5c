/** Opens a picture that is shown smaller than it is. Inlined, so it is small. */
const script = document.currentScript;

if (script instanceof HTMLElement) {
  const { enlarge = '', name = '', close = '' } = script.dataset;
  const dialog = document.createElement('dialog');
  dialog.className = 'picture';
  const large = document.createElement('img');
  const button = document.createElement('button');
  button.type = 'button';
  button.ariaLabel = close;
  if (script.lang) button.lang = script.lang;
  dialog.append(large, button);
  dialog.addEventListener('click', () => dialog.close());
  // A large file does not stay in memory.
  dialog.addEventListener('close', () => large.removeAttribute('src'));
  document.body.append(dialog);

  const labelOf = ({ alt }: HTMLImageElement): string => (alt ? name.replace('{alt}', () => alt) : enlarge);

  function open(picture: HTMLImageElement): void {
    large.src = picture.src;
    large.alt = picture.alt;
    dialog.ariaLabel = picture.alt || enlarge;
    dialog.showModal();
  }

  /** A picture is a button while there is more to see. */
  function update(picture: HTMLImageElement): void {
    const width = Number(picture.getAttribute('width')) || picture.naturalWidth;
    const isSmaller = picture.clientWidth > 0 && width > picture.clientWidth + 1;
    picture.role = isSmaller ? 'button' : null;
    picture.ariaLabel = isSmaller ? labelOf(picture) : null;
    if (isSmaller) picture.tabIndex = 0;
    else picture.removeAttribute('tabindex');
  }

  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) if (target instanceof HTMLImageElement) update(target);
  });
  for (const picture of document.querySelectorAll<HTMLImageElement>('.prose img')) {
    if (picture.closest('a, button, summary')) continue;
    sizes.observe(picture);
    picture.addEventListener('load', () => update(picture));
    picture.addEventListener('click', () => picture.role === 'button' && open(picture));
    picture.addEventListener('keydown', (event) => {
      if (picture.role !== 'button' || (event.key !== 'Enter' && event.key !== ' ')) return;
      event.preventDefault();
      open(picture);
    });
  }
}

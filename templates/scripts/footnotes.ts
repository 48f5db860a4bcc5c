/** Opens a footnote beside its reference. Inlined, so it is small. */
const script = document.currentScript;

if (script instanceof HTMLElement && 'popover' in script) {
  const { name = '' } = script.dataset;
  const box = document.createElement('div');
  box.className = 'prose note';
  box.popover = 'auto';
  box.role = 'dialog';
  box.tabIndex = -1;
  document.querySelector('.prose')?.after(box);

  let reference: HTMLAnchorElement | null = null;

  // Not `toggle`, which comes a moment after the focus is back at the reference.
  box.addEventListener('beforetoggle', (event) => {
    if (!('newState' in event)) return;
    reference?.setAttribute('aria-expanded', String(event.newState === 'open'));
  });
  box.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !box.contains(relatedTarget)) box.hidePopover();
  });

  document.addEventListener('click', (event) => {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.altKey ||
      !(event.target instanceof Element)
    )
      return;
    const link = event.target.closest<HTMLAnchorElement>('.footnote-ref a');
    const note = link && document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (!link || !note) return;
    // A reference within a footnote leads to the end of the post.
    if (box.contains(link)) return box.hidePopover();
    event.preventDefault();
    reference?.setAttribute('aria-expanded', 'false');
    reference = link;
    show(link, note);
  });

  function show(link: HTMLAnchorElement, note: HTMLElement): void {
    const number = link.textContent ?? '';
    box.ariaLabel = name.replace('{number}', () => number);
    box.replaceChildren(...[...note.childNodes].map((child) => child.cloneNode(true)));
    // A copied button would do nothing. That of the footnote itself, at the end of the post, does.
    for (const element of box.querySelectorAll('.footnote-backref, .copy')) element.remove();
    for (const picture of box.querySelectorAll('img[role="button"]'))
      for (const attribute of ['role', 'tabindex', 'aria-label']) picture.removeAttribute(attribute);
    for (const element of box.querySelectorAll('[id]')) element.removeAttribute('id');
    // The reference is what has the focus when the note closes.
    link.focus({ preventScroll: true });
    box.showPopover();
    place(link);
    box.focus({ preventScroll: true });
  }

  /** Below the reference, or above it if only there is room. */
  function place(link: HTMLAnchorElement): void {
    const { left, top, bottom } = link.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = box;
    const { clientWidth, clientHeight } = document.documentElement;
    const isAbove = bottom + offsetHeight + 16 > clientHeight && top > offsetHeight + 16;
    const at = Math.max(8, Math.min(left - offsetWidth / 2, clientWidth - offsetWidth - 8));
    box.style.left = `${at + scrollX}px`;
    box.style.top = `${(isAbove ? top - offsetHeight - 8 : bottom + 8) + scrollY}px`;
  }
}

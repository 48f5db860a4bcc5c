/** Opens the table of contents, right before this script, where it stands in the margin and covers nothing. */
const contents = document.currentScript?.previousElementSibling;
if (contents instanceof HTMLDetailsElement) contents.open = matchMedia('(min-width: 76rem)').matches;

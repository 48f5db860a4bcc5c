/** Opens the table of contents, which precedes this script, if the page is wide enough to show it in the margin. */
const contents = document.currentScript?.previousElementSibling;
if (contents instanceof HTMLDetailsElement) contents.open = matchMedia('(min-width: 80rem)').matches;

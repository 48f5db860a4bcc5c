/** The reference was at `/docs`: links to its operations (`/docs#/Posts/createPost`) lead on. */
if (location.hash.startsWith('#/') && /\/docs\/$/.test(location.pathname)) {
  location.replace(`reference/${location.hash}`);
}

/**
 * Replaces the addresses of a `srcset`, and keeps their widths and densities. Addresses may contain commas, but never a
 * comma followed by a space.
 */
export const replaceCandidates = (srcset: string, replace: (address: string) => string): string =>
  srcset
    .split(/,\s+/)
    .map((candidate) => candidate.trim().replace(/^\S+/, (address) => replace(address)))
    .join(', ');

/** Runs every benchmark with its defaults, one after the other: they would be in each other's way. */
await import('./publish-to-live.ts');
await import('./full-press.ts');
await import('./markdown.ts');
await import('./lighthouse.ts');

export {};

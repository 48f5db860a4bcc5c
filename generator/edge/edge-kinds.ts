import type { ConfiguredEdge, EdgeKind } from './edge-kind.ts';
import { filesystemKind } from './filesystem-kind.ts';
import { s3Kind } from './s3-kind.ts';

/** Every kind of edge, by its name in `PLATEN_EDGE`. */
export const edgeKinds = { filesystem: filesystemKind, s3: s3Kind };

export type EdgeKindName = keyof typeof edgeKinds;

/** Settings of an installation's edge. */
export type EdgeSettings = ReturnType<(typeof edgeKinds)[EdgeKindName]['settingsOf']>;

/** The edge that the settings describe. */
export function edgeOf(settings: EdgeSettings): ConfiguredEdge {
  // Widened, because TypeScript cannot tell that the kind found by its name fits these settings.
  const kind: Pick<EdgeKind<never, EdgeSettings>, 'edgeOf'> = edgeKinds[settings.kind];
  return kind.edgeOf(settings);
}

import { afterEach, beforeEach, expect, it } from 'vitest';
import { edgeOf } from '../../../generator/edge/edge-kinds.ts';
import { createRenderer } from '../../../generator/render/renderer.ts';
import { type OpenBuilder, openBuilder } from '../../../server/builder/open-builder.ts';
import { siteSettingsOf } from '../../../server/site/site-settings.ts';
import { createSnapshots } from '../../../server/site/snapshots.ts';
import { silentProgress } from '../../../server/upkeep/progress.ts';
import { type RepairTools, repair } from '../../../server/upkeep/repair.ts';
import { createDoor, type Door } from '../../support/gate.ts';
import { openWorkshop, plainCards, readEdge, type Workshop } from '../../support/site-builder.ts';

let workshop: Workshop;
let builder: OpenBuilder;
/** The builder waits here after it has written a file and before it records that. */
let door: Door;
let heldAt: string;
let tools: RepairTools;

beforeEach(async () => {
  workshop = await openWorkshop();
  const { config, services, clock } = workshop;
  const edge = await edgeOf(config.edge).open();
  door = createDoor();
  heldAt = '';
  const held: typeof edge = {
    ...edge,
    async write(path, bytes) {
      await edge.write(path, bytes);
      if (path === heldAt) await door.pass();
    },
  };
  builder = await openBuilder(config, { edge: held, indexMaker: null, cards: plainCards, clock });
  tools = {
    db: services.db,
    clock,
    edge,
    edgeName: 'the edge',
    mirror: null,
    mediaFrom: null,
    progress: silentProgress,
    snapshots: createSnapshots(config.databaseFile),
    renderer: createRenderer({ threads: 1, framePages: async () => expect.fail('nothing is built') }),
    ...siteSettingsOf(config),
  };
});
afterEach(async () => {
  await tools.renderer.close();
  await tools.snapshots.close();
  await builder.close();
  await workshop.close();
});

it.each(['sites/late/index.html', 'hosts/late.localhost'])(
  'a file that a builder publishes while a repair removes it as unknown is restored: %s',
  async (path) => {
    await tools.edge.write(path, Buffer.from('{}'));
    let building: Promise<void> | undefined;
    const whileRemoving = {
      ...tools.edge,
      async remove(paths: readonly string[]) {
        heldAt = path;
        await workshop.newBlog('late');
        building = builder.drain();
        await door.reached;
        await tools.edge.remove(paths);
      },
    };
    const { blogs } = await repair({ ...tools, edge: whileRemoving }, { blog: null, quick: true });
    expect(blogs.size).toBe(1);
    door.open();
    await building;
    await builder.drain();
    const files = readEdge(workshop.edgeDir, 'late');
    expect(files.has('index.html')).toBe(true);
    expect([...files.keys()].filter((file) => file.startsWith('/hosts/'))).toHaveLength(1);
  },
);

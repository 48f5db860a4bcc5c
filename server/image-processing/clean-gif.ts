import { FRAMES_MAX } from './limits.ts';
import { ImageRefused } from './refused.ts';

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;

/** Application extensions that set how often an animation repeats. */
const LOOPS = ['NETSCAPE2.0', 'ANIMEXTS1.0'];

/**
 * Rebuilds a GIF from only what is needed to show it: palettes, frames with their delays and disposal, and the repeat
 * count (GIF89a specification; an unknown block ends the file, as in decoders). The compressed pixels are copied,
 * because a second quantisation would lose colours and take minutes. Throws `ImageRefused`.
 */
export function cleanGif(bytes: Buffer): Buffer {
  const source = { bytes, at: 0 };
  const kept: Buffer[] = [takeScreen(source)];
  let control: Buffer | null = null;
  let loops = false;
  let frames = 0;
  for (let introducer = next(source); introducer !== TRAILER; introducer = next(source)) {
    if (introducer === IMAGE) {
      frames += 1;
      if (frames > FRAMES_MAX) throw new ImageRefused(`has more than ${FRAMES_MAX} frames`);
      if (control) kept.push(control);
      kept.push(Buffer.from([IMAGE]), takeImage(source));
      control = null;
    } else if (introducer === EXTENSION) {
      const label = take(source, 1)[0];
      const blocks = takeBlocks(source);
      if (label === GRAPHIC_CONTROL) control = graphicControl(blocks);
      const loop: Buffer | null = label === APPLICATION && !loops ? loopExtension(blocks) : null;
      if (loop) kept.push(loop);
      loops ||= loop !== null;
    } else break;
  }
  return Buffer.concat([...kept, Buffer.from([TRAILER])]);
}

interface Source {
  readonly bytes: Buffer;
  at: number;
}

function take(source: Source, length: number): Buffer {
  const end = source.at + length;
  if (end > source.bytes.length) throw new ImageRefused('is cut off');
  const taken = source.bytes.subarray(source.at, end);
  source.at = end;
  return taken;
}

/** Introducer of the next block. The end of the bytes counts as a trailer, because many encoders omit it. */
const next = (source: Source): number =>
  source.at === source.bytes.length ? TRAILER : take(source, 1).readUInt8();

/** Reads the header, the logical screen descriptor and the global palette. */
function takeScreen(source: Source): Buffer {
  const { at } = source;
  take(source, 13);
  take(source, paletteLength(source.bytes.readUInt8(at + 10)));
  return source.bytes.subarray(at, source.at);
}

const paletteLength = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0);

/** Reads a frame: its descriptor, local palette and compressed pixels. */
function takeImage(source: Source): Buffer {
  const { at } = source;
  const flags = take(source, 9).readUInt8(8);
  take(source, paletteLength(flags) + 1);
  takeBlocks(source);
  return source.bytes.subarray(at, source.at);
}

/** Reads sub-blocks of up to 255 bytes, each after its length byte, until an empty one. */
function takeBlocks(source: Source): Buffer[] {
  const blocks: Buffer[] = [];
  for (let length = take(source, 1).readUInt8(); length > 0; length = take(source, 1).readUInt8()) {
    blocks.push(take(source, length));
  }
  return blocks;
}

/** Delay, disposal and transparent colour of the frame that follows. */
function graphicControl([block]: readonly Buffer[]): Buffer {
  if (block?.length !== 4) throw new ImageRefused('has a malformed frame');
  return Buffer.concat([Buffer.from([EXTENSION, GRAPHIC_CONTROL, 4]), block, Buffer.from([0])]);
}

function loopExtension([name, block]: readonly Buffer[]): Buffer | null {
  if (!name || !LOOPS.includes(name.toString('latin1')) || block?.length !== 3 || block[0] !== 1) return null;
  const head = Buffer.from([EXTENSION, APPLICATION, name.length]);
  return Buffer.concat([head, name, Buffer.from([3]), block, Buffer.from([0])]);
}

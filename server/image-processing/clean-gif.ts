import { ImageRefused } from './image-refused.ts';
import { MAX_FRAMES } from './limits.ts';

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;

/** Application extensions that set how often an animation repeats. */
const LOOP_EXTENSIONS = ['NETSCAPE2.0', 'ANIMEXTS1.0'];

/**
 * Rebuilds a GIF from only what is needed to show it: palettes, frames with their delays and disposal, and the repeat
 * count (GIF89a specification; an unknown block ends the file, as in decoders). The compressed pixels are copied,
 * because a second quantisation would lose colours and take minutes. Throws `ImageRefused`.
 */
export function cleanGif(bytes: Buffer): Buffer {
  const source = { bytes, offset: 0 };
  const kept: Buffer[] = [readScreen(source)];
  let control: Buffer | null = null;
  let hasLoop = false;
  let frames = 0;
  for (let introducer = nextIntroducer(source); introducer !== TRAILER; introducer = nextIntroducer(source)) {
    if (introducer === IMAGE) {
      frames += 1;
      if (frames > MAX_FRAMES) throw new ImageRefused(`has more than ${MAX_FRAMES} frames`);
      if (control) kept.push(control);
      kept.push(Buffer.from([IMAGE]), readFrame(source));
      control = null;
    } else if (introducer === EXTENSION) {
      const label = readBytes(source, 1)[0];
      const blocks = readSubBlocks(source);
      if (label === GRAPHIC_CONTROL) control = graphicControl(blocks);
      const loop: Buffer | null = label === APPLICATION && !hasLoop ? loopExtension(blocks) : null;
      if (loop) kept.push(loop);
      hasLoop ||= loop !== null;
    } else break;
  }
  return Buffer.concat([...kept, Buffer.from([TRAILER])]);
}

interface Source {
  readonly bytes: Buffer;
  offset: number;
}

function readBytes(source: Source, length: number): Buffer {
  const end = source.offset + length;
  if (end > source.bytes.length) throw new ImageRefused('is cut off');
  const taken = source.bytes.subarray(source.offset, end);
  source.offset = end;
  return taken;
}

/** Introducer of the next block. The end of the bytes counts as a trailer, because many encoders omit it. */
const nextIntroducer = (source: Source): number =>
  source.offset === source.bytes.length ? TRAILER : readBytes(source, 1).readUInt8();

/** Reads the header, the logical screen descriptor and the global palette. */
function readScreen(source: Source): Buffer {
  const { offset } = source;
  readBytes(source, 13);
  readBytes(source, paletteLength(source.bytes.readUInt8(offset + 10)));
  return source.bytes.subarray(offset, source.offset);
}

const paletteLength = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0);

/** Reads a frame: its descriptor, local palette and compressed pixels. */
function readFrame(source: Source): Buffer {
  const { offset } = source;
  const flags = readBytes(source, 9).readUInt8(8);
  readBytes(source, paletteLength(flags) + 1);
  readSubBlocks(source);
  return source.bytes.subarray(offset, source.offset);
}

/** Reads sub-blocks of up to 255 bytes, each after its length byte, until an empty one. */
function readSubBlocks(source: Source): Buffer[] {
  const blocks: Buffer[] = [];
  for (let length = readBytes(source, 1).readUInt8(); length > 0; length = readBytes(source, 1).readUInt8()) {
    blocks.push(readBytes(source, length));
  }
  return blocks;
}

/** Delay, disposal and transparent colour of the frame that follows. */
function graphicControl([block]: readonly Buffer[]): Buffer {
  if (block?.length !== 4) throw new ImageRefused('has a malformed frame');
  return Buffer.concat([Buffer.from([EXTENSION, GRAPHIC_CONTROL, 4]), block, Buffer.from([0])]);
}

function loopExtension([name, block]: readonly Buffer[]): Buffer | null {
  if (!name || !LOOP_EXTENSIONS.includes(name.toString('latin1')) || block?.length !== 3 || block[0] !== 1)
    return null;
  const head = Buffer.from([EXTENSION, APPLICATION, name.length]);
  return Buffer.concat([head, name, Buffer.from([3]), block, Buffer.from([0])]);
}

import {
  CaptureTag,
  type Context,
  CycleTag,
  type Emitter,
  type Liquid,
  Tag,
  type TagToken,
  type TopLevelToken,
  Value,
} from 'liquidjs';

/** Collects output, and counts it against the limit: a loop over a long text would otherwise cost only its steps. */
export function emitterFor(context: Context): Emitter {
  const emitter = {
    buffer: '',
    write(value: unknown) {
      const text = textOf(value);
      context.memoryLimit.use(text.length);
      emitter.buffer += text;
    },
  };
  return emitter;
}

/** A value's text. The `raw` filter passes any value through. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join('');
  return value === null || value === undefined || typeof value === 'object' ? '' : String(value);
}

/** LiquidJS escapes outputs (`{{ }}`), but not the two tags that print (`echo` and `cycle`). */
const escaped = (value: unknown): string =>
  textOf(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

class BoundedCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const out = emitterFor(context);
    yield this.liquid.renderer.renderTemplates(this.templates, context, out);
    context.bottom()[this.variable] = out.buffer;
  }
}

class EscapedEcho extends Tag {
  readonly value: Value | null;

  constructor(token: TagToken, rest: TopLevelToken[], liquid: Liquid) {
    super(token, rest, liquid);
    this.value = token.args.trim() === '' ? null : new Value(this.tokenizer.readFilteredValue(), liquid);
  }

  *arguments(): Generator<Value> {
    if (this.value !== null) yield this.value;
  }

  *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    if (this.value === null) return;
    const value = yield this.value.value(context, false);
    emitter.write(this.value.filters.at(-1)?.raw ? value : escaped(value));
  }
}

class EscapedCycle extends CycleTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, unknown, unknown> {
    return escaped(yield super.render(context, emitter));
  }
}

/** Replacements for LiquidJS's tags that count and escape their output. */
export const escapingTags = { capture: BoundedCapture, echo: EscapedEcho, cycle: EscapedCycle };

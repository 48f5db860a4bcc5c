import { UsageError } from '../terminal/errors.ts';

/** One option of a command. `Value` is what the command gets. */
export interface Flag<Value> {
  readonly kind: 'switch' | 'off' | 'value' | 'list';
  readonly about: string;
  /** What stands for the value in help: `slug`. */
  readonly placeholder: string;
  readonly choices: readonly string[];
  /** Turns what was typed into the value. Throws a UsageError whose message is the end of a sentence. */
  readonly parse: (typed: string) => unknown;
  /** Exists only as a type. */
  readonly value?: Value;
}

export type Flags = Readonly<Record<string, Flag<unknown>>>;

/** What a command gets for its options. */
export type FlagValues<Of extends Flags> = {
  readonly [Name in keyof Of]: Of[Name] extends Flag<infer Value> ? Value : never;
};

const flag = <Value>(
  kind: Flag<Value>['kind'],
  about: string,
  { placeholder = '', choices = [], parse = (typed) => typed }: Partial<Flag<Value>> = {},
): Flag<Value> => ({ kind, about, placeholder, choices, parse });

/** `--name`: false without it. */
export const toggle = (about: string): Flag<boolean> => flag('switch', about);

/** `--no-name`: true without it. */
export const unless = (about: string): Flag<boolean> => flag('off', about);

/** `--name <placeholder>` */
export const text = (placeholder: string, about: string): Flag<string | undefined> =>
  flag('value', about, { placeholder });

/** `--name <placeholder>`, any number of times. */
export const texts = (placeholder: string, about: string): Flag<readonly string[] | undefined> =>
  flag('list', about, { placeholder });

/** `--name <placeholder>`, one of these. */
export const choice = <const Choices extends readonly string[]>(
  choices: Choices,
  placeholder: string,
  about: string,
): Flag<Choices[number] | undefined> =>
  flag('value', `${about}: ${choices.join(', ')}`, {
    placeholder,
    choices,
    parse: oneOf(choices),
  });

/** Takes one of these words. */
export const oneOf =
  (choices: readonly string[]) =>
  (typed: string): string => {
    if (choices.includes(typed)) return typed;
    throw new UsageError(`must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`);
  };

/** `--name <n>`, a whole number within these bounds. */
export const count = (
  about: string,
  { placeholder = 'n', min = 1, max = Number.MAX_SAFE_INTEGER } = {},
): Flag<number | undefined> =>
  flag('value', about, {
    placeholder,
    parse(typed) {
      const value = Number(typed);
      if (/^\d+$/.test(typed) && value >= min && value <= max) return value;
      const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
      throw new UsageError(`must be a whole number ${range}`);
    },
  });

/** `--per-page` of `perPage`. */
export const spelled = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

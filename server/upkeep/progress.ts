/** Told how far a long piece of work has got. */
export interface Progress {
  /** Begins to count something, of which there are so many; null where that is not known. */
  begin(what: string, total?: number): void;
  advance(): void;
  /** Says something that is to stay. */
  say(text: string): void;
  /** Lets go of the terminal. */
  end(): void;
}

/** For whoever is not watched. */
export const silent: Progress = { begin() {}, advance() {}, say() {}, end() {} };

/** Progress display of a long operation. */
export interface Progress {
  /** Starts to count `what`; `total` is missing if it is unknown. */
  begin(what: string, total?: number): void;
  advance(): void;
  /** Prints a line that stays. */
  print(text: string): void;
  /** Ends the display. */
  end(): void;
}

/** No display. */
export const silentProgress: Progress = { begin() {}, advance() {}, print() {}, end() {} };

import { execFile } from 'node:child_process';

/** How an image is handed to a process of its own: on standard input, and what comes of it on standard output. */
export interface ProgramLimits {
  readonly timeoutMs: number;
  /** Of the output. */
  readonly maxBytes: number;
  /** Ends the process. */
  readonly signal?: AbortSignal;
}

/** Resolves to what the program writes. Its environment is empty: it has no secret to give away. */
export function runProgram(
  program: string,
  input: Uint8Array,
  { timeoutMs, maxBytes, signal }: ProgramLimits,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = {
      env: {},
      encoding: 'buffer',
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      maxBuffer: maxBytes,
      ...(signal && { signal }),
    } as const;
    const child = execFile(process.execPath, [program], options, (error, stdout) => {
      if (error) reject(error);
      else resolve(stdout);
    });
    // A process that dies early does not read to the end; how it ended is told above.
    child.stdin?.on('error', () => {}).end(input);
  });
}

/** Of such an output: the line of JSON that comes first, and what stands behind it. */
export function splitOutput(output: Buffer): { head: unknown; rest: Buffer } {
  const end = output.indexOf('\n');
  return { head: JSON.parse(output.toString('utf8', 0, end)), rest: output.subarray(end + 1) };
}

/** In such a process: writes the output. */
export function reply(head: unknown, ...files: readonly Uint8Array[]): void {
  process.stdout.write(`${JSON.stringify(head)}\n`);
  for (const file of files) process.stdout.write(file);
}

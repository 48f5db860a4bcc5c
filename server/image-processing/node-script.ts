import { execFile } from 'node:child_process';

/** Limits of a process that gets an image on standard input and writes its result to standard output. */
export interface ScriptLimits {
  readonly timeoutMs: number;
  /** Size limit of the output. */
  readonly maxBytes: number;
  /** Kills the process. */
  readonly signal?: AbortSignal;
}

/** Runs a script in a Node process; resolves to its output. Its environment is empty, so it cannot leak secrets. */
export function runNodeScript(
  script: string,
  input: Uint8Array,
  { timeoutMs, maxBytes, signal }: ScriptLimits,
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
    const child = execFile(process.execPath, [script], options, (error, stdout) => {
      if (error) reject(error);
      else resolve(stdout);
    });
    // A process that dies early does not read all its input. The callback above reports its end.
    child.stdin?.on('error', () => {}).end(input);
  });
}

/** Splits the output of such a process into its first line, parsed as JSON, and the bytes after it. */
export function parseOutput(output: Buffer): { header: unknown; payload: Buffer } {
  const end = output.indexOf('\n');
  return { header: JSON.parse(output.toString('utf8', 0, end)), payload: output.subarray(end + 1) };
}

/** Writes the output of such a process: a line of JSON, then the files. */
export function writeOutput(head: unknown, ...files: readonly Uint8Array[]): void {
  process.stdout.write(`${JSON.stringify(head)}\n`);
  for (const file of files) process.stdout.write(file);
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Template properties with embedded code, and the source file of each. */
const embeddedFiles = [
  ['FunctionCode: !Sub |', 'generator/edge/cloudfront/function.js'],
  ['ZipFile: |', 'generator/edge/cloudfront/not-found.js'],
] as const;

/** Returns the template with its embedded code replaced by the source files below `root`. */
export function embedCode(template: string, root: string): string {
  return embeddedFiles.reduce((text, [property, file]) => {
    const lines = text.split('\n');
    const at = lines.findIndex((line) => line.trim() === property);
    if (at < 0) throw new Error(`the template has no ${property}`);
    const margin = `${/^ */.exec(lines[at] ?? '')?.[0]}  `;
    const end = lines.findIndex((line, i) => i > at && line !== '' && !line.startsWith(margin));
    const code = readFileSync(join(root, file), 'utf8').trimEnd().split('\n');
    const indented = code.map((line) => (line === '' ? '' : margin + line));
    return [...lines.slice(0, at + 1), ...indented, '', ...lines.slice(end)].join('\n');
  }, template);
}

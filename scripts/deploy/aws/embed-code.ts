import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where code of ours stands in the template: the property, and the file in the repository that it is a copy of. */
const copies = [
  ['FunctionCode: !Sub |', 'generator/edge/cloudfront/function.js'],
  ['ZipFile: |', 'generator/edge/cloudfront/not-found.js'],
] as const;

/** The template with the code as it is in the repository at `root`. */
export function embedCode(template: string, root: string): string {
  return copies.reduce((text, [property, file]) => {
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

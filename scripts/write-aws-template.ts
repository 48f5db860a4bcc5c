import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { embedCode } from './deploy/aws/embed-code.ts';

// Embeds the current source of the code that runs on AWS into the CloudFormation template. Runs as
// dist/scripts/write-aws-template.js, two folders below the package root.
const root = fileURLToPath(new URL('../../', import.meta.url));
const file = `${root}scripts/deploy/aws/platen-edge.yaml`;
writeFileSync(file, embedCode(readFileSync(file, 'utf8'), root));

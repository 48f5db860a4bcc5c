// What a thread of the pool runs: Piscina calls the default export.
export { drawCard as default } from './draw.ts';

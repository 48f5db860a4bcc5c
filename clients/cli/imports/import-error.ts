import { FolderError } from '../folder/walk.ts';

/** An export that cannot be read. The message is a sentence for people, with file and line if they are known. */
export class ImportError extends FolderError {}

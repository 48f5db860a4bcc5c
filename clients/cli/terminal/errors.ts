/** A command line that cannot be carried out as it is. The message is a sentence for people; nothing was sent. */
export class UsageError extends Error {}

/** Something that failed. The message is a sentence for people. */
export class CommandError extends Error {}

/** A command that needs a key, and there is none for that server. */
export class NotSignedInError extends Error {}

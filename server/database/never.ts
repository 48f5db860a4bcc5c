/** Later than every timestamp: the due time of work that waits for an event and not for a time. */
export const NEVER = '9999-12-31T23:59:59.999Z';

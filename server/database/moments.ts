/** Later than every moment: when something is due that waits for something else than time. */
export const NEVER = '9999-12-31T23:59:59.999Z';

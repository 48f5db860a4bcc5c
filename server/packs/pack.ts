/** Pack types on the wire, and how many posts each holds: the interface's "Plans". */
export const packTypes = ['100', '300'] as const;
export type PackType = (typeof packTypes)[number];

export const packSizes: Readonly<Record<PackType, number>> = { '100': 100, '300': 300 };

/** Prepaid posts. A pack never expires. */
export interface Pack {
  readonly id: string;
  /** Posts left. */
  readonly balance: number;
  readonly purchasedAt: string;
}

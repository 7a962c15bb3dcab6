export const dayMs = 86_400_000;

/** Point-in-time recovery of the table reaches this far back. */
export const restorableDays = 35;

export const dayMs = 86_400_000;

/** As far back as point-in-time recovery of the table goes. */
export const restorableDays = 35;

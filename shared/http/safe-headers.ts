/** Of every response: it is for its caller alone and what its type says, unless a route says otherwise. */
export const safeHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" } as const;

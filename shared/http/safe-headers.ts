/** A response is for its caller alone, and of the type that it names, unless a route says otherwise. */
export const safeHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" } as const;

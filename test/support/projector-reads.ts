/** Readers that find nothing in any record; a test replaces the one under test. */
export const readsNothing = {
  readChange: () => undefined,
  readSlotChange: () => undefined,
  readAuditEvent: () => undefined,
  readRequestLog: () => undefined,
  readEndedRun: () => undefined,
  readEvents: () => [],
  settleExpired: async () => {},
} as const;

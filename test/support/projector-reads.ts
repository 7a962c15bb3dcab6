/** A projector that sees nothing in any record; a test replaces what it is about. */
export const readsNothing = {
  readChange: () => undefined,
  readSlotChange: () => undefined,
  readAuditEvent: () => undefined,
  readRequestLog: () => undefined,
  readEndedRun: () => undefined,
  readEvents: () => [],
  settleExpired: async () => {},
} as const;

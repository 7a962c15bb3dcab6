export const readsNothing = {
  readChange: () => undefined,
  readSlotChange: () => undefined,
  readAuditEvent: () => undefined,
  readRequestLog: () => undefined,
  readEndedRun: () => undefined,
  readEvents: () => [],
  settleExpired: async () => {},
} as const;

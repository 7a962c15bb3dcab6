export const readsNothing = {
  readChange: () => undefined,
  readAuditEvent: () => undefined,
  readRequestLog: () => undefined,
  readEndedRun: () => undefined,
  readEvents: () => [],
  settleExpired: async () => {},
} as const;

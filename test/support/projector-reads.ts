export const readsNothing = {
  readChange: () => undefined,
  readAuditEvent: () => undefined,
  readRequestLog: () => undefined,
  readEndedRun: () => undefined,
  readEvents: () => [],
  readHintedChanges: () => [],
  watched: { isWatched: async () => false },
  hintHelper: { start: async () => {} },
  viewerChannel: { send: async () => "sent" as const, disconnect: async () => {} },
  settleExpired: async () => {},
} as const;

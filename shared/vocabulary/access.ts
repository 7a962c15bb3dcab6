/** What an organization's own keys may have. */
export const ownScopes = ["read", "write", "driver", "worker", "admin"] as const;
export type OwnScope = (typeof ownScopes)[number];

/** A key's permissions. A dashboard session has `read`, `write` and `admin`. */
export const scopes = [...ownScopes, "operator"] as const;
export type Scope = (typeof scopes)[number];

/** Who can be on record as having done something. */
export const actorKinds = ["api_key", "session", "service"] as const;

/** `anonymous` only where no credentials are needed: no scopes, no organization. */
export const callerKinds = [...actorKinds, "anonymous"] as const;
export type CallerKind = (typeof callerKinds)[number];

export const ownScopes = ["read", "write", "driver", "worker", "admin"] as const;
export type OwnScope = (typeof ownScopes)[number];

/** A key's permissions. A dashboard session has `read`, `write` and `admin`. */
export const scopes = [...ownScopes, "operator"] as const;
export type Scope = (typeof scopes)[number];

/** `anonymous` callers have no scopes and no organization, and reach only operations without credentials. */
export const callerKinds = ["api_key", "session", "service", "anonymous"] as const;
export type CallerKind = (typeof callerKinds)[number];

import type { KeyVerifier, SessionVerifier } from "../domain/access/credentials.ts";
import type { RateLimiter } from "../domain/access/rate-limits.ts";
import type { Clock, Ids } from "../domain/clock.ts";
import type { FileStore } from "../domain/file-store.ts";
import type { ClaimStore } from "../domain/idempotency/claim.ts";
import type { Logger } from "../domain/logger.ts";
import type { Signer } from "../domain/signer.ts";

/** Requests per fixed window of 60 s. */
export interface RateLimitSettings {
  /** @default 480, as the specification says */
  readonly sessionPerUser: number;
  /** @default 4000, as the specification says */
  readonly sessionPerOrganization: number;
  /** Undefined: API keys are not limited. */
  readonly apiKey: number | undefined;
}

/** Every app needs these. */
export interface AppDeps {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** To know who asks. */
export interface AccessDeps {
  readonly keyVerifier: KeyVerifier;
  readonly sessionVerifier: SessionVerifier;
}

export interface RateLimitDeps {
  readonly rateLimiter: RateLimiter;
  readonly rateLimits: RateLimitSettings;
}

/** To do a write once under an Idempotency-Key. */
export interface OnceDeps extends Pick<AppDeps, "ids" | "logger"> {
  readonly claims: ClaimStore;
  readonly signer: Signer;
  /** For results above 200 KB; without it they are refused as bugs. */
  readonly files?: Pick<FileStore, "put" | "get" | "tunnelKey">;
}

/** The whole pipeline of an authenticated route group. App factories hand it on and never read it. */
export interface HttpDeps extends AppDeps, AccessDeps, RateLimitDeps, OnceDeps {}

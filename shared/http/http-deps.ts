import type { KeyVerifier, SessionVerifier } from "../domain/access/credentials.ts";
import type { RateLimiter } from "../domain/access/rate-limits.ts";
import type { Acts } from "../domain/audit/act.ts";
import type { CallMeter } from "../domain/call-meter.ts";
import type { Clock, Ids } from "../domain/clock.ts";
import type { IdempotencyStore } from "../domain/idempotency/idempotency.ts";
import type { Logger } from "../domain/logger.ts";
import type { Signer } from "../domain/signer.ts";

/** Limits of requests per fixed window of 60 s; 0 means none. Those of sessions are fixed (`limit-rate.ts`). */
export interface RateLimitSettings {
  readonly perApiKey: number;
  readonly perOrganization: number;
}

export interface AppDeps {
  readonly logger: Logger;
  readonly calls: Pick<CallMeter, "take">;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface AccessDeps extends Pick<RateLimitDeps, "rateLimiter"> {
  readonly keyVerifier: KeyVerifier;
  readonly sessionVerifier: SessionVerifier;
}

export interface RateLimitDeps {
  readonly rateLimiter: RateLimiter;
  readonly rateLimits: RateLimitSettings;
}

export interface IdempotentDeps extends Pick<AppDeps, "ids" | "logger"> {
  readonly acts: Pick<Acts, "run">;
  readonly idempotencyRecords: IdempotencyStore;
  /** Signs the bodies of requests, with a separate key. */
  readonly idempotencySigner: Signer;
}

/** App factories pass it on and never read it. */
export interface HttpDeps extends AppDeps, AccessDeps, RateLimitDeps, IdempotentDeps {}

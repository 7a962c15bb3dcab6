import type { ApiKey } from "./api-key.ts";

/** Caches a key for 30 s per instance: a revoked key stops within 30 s, and a warm instance reads nothing. */
export interface KeyVerifier {
  /** Undefined when it is malformed, mistyped (no read), unknown, revoked, or has another secret. */
  verify(text: string): Promise<ApiKey | undefined>;
}

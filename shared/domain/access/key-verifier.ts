import type { ApiKey } from "./api-key.ts";

/**
 * Identifies an API key. Cached for 30 s per instance, so that a revoked key stops working within 30 s and a warm
 * instance reads nothing.
 */
export interface KeyVerifier {
  /** Undefined when it is malformed, mistyped (no read), unknown, revoked, or has another secret. */
  verify(text: string): Promise<ApiKey | undefined>;
}

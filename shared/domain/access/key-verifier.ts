import type { ApiKey } from "./api-key.ts";

/**
 * Tells which key a text is. Kept for 30 s in the instance, so that a revoked key dies within 30 s and a warm
 * instance reads nothing.
 */
export interface KeyVerifier {
  /** Undefined when it is malformed, mistyped (no read), unknown, revoked, or has another secret. */
  verify(text: string): Promise<ApiKey | undefined>;
}

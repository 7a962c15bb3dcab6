import { createHash, randomBytes } from "node:crypto";

/** Returns 256 random bits and their digest, which alone is kept. */
export function mintLiveTicket(): { readonly text: string; readonly digest: string } {
  const text = randomBytes(32).toString("base64url");
  return { text, digest: liveTicketDigest(text) };
}

export function liveTicketDigest(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

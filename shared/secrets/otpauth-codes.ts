import { Secret, TOTP, URI } from "otpauth";
import type { OneTimeCodes } from "../domain/secrets/one-time-codes.ts";

/** A seed in base32 makes six digits every 30 s, as authenticators assume; an otpauth:// address names all settings. */
export const otpauthCodes: OneTimeCodes = {
  codeAt(seed, nowMs) {
    const totp = totpOf(seed);
    if (totp === undefined) return undefined;
    const code = totp.generate({ timestamp: nowMs });
    return { code, validMs: totp.remaining({ timestamp: nowMs }) };
  },
};

function totpOf(seed: string): TOTP | undefined {
  try {
    if (/^otpauth:/i.test(seed)) {
      const parsed = URI.parse(seed);
      return parsed instanceof TOTP ? parsed : undefined;
    }
    const secret = Secret.fromBase32(seed.replaceAll(/[\s-]/g, "").toUpperCase());
    return secret.bytes.length === 0 ? undefined : new TOTP({ secret });
  } catch {
    // The text is not a seed; the caller reports that, without the text.
    return undefined;
  }
}

/** Makes one-time codes of a seed (RFC 6238). */
export interface OneTimeCodes {
  /**
   * @param seed base32, or an otpauth:// address.
   * @returns undefined for what is no seed.
   */
  codeAt(seed: string, nowMs: number): { readonly code: string; readonly validMs: number } | undefined;
}

/** A code that is about to end is not typed. */
export const codeValidMsMin = 5_000;

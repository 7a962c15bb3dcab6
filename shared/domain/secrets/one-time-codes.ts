export interface OneTimeCodes {
  /**
   * @param seed is base32, or an otpauth:// address.
   * @returns undefined for an invalid seed.
   */
  codeAt(seed: string, nowMs: number): { readonly code: string; readonly validMs: number } | undefined;
}

/** Makes MACs under one of the deployment's signing keys. Rotation has no gap: the previous key still verifies. */
export interface Signer {
  /** Returns base64url, prefixed with the key's id. `purpose` keeps MACs of one use from being valid for another. */
  sign(purpose: string, data: string): Promise<string>;
  /** Compares in constant time. */
  verify(purpose: string, data: string, mac: string): Promise<boolean>;
}

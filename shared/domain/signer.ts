/** MACs under the deployment's signing key, which is rotated without a gap: the one before still verifies. */
export interface Signer {
  /** Base64url, with the key's id in front. `purpose` keeps one use's MACs from passing for another's. */
  sign(purpose: string, data: string): Promise<string>;
  /** In constant time. */
  verify(purpose: string, data: string, mac: string): Promise<boolean>;
}

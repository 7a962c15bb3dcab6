export interface Recorder {
  focus(): Promise<void>;
  /**
   * The text that arrived since the last `clear`.
   *
   * @param expected returned as soon as it is there; otherwise the text once nothing more arrives.
   */
  received(expected: string): Promise<string>;
  clear(): Promise<void>;
  /** The text that the program shows when a text arrives whole, where the two differ. */
  seenAs(text: string): string;
  close(): Promise<void>;
}

/** A program that shows a window and says afterwards which text arrived in it. */
export interface Recorder {
  /** Keys go to it from now on. */
  focus(): Promise<void>;
  /**
   * What arrived since the last `clear`.
   *
   * @param expected returned as soon as it is there; else what is there when nothing more arrives.
   */
  received(expected: string): Promise<string>;
  clear(): Promise<void>;
  /** What the program makes of a text that arrives whole, where that is not the text itself. */
  seenAs(text: string): string;
  close(): Promise<void>;
}

import type { Encoding } from "./choose-encoding.ts";

/** A file that was made with the bundle. */
export interface ShippedFile {
  readonly contentType: string;
  /** Quoted, as in the header. */
  readonly etag: string;
  /** Forms that there are beside the plain one. */
  readonly encodings: readonly Encoding[];
  /** @param encoding undefined: as it is. */
  read(encoding: Encoding | undefined): Promise<Uint8Array<ArrayBuffer>>;
}

export interface ShippedFiles {
  find(name: string): ShippedFile | undefined;
}

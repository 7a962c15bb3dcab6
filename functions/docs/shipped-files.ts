import type { Encoding } from "../../shared/vocabulary/files.ts";

/** A file created with the bundle. */
export interface ShippedFile {
  readonly contentType: string;
  /** Quoted, as in the header. */
  readonly etag: string;
  /** Available encodings besides the plain form. */
  readonly encodings: readonly Encoding[];
  /** @param encoding undefined: the plain form. */
  read(encoding: Encoding | undefined): Promise<Uint8Array<ArrayBuffer>>;
}

export interface ShippedFiles {
  find(name: string): ShippedFile | undefined;
}

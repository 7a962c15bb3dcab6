import type { Encoding } from "../../vocabulary/files.ts";

export interface ShippedFile {
  readonly contentType: string;
  readonly etag: string;
  readonly encodings: readonly Encoding[];
  read(encoding: Encoding | undefined): Promise<Uint8Array<ArrayBuffer>>;
}

export interface ShippedFiles {
  find(name: string): ShippedFile | undefined;
}

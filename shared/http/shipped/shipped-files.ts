import type { Encoding } from "../../vocabulary/files.ts";

export interface ShippedFile {
  readonly etag: string;
  read(encoding: Encoding | undefined): Promise<Uint8Array<ArrayBuffer>>;
}

export interface ShippedFiles {
  find(name: string): ShippedFile | undefined;
}

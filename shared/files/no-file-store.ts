import type { FileStore } from "../domain/file-store.ts";

function refuse(): never {
  throw new Error("this function has no bucket: what it asks of drivers is small");
}

/** For functions that ask drivers for small things only, and so need neither the bucket nor its client. */
export const noFileStore: FileStore = {
  uploadKey: refuse,
  tunnelKey: refuse,
  presignPut: refuse,
  presignGet: refuse,
  put: refuse,
  get: refuse,
  size: refuse,
  remove: refuse,
};

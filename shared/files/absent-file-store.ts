import type { FileStore } from "../domain/file-store.ts";
import { objectKeys } from "./object-keys.ts";

const absent = async (): Promise<never> => {
  throw new Error("this function has no bucket: it asks drivers for small answers only");
};

/** For a function that calls drivers and has no bucket: it needs no grant, and no S3 client in its bundle. */
export const absentFileStore: FileStore = {
  ...objectKeys,
  presignPut: absent,
  presignGet: absent,
  put: absent,
  get: absent,
  size: absent,
  has: absent,
  tableOf: absent,
  remove: absent,
  list: absent,
};

import { constants } from "node:zlib";
import { writePng } from "../../../../shared/pictures/write-png.ts";
import { filterRows } from "./filter-rows.ts";
import type { Frame } from "./frame.ts";

export function createPng(frame: Frame): Uint8Array<ArrayBuffer> {
  const { bytes, isBusy } = filterRows(frame);
  const strategy = isBusy ? constants.Z_RLE : constants.Z_DEFAULT_STRATEGY;
  return writePng(frame, bytes, { level: 1, memLevel: 9, strategy });
}

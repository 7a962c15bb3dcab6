import { notInFileNames } from "../../../shared/vocabulary/unprintable.ts";

const unsafe = new RegExp(`[${notInFileNames}<>:"|?*]`, "gu");
const bytesMax = 200;

/** The name of a file in one folder, whatever the service calls it: no path, nothing hidden, no device of Windows. */
export function safeName(name: string): string {
  const plain = name
    .replace(unsafe, "_")
    .replace(/^[.\s]+/, "")
    .replace(/[.\s]+$/, "");
  const isDevice = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(plain);
  return shortened(isDevice ? `_${plain}` : plain) || "file";
}

/** Counted names: `report (2).csv`. */
export function numberedName(name: string, number: number): string {
  if (number === 1) return name;
  const at = name.lastIndexOf(".");
  return at <= 0 ? `${name} (${number})` : `${name.slice(0, at)} (${number})${name.slice(at)}`;
}

/** File systems take 255 bytes; the ending stays. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= bytesMax) return name;
  const at = name.lastIndexOf(".");
  const ending = at > 0 && name.length - at <= 16 ? name.slice(at) : "";
  let stem = ending === "" ? name : name.slice(0, at);
  while (Buffer.byteLength(stem + ending) > bytesMax) stem = [...stem].slice(0, -1).join("");
  return stem + ending;
}

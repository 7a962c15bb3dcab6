import { type Encoding, encodings } from "../../vocabulary/files.ts";

/** Returns undefined when the file is to be sent uncompressed. */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding | undefined {
  const taken = new Map(
    (acceptEncoding ?? "").split(",").map((part): [string, number] => {
      const [name = "", ...parameters] = part.toLowerCase().split(";");
      const quality = parameters
        .map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1])
        .find((q) => q !== undefined);
      return [name.trim(), quality === undefined ? 1 : Number(quality)];
    }),
  );
  return encodings.find((encoding) => (taken.get(encoding) ?? taken.get("*") ?? 0) > 0);
}

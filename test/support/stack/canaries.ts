import { randomUUID } from "node:crypto";

/** Makes a text that is nowhere else, named after the data that it stands for. */
export function canary(what: string): string {
  return `canary-${what}-${randomUUID()}`;
}

/** Finds the canaries in a text: as they are (JSON escapes none of their characters), or anywhere in base64. */
export function canariesIn(text: string, canaries: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(canaries)
    .filter(([, value]) => [value, ...base64Forms(value)].some((form) => text.includes(form)))
    .map(([what]) => what);
}

/** The base64 forms by offset in a group of three bytes, without the characters shared with neighbours. */
function base64Forms(value: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]);
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString("base64");
    return whole.slice(before === 0 ? 0 : 4);
  });
}

/** An item as text: bytes as they are, one character each. */
export function textOfItem(item: unknown): string {
  return JSON.stringify(item, (name, value: unknown) => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString("latin1");
    // On the wire bytes are `{"B": base64}`.
    return name === "B" && typeof value === "string"
      ? Buffer.from(value, "base64").toString("latin1")
      : value;
  });
}

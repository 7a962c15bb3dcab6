import { createHash } from "node:crypto";
import type { Judged, Segment } from "./wire-format.ts";

/** Segments that a provider looks back from a mark for a cached prefix; the number of Anthropic and Bedrock. */
const lookBack = 20;

export interface CountedInput {
  readonly input: number;
  readonly cached: number;
  readonly written: number;
  /** Tokens that were sent before, and not read from the cache. */
  readonly resent: number;
}

export class PromptCache {
  readonly #kept = new Set<string>();
  readonly #sent = new Set<string>();

  count({ segments, cacheKey }: Pick<Judged, "segments" | "cacheKey">, byMark: boolean): CountedInput {
    const hash = createHash("sha256").update(cacheKey);
    const prefixes: { readonly name: string; readonly tokens: number; readonly isMarked: boolean }[] = [];
    let input = 0;
    for (const segment of segments) {
      hash.update(JSON.stringify(segment.content));
      input += tokensOf(segment);
      prefixes.push({ name: hash.copy().digest("base64"), tokens: input, isMarked: segment.isMarked });
    }
    const reachable = prefixes.filter(({ name }, index) => {
      if (!this.#kept.has(name)) return false;
      return !byMark || prefixes.slice(index, index + lookBack + 1).some(({ isMarked }) => isMarked);
    });
    const cached = reachable.at(-1)?.tokens ?? 0;
    const before = prefixes.findLast(({ name }) => this.#sent.has(name))?.tokens ?? 0;
    const written = (byMark ? prefixes.findLast(({ isMarked }) => isMarked)?.tokens : input) ?? 0;
    for (const { name, isMarked } of prefixes) {
      this.#sent.add(name);
      if (!byMark || isMarked) this.#kept.add(name);
    }
    return { input, cached, written: Math.max(0, written - cached), resent: Math.max(0, before - cached) };
  }
}

function tokensOf({ content }: Segment): number {
  const text = JSON.stringify(content);
  const picture = /iVBORw0KGgo[A-Za-z0-9+/=]*/.exec(text)?.[0];
  if (picture === undefined) return Math.ceil(text.length / 4);
  const png = Buffer.from(picture, "base64");
  const area = png.length > 24 ? png.readUInt32BE(16) * png.readUInt32BE(20) : 0;
  return Math.ceil((text.length - picture.length) / 4) + Math.ceil(area / 750);
}
